"""Every status, reached by solutions in each language and binding for GPUs."""

import unittest

import gpu_testing
from gpu_testing import double

RETURNING = {"destination_passing_style": False}

C_CASES = (
    (double("c_right", "cuda/honest.cu"), "PASSED", []),
    (
        double("c_wrong_values", "cuda/wrong_values.cu"),
        "INCORRECT_NUMERICAL",
        ['output "y"', "expected"],
    ),
    (
        double("c_writes_nothing", "cuda/writes_nothing.cu"),
        "INCORRECT_NUMERICAL",
        ['output "y"'],
    ),
    (
        double("c_syntax_error", "cuda/honest.cu", edit={"return": "retrun"}),
        "COMPILE_ERROR",
        ["honest.cu", "error", "retrun"],
    ),
    (
        double("c_wrong_signature", "cuda/wrong_signature.cu"),
        "COMPILE_ERROR",
        ["int run(const DLTensor* x, DLTensor* y, void* stream)"],
    ),
    (
        double("c_refused_option", "cuda/honest.cu", compile_options=["-arch=sm_80"]),
        "COMPILE_ERROR",
        ["-arch=sm_80"],
    ),
    (
        double("c_no_dependency", "cuda/honest.cu", dependencies=["no_such_library"]),
        "COMPILE_ERROR",
        ["no_such_library"],
    ),
    (double("c_error_code", "cuda/error_code.cu"), "RUNTIME_ERROR", ["returned 42;"]),
    (
        double("c_endless", "cuda/endless_kernel.cu"),
        "TIMEOUT",
        ["did not end within"],
    ),
)

TVM_FFI_CASES = (
    (double("ffi_right", "tvm_ffi/double.cu"), "PASSED", []),
    (
        double(
            "ffi_wrong_values",
            "tvm_ffi/double.cu",
            edit={"kFactor = 2": "kFactor = 3"},
        ),
        "INCORRECT_NUMERICAL",
        ['output "y"', "expected"],
    ),
    (
        double(
            "ffi_wrong_shape",
            "tvm_ffi/returning.cu",
            edit={"kColumns = 1024": "kColumns = 512"},
            **RETURNING,
        ),
        "INCORRECT_SHAPE",
        ["[64, 512]", "[64, 1024]"],
    ),
    (
        double(
            "ffi_wrong_dtype",
            "tvm_ffi/returning.cu",
            edit={"{kDLFloat, 32, 1}": "{kDLFloat, 16, 1}"},
            **RETURNING,
        ),
        "INCORRECT_DTYPE",
        ["float16", "float32"],
    ),
    (
        double(
            "ffi_syntax_error",
            "tvm_ffi/double.cu",
            edit={"x.numel();": "x.numel()"},
        ),
        "COMPILE_ERROR",
        ["double.cu", "error"],
    ),
    (
        double("ffi_throws", "tvm_ffi/throws.cu"),
        "RUNTIME_ERROR",
        ["rows must be odd"],
    ),
)

TRITON_CASES = (
    (double("triton_right", "triton/double.py"), "PASSED", []),
    (
        double("triton_right_returning", "triton/returning.py", **RETURNING),
        "PASSED",
        [],
    ),
    (
        double(
            "triton_wrong_values",
            "triton/double.py",
            edit={"* 2, mask": "* 3, mask"},
        ),
        "INCORRECT_NUMERICAL",
        ['output "y"', "expected"],
    ),
    (
        double(
            "triton_wrong_shape",
            "triton/returning.py",
            edit={"return y": "return y[:, :512]"},
            **RETURNING,
        ),
        "INCORRECT_SHAPE",
        ["[64, 512]", "[64, 1024]"],
    ),
    (
        double(
            "triton_wrong_dtype",
            "triton/returning.py",
            edit={"return y": "return y.half()"},
            **RETURNING,
        ),
        "INCORRECT_DTYPE",
        ["float16", "float32"],
    ),
    (
        double(
            "triton_syntax_error",
            "triton/double.py",
            edit={"def run(x, y):": "def run(x, y)"},
        ),
        "COMPILE_ERROR",
        ["SyntaxError", "double.py"],
    ),
    # A kernel is compiled when it is first called.
    (
        double("triton_does_not_compile", "triton/does_not_compile.py"),
        "RUNTIME_ERROR",
        ["no_such_function"],
    ),
    (
        double("triton_endless", "triton/endless_kernel.py"),
        "TIMEOUT",
        ["did not end within"],
    ),
)

PYTHON_CASES = (
    (double("py_right", "python/double.py"), "PASSED", []),
    (double("py_right_returning", "python/returning.py", **RETURNING), "PASSED", []),
    (
        double("py_wrong_values", "python/double.py", edit={"x * 2)": "x * 3)"}),
        "INCORRECT_NUMERICAL",
        ['output "y"', "expected"],
    ),
    (
        double(
            "py_wrong_shape",
            "python/returning.py",
            edit={"return x * 2": "return (x * 2)[:1]"},
            **RETURNING,
        ),
        "INCORRECT_SHAPE",
        ["[1, 1024]", "[64, 1024]"],
    ),
    (
        double(
            "py_wrong_dtype",
            "python/returning.py",
            edit={"return x * 2": "return (x * 2).double()"},
            **RETURNING,
        ),
        "INCORRECT_DTYPE",
        ["float64", "float32"],
    ),
    (
        double("py_syntax_error", "python/syntax_error.py"),
        "COMPILE_ERROR",
        ["SyntaxError", "syntax_error.py"],
    ),
    (
        double("py_raises", "python/raises.py"),
        "RUNTIME_ERROR",
        ["ValueError: rows must be odd"],
    ),
    (double("py_endless", "python/endless.py"), "TIMEOUT", ["did not end within"]),
)

TORCH_CASES = (
    (double("torch_right", "torch/double.cu"), "PASSED", []),
    (
        double("torch_wrong_values", "torch/double.cu", edit={"x[i] * 2": "x[i] * 3"}),
        "INCORRECT_NUMERICAL",
        ['output "y"', "expected"],
    ),
    (
        double(
            "torch_syntax_error",
            "torch/double.cu",
            edit={"x.numel());": "x.numel())"},
        ),
        "COMPILE_ERROR",
        ["double.cu", "error"],
    ),
    (
        double("torch_raises", "torch/double.cu", edit={"x.is_cuda()": "!x.is_cuda()"}),
        "RUNTIME_ERROR",
        ["x must be on the GPU"],
    ),
)


class CTest(gpu_testing.BatchTest):
    CASES = C_CASES
    HONEST = double("honest_c", "cuda/honest.cu")


class TvmFfiTest(gpu_testing.BatchTest):
    CASES = TVM_FFI_CASES
    HONEST = double("honest_ffi", "tvm_ffi/double.cu")


class TritonTest(gpu_testing.BatchTest):
    CASES = TRITON_CASES
    HONEST = double("honest_triton", "triton/double.py")


class PythonTest(gpu_testing.BatchTest):
    CASES = PYTHON_CASES
    HONEST = double("honest_py", "python/double.py")


class TorchTest(gpu_testing.BatchTest):
    CASES = TORCH_CASES
    HONEST = double("honest_torch", "torch/double.cu")


for _class in (CTest, TvmFfiTest, TritonTest, PythonTest, TorchTest):
    gpu_testing.add_tests(_class)

if __name__ == "__main__":
    unittest.main()
