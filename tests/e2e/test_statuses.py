"""Every status, reached by a real solution, in C++ and in Python."""

import json
import unittest

import installation
import trace_sets

C = {"language": "cpp", "binding": "c"}
TVM_FFI = {"language": "cpp", "binding": "tvm-ffi"}
RETURNING = {"destination_passing_style": False}

C_HEAD = """#include <dlpack/dlpack.h>
#include <cstdint>
#include <cstdlib>
static int64_t Count(const DLTensor* x) { return x->shape[0] * x->shape[1]; }
extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  const float* in = static_cast<const float*>(x->data);
  float* out = static_cast<float*>(y->data);
"""
C_LOOP = "  for (int64_t i = 0; i < Count(x); ++i) out[i] = in[i] * FACTOR;\n"

# A tvm-ffi function that returns a tensor of its own making.
TVM_RETURNING = """#include <tvm/ffi/tvm_ffi.h>
#include <cstdlib>
struct Allocator {
  void AllocData(DLTensor* tensor) {
    tensor->data = std::calloc(tvm::ffi::GetDataSize(*tensor), 1);
  }
  void FreeData(DLTensor* tensor) { std::free(tensor->data); }
};
tvm::ffi::Tensor Run(tvm::ffi::TensorView x) {
  return tvm::ffi::Tensor::FromNDAlloc(
      Allocator(), tvm::ffi::Shape(SHAPE), DTYPE, DLDevice{kDLCPU, 0});
}
TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, Run);
"""
FLOAT32 = "DLDataType{kDLFloat, 32, 1}"
SAME_SHAPE = "x.shape().begin(), x.shape().end()"

SOLUTIONS = [
    trace_sets.solution(
        "cpp_passed", C_HEAD + C_LOOP.replace("FACTOR", "2") + "  return 0;\n}\n", **C
    ),
    trace_sets.solution(
        "cpp_wrong_values",
        C_HEAD + C_LOOP.replace("FACTOR", "3") + "  return 0;\n}\n",
        **C,
    ),
    trace_sets.solution(
        "cpp_wrong_shape",
        TVM_RETURNING.replace("SHAPE", "{int64_t{8}}").replace("DTYPE", FLOAT32),
        **TVM_FFI,
        **RETURNING,
    ),
    trace_sets.solution(
        "cpp_wrong_dtype",
        TVM_RETURNING.replace("SHAPE", SAME_SHAPE).replace(
            "DTYPE", "DLDataType{kDLFloat, 16, 1}"
        ),
        **TVM_FFI,
        **RETURNING,
    ),
    trace_sets.solution(
        "cpp_crash", C_HEAD + "  *(volatile int*)8 = 1;\n  return 0;\n}\n", **C
    ),
    trace_sets.solution("cpp_error_code", C_HEAD + "  return 42;\n}\n", **C),
    trace_sets.solution(
        "cpp_exception",
        "#include <tvm/ffi/tvm_ffi.h>\n"
        "void Run(tvm::ffi::TensorView x, tvm::ffi::TensorView y) {\n"
        '  TVM_FFI_THROW(ValueError) << "rows must be odd";\n}\n'
        "TVM_FFI_DLL_EXPORT_TYPED_FUNC(run, Run);\n",
        **TVM_FFI,
    ),
    trace_sets.solution("cpp_syntax_error", C_HEAD + "  return 0\n}\n", **C),
    trace_sets.solution(
        "cpp_wrong_signature",
        'extern "C" int run(const float* x, float* y) { return 0; }\n',
        **C,
    ),
    trace_sets.solution("cpp_endless", C_HEAD + "  for (volatile int i = 0;;) i = 0;\n}\n", **C),
    trace_sets.solution("py_passed", "def run(x, y):\n    y.copy_(x * 2)\n"),
    trace_sets.solution(
        "py_passed_returning", "def run(x):\n    return x + x\n", **RETURNING
    ),
    trace_sets.solution("py_wrong_values", "def run(x, y):\n    y.copy_(x * 3)\n"),
    trace_sets.solution(
        "py_wrong_shape", "def run(x):\n    return (x * 2)[:1]\n", **RETURNING
    ),
    trace_sets.solution(
        "py_wrong_dtype", "def run(x):\n    return (x * 2).double()\n", **RETURNING
    ),
    trace_sets.solution(
        "py_crash",
        "import os, signal\n\ndef run(x, y):\n    os.kill(os.getpid(), signal.SIGSEGV)\n",
    ),
    trace_sets.solution(
        "py_exception",
        "def helper(x):\n    raise ValueError('rows must be odd')\n\n"
        "def run(x, y):\n    print('before')\n    helper(x)\n",
    ),
    trace_sets.solution("py_syntax_error", "def run(x, y)\n    pass\n"),
    trace_sets.solution("py_import_error", "import no_such_module\n\ndef run(x, y):\n    pass\n"),
    # Not written as a def: only the worker can see the parameters.
    trace_sets.solution("py_wrong_arity", "run = lambda x: x\n"),
    trace_sets.solution("py_endless", "def run(x, y):\n    while True:\n        pass\n"),
    trace_sets.solution("py_exit", "import os\n\ndef run(x, y):\n    os._exit(0)\n"),
    trace_sets.solution(
        "py_chatty",
        "def run(x, y):\n    y.copy_(x * 2)\n    print('z' * 1000000)\n",
    ),
]

