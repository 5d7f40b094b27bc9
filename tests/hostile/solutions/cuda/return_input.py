# Returns its input: it is not near the answer.
def run(x):
    return x
