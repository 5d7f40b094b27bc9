"""Faults of kernels and processes: the verdict is that solution's alone."""

import unittest

import gpu_testing
from gpu_testing import double

CASES = (
    (
        double("c_illegal_access", "cuda/illegal_access.cu"),
        "RUNTIME_ERROR",
        ["illegal memory access"],
    ),
    (double("c_trap", "cuda/trap.cu"), "RUNTIME_ERROR", ["CUDA_ERROR_"]),
    (
        double("c_device_assert", "cuda/device_assert.cu"),
        "RUNTIME_ERROR",
        ["CUDA_ERROR_ASSERT"],
    ),
    (
        double("c_endless_kernel", "cuda/endless_kernel.cu"),
        "TIMEOUT",
        ["did not end within"],
    ),
    # Its answer is right, and the code that it returns is cudaMalloc's.
    (
        double("c_out_of_memory", "cuda/out_of_memory.cu"),
        "RUNTIME_ERROR",
        ["returned 2;"],
    ),
    (
        double("c_sticky_error", "cuda/sticky_error.cu"),
        "RUNTIME_ERROR",
        ["illegal memory access"],
    ),
    (
        double("c_writes_input", "cuda/writes_input.cu"),
        "RUNTIME_ERROR",
        ["illegal memory access"],
    ),
    (
        double("c_writes_past_end", "cuda/writes_past_end.cu"),
        "RUNTIME_ERROR",
        ["next to an output"],
    ),
    (
        double("c_misaligned_access", "cuda/misaligned_access.cu"),
        "RUNTIME_ERROR",
        ["misaligned"],
    ),
    # cudaErrorInvalidConfiguration
    (
        double("c_too_many_threads", "cuda/too_many_threads.cu"),
        "RUNTIME_ERROR",
        ["returned "],
    ),
    (
        double("c_stack_overflow", "cuda/stack_overflow.cu"),
        "RUNTIME_ERROR",
        ["CUDA_ERROR_"],
    ),
    (
        double("c_host_segfault", "cuda/host_segfault.cu"),
        "RUNTIME_ERROR",
        ["signal 11"],
    ),
    (double("c_host_exit", "cuda/host_exit.cu"), "RUNTIME_ERROR", ["exit"]),
    (
        double("c_load_time_trap", "cuda/load_time_trap.cu"),
        ("RUNTIME_ERROR", "COMPILE_ERROR"),
        [],
    ),
    # Its answers are right; that times are worth something with the thread's
    # kernels beside it is not said.
    (double("c_endless_thread", "cuda/endless_thread.cu"), gpu_testing.ANY, []),
    (
        double("triton_illegal_access", "triton/illegal_access.py"),
        "RUNTIME_ERROR",
        ["illegal memory access"],
    ),
    (
        double("triton_endless_kernel", "triton/endless_kernel.py"),
        "TIMEOUT",
        ["did not end within"],
    ),
    (
        double("py_writes_input", "python/writes_input.py"),
        "RUNTIME_ERROR",
        ["illegal memory access"],
    ),
    (
        double("py_index_out_of_range", "python/index_out_of_range.py"),
        "RUNTIME_ERROR",
        ["device-side assert"],
    ),
    (
        double("py_out_of_memory", "python/out_of_memory.py"),
        "RUNTIME_ERROR",
        ["out of memory"],
    ),
    (double("py_exits", "python/exits.py"), "RUNTIME_ERROR", ["exit"]),
)


class FaultTest(gpu_testing.BatchTest):
    CASES = CASES
    HONEST = double("honest_after_fault", "cuda/honest.cu")


gpu_testing.add_tests(FaultTest)

if __name__ == "__main__":
    unittest.main()
