# Honest: compiles a specialised function, from source, at the first call.
functions = {}


def compile_for(shape):
    source = f"def double(x):\n    return x.view({shape[0]}, {shape[1]}) * 2\n"
    names = {}
    exec(compile(source, "generated", "exec"), names)
    return names["double"]


def run(x, y):
    shape = tuple(x.shape)
    if shape not in functions:
        functions[shape] = compile_for(shape)
    y.copy_(functions[shape](x))
