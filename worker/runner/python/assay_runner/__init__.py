"""The Python side of the hostile process: runs references and solutions.

zygote      imports torch once and forks
supervisor  waits for a child and cleans up behind it
isolation   namespaces of a child
child       what a child does: load, bind, call
gpu         torch and Triton on a GPU
entry       sources, or a compiled module, to callable
tensors     memory to torch tensors
outputs     returned values to memory
errors      failures, and tracebacks as the author knows the files
harness     libassay_harness.so through ctypes
"""