# Solution to status and texts that its log must hold.
EXPECTED = {
    "cpp_passed": ("PASSED", []),
    "cpp_wrong_values": ("INCORRECT_NUMERICAL", ['output "y"', "expected"]),
    "cpp_wrong_shape": ("INCORRECT_SHAPE", ["[8]", "[4, 8]"]),
    "cpp_wrong_dtype": ("INCORRECT_DTYPE", ["float16", "float32"]),
    "cpp_crash": ("RUNTIME_ERROR", ["signal 11"]),
    "cpp_error_code": ("RUNTIME_ERROR", ["42"]),
    "cpp_exception": ("RUNTIME_ERROR", ["rows must be odd"]),
    "cpp_syntax_error": ("COMPILE_ERROR", ["main.cpp:8", "error:"]),
    "cpp_wrong_signature": (
        "COMPILE_ERROR",
        ["int run(const DLTensor* x, DLTensor* y, void* stream)"],
    ),
    "cpp_endless": ("TIMEOUT", ["did not end within"]),
    "py_passed": ("PASSED", []),
    "py_passed_returning": ("PASSED", []),
    "py_wrong_values": ("INCORRECT_NUMERICAL", ['output "y"', "expected"]),
    "py_wrong_shape": ("INCORRECT_SHAPE", ["[1, 8]", "[4, 8]"]),
    "py_wrong_dtype": ("INCORRECT_DTYPE", ["float64", "float32"]),
    "py_crash": ("RUNTIME_ERROR", ["signal 11"]),
    "py_exception": (
        "RUNTIME_ERROR",
        ["Traceback", "main.py", "helper", "ValueError: rows must be odd", "before"],
    ),
    "py_syntax_error": ("COMPILE_ERROR", ["SyntaxError", "main.py", "line 1"]),
    "py_import_error": ("COMPILE_ERROR", ["no_such_module"]),
    "py_wrong_arity": ("COMPILE_ERROR", ["def run(x, y)"]),
    "py_endless": ("TIMEOUT", ["did not end within"]),
    "py_exit": ("RUNTIME_ERROR", ["exit"]),
    "py_chatty": ("PASSED", ["bytes cut"]),
}


class StatusTest(unittest.TestCase):
    """One run of them all, on one worker: none may harm the next."""

    @classmethod
    def setUpClass(cls):
        cls.stack = installation.Stack().__enter__()
        try:
            cls.run_all()
        except BaseException:
            cls.stack.__exit__(None, None, None)
            raise

    @classmethod
    def run_all(cls):
        cls.stack.start_coordinator()
        cls.stack.start_worker()
        folder = trace_sets.write(
            cls.stack.folder / "set",
            workloads=[trace_sets.workload()],
            solutions=SOLUTIONS,
        )
        imported = cls.stack.assay("import", folder)
        assert imported.returncode == 0, imported.stdout + imported.stderr
        cls.traces = {}
        cls.exit_codes = {}
        for item in SOLUTIONS:
            path = folder / "solutions" / "tester" / f"{item['name']}.json"
            process = cls.stack.assay(
                "submit", path, "--watch", "--timeout", "3",
                "--warmup", "1", "--iterations", "3", "--trials", "2",
            )
            cls.exit_codes[item["name"]] = process.returncode
        exported = cls.stack.folder / "exported"
        process = cls.stack.assay("export", exported)
        assert process.returncode == 0, process.stdout + process.stderr
        for path in exported.glob("traces/**/*.jsonl"):
            for line in path.read_text().splitlines():
                trace = json.loads(line)
                cls.traces[trace["solution"]] = trace

    @classmethod
    def tearDownClass(cls):
        cls.stack.__exit__(None, None, None)

    def check_exit_code(self, name, status):
        codes = {
            "PASSED": 0,
            "INCORRECT_NUMERICAL": 1,
            "INCORRECT_SHAPE": 1,
            "INCORRECT_DTYPE": 1,
            "COMPILE_ERROR": 2,
            "RUNTIME_ERROR": 3,
            "TIMEOUT": 4,
        }
        self.assertEqual(self.exit_codes[name], codes[status])

    def check_presence(self, evaluation):
        status = evaluation["status"]
        has_correctness = evaluation.get("correctness") is not None
        has_performance = evaluation.get("performance") is not None
        self.assertEqual(has_correctness, status in ("PASSED", "INCORRECT_NUMERICAL"))
        self.assertEqual(has_performance, status == "PASSED")

    def check(self, name):
        self.assertIn(name, self.traces)
        evaluation = self.traces[name]["evaluation"]
        status, texts = EXPECTED[name]
        self.assertEqual(evaluation["status"], status, evaluation["log"])
        for text in texts:
            self.assertIn(text, evaluation["log"])
        self.check_presence(evaluation)
        self.check_exit_code(name, status)

    def test_exported_trace_has_the_schema_s_fields(self):
        trace = self.traces["cpp_passed"]
        self.assertEqual(
            list(trace), ["definition", "workload", "solution", "evaluation"]
        )
        evaluation = trace["evaluation"]
        wanted = {"status", "environment", "timestamp", "log", "correctness", "performance"}
        self.assertLessEqual(wanted, set(evaluation))
        self.assertLessEqual(set(evaluation) - wanted, {"assay"})
        self.assertEqual(
            {"max_relative_error", "max_absolute_error"},
            set(evaluation["correctness"]) - {"extra"},
        )
        self.assertEqual(
            {"latency_ms", "reference_latency_ms", "speedup_factor"},
            set(evaluation["performance"]),
        )
        performance = evaluation["performance"]
        self.assertGreater(performance["latency_ms"], 0)
        self.assertGreater(performance["reference_latency_ms"], 0)
        self.assertAlmostEqual(
            performance["speedup_factor"],
            performance["reference_latency_ms"] / performance["latency_ms"],
        )
        self.assertEqual({"hardware", "libs"}, set(evaluation["environment"]))
        self.assertIn("torch", evaluation["environment"]["libs"])


def _add(name):
    setattr(StatusTest, f"test_{name}", lambda self: self.check(name))


for _name in EXPECTED:
    _add(_name)

if __name__ == "__main__":
    unittest.main()
