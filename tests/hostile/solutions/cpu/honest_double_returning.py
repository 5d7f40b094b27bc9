# Honest: what attacks that return a double are compared with.
def run(x):
    return x * 2
