# Returns an object that computes when __dlpack__ is asked for: only plain
# tensors are taken.
class Lazy:
    def __init__(self, x):
        self.x = x
        self.shape = x.shape
        self.dtype = x.dtype
        self.device = x.device

    def __dlpack__(self, **kwargs):
        return (self.x * 2).__dlpack__(**kwargs)

    def __dlpack_device__(self):
        return self.x.__dlpack_device__()


def run(x):
    return Lazy(x)
