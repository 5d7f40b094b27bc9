"""The GoogleTest programs and benchmarks that came along in the package."""

import subprocess
import sys
import unittest

import installation

# The ones that a package with GPU tests has at least.
EXPECTED = ("measure_gpu_test", "measure_gpu_benchmark", "cupti_reference")
SECONDS = 300


class ProgramTest(unittest.TestCase):
    def test_package_has_the_test_programs(self):
        for name in EXPECTED:
            self.assertTrue((installation.test_programs() / name).is_file(), name)

    def run_program(self, path):
        process = subprocess.run(
            [path], capture_output=True, text=True, timeout=SECONDS, check=False
        )
        sys.stdout.write(process.stdout[-20000:])
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        return process.stdout

    def programs(self, pattern):
        found = sorted(installation.test_programs().glob(pattern))
        self.assertTrue(found, f"the package has no {pattern}")
        return found

    def test_unit_tests_pass_and_skip_nothing(self):
        for path in self.programs("*_gpu_test"):
            with self.subTest(path.name):
                output = self.run_program(path)
                self.assertIn("PASSED", output)
                self.assertNotIn("SKIPPED", output)

    def test_benchmarks_run(self):
        for path in self.programs("*_gpu_benchmark"):
            with self.subTest(path.name):
                self.run_program(path)


if __name__ == "__main__":
    unittest.main()
