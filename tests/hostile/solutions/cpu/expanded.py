# Computes one column and expands it with a stride of 0.
def run(x):
    return (x[:, :1] * 2).expand(x.shape)
