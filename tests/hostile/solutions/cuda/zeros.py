# Answers zeros: outputs are far from zero.
def run(x, y):
    y.zero_()
