"""The GoogleTest programs and benchmarks that came along in the package."""

import json
import re
import subprocess
import sys
import unittest

import gpu_testing
import installation

TESTS = ("measure_gpu_test", "runner_gpu_test")
BENCHMARKS = ("measure_gpu_benchmark",)
EXPECTED = (*TESTS, *BENCHMARKS, "cupti_reference")
SECONDS = 300

# Of the memory's peak, when the tensors are equal or nearly so, as those of
# right solutions are.
LEAST_SHARE = 0.70
FAST_COMPARISONS = (
    "float64",
    "float32",
    "float16",
    "bfloat16",
    "int64",
    "int32",
)
FAST_CONTENTS = ("equal", "last bit of one in 10")


def run_program(name, *arguments):
    """What a program of the package prints; it must succeed."""
    path = installation.test_programs() / name
    process = subprocess.run(
        [path, *arguments], capture_output=True, text=True, timeout=SECONDS, check=False
    )
    sys.stdout.write(process.stdout[-20000:])
    assert process.returncode == 0, process.stdout + process.stderr
    return process.stdout


class ProgramTest(unittest.TestCase):
    def test_package_has_these_programs_and_no_others(self):
        found = sorted(path.name for path in installation.test_programs().iterdir())
        self.assertEqual(found, sorted(EXPECTED))

    def test_unit_tests_pass_and_skip_nothing(self):
        for name in TESTS:
            with self.subTest(name):
                output = run_program(name)
                ran = re.search(r"^\[={10}\] (\d+) tests? .* ran\.", output, re.M)
                passed = re.search(r"^\[  PASSED  \] (\d+) tests?\.", output, re.M)
                self.assertTrue(ran and passed, "no summary of GoogleTest")
                self.assertGreater(int(ran[1]), 0)
                self.assertEqual(int(passed[1]), int(ran[1]))
                self.assertNotIn("SKIPPED", output)
                self.assertNotIn("DISABLED", output)


class MeasureBenchmark(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.report = json.loads(run_program("measure_gpu_benchmark"))
        gpu_testing.write_results("measure", cls.report)

    def test_comparing_is_as_fast_as_the_memory(self):
        shares = {
            (entry["type"], entry["content"]): entry["share_of_peak"]
            for entry in self.report["measurements"]
            if entry["what"] == "compare"
        }
        for dtype in FAST_COMPARISONS:
            for content in FAST_CONTENTS:
                with self.subTest(dtype=dtype, content=content):
                    self.assertGreaterEqual(shares[dtype, content], LEAST_SHARE)


if __name__ == "__main__":
    unittest.main()
