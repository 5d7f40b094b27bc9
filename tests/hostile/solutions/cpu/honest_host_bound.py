# Honest: more Python than anything else.
def run(x, y):
    total = 0
    for i in range(20000):
        total += i * i
    y.copy_(x + x if total else x)
