# Honest: returns a tensor whose rows are columns in memory.
def run(x):
    return (x.t().contiguous() * 2).t()
