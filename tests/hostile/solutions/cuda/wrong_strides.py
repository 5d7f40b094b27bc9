# The right values in the right shape, but as strides that order them wrongly.
def run(x):
    rows, columns = x.shape
    return (x * 2).as_strided((rows, columns), (1, rows))
