# Honest: returns two outputs as a dict, in another order.
def run(x):
    return {"z": x + 10, "y": x * 2}
