"""`assay run --local`: one command from a folder to a board."""

import json
import os
import shutil
import signal
import subprocess
import tempfile
import time
import unittest

import installation
import trace_sets

QUICK = ("--warmup", "1", "--iterations", "3", "--trials", "1")
GOOD = trace_sets.solution("good", "def run(x, y):\n    y.copy_(x * 2)\n")
WRONG = trace_sets.solution("wrong", "def run(x, y):\n    y.copy_(x * 3)\n")
CUDA = trace_sets.solution(
    "for_cuda", "def run(x, y):\n    pass\n", target_hardware=["cuda"]
)


class LocalRunTest(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(
            tempfile.TemporaryDirectory(prefix="assay-local-")
        )

    def run_set(self, *flags, solutions=(GOOD,), workloads=None):
        folder = trace_sets.write(
            os.path.join(self.folder, "set"),
            workloads=workloads or [trace_sets.workload()],
            solutions=solutions,
        )
        return installation.assay(
            "run", "--local", folder, "--cache", installation.cache_folder(),
            *QUICK, *flags,
        )

    def test_passing_set_ends_with_0_and_a_board(self):
        process = self.run_set()
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        self.assertIn("PASSED", process.stdout)
        self.assertIn("double_n8", process.stdout)
        # No redrawn progress line in a pipe.
        self.assertNotIn("\r", process.stdout + process.stderr)

    def test_failing_solution_decides_the_exit_code_and_is_explained(self):
        process = self.run_set(solutions=(GOOD, WRONG))
        self.assertEqual(process.returncode, 1, process.stdout + process.stderr)
        self.assertIn("INCORRECT_NUMERICAL", process.stdout)
        self.assertIn('output "y"', process.stdout)

    def test_solution_for_absent_hardware_is_listed_and_no_failure(self):
        process = self.run_set(solutions=(GOOD, CUDA))
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        self.assertIn("cuda", process.stdout)
        self.assertIn("not run", process.stdout)

    def test_json_is_one_document_a_line(self):
        process = self.run_set("--json", solutions=(GOOD, CUDA))
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        lines = [json.loads(line) for line in process.stdout.splitlines()]
        statuses = [
            line["event"]["trace"]["trace"]["evaluation"]["status"]
            for line in lines
            if "trace" in line.get("event", {})
        ]
        self.assertEqual(statuses, ["PASSED"])

    def test_kept_store_has_the_results_and_gains_more(self):
        store = os.path.join(self.folder, "kept.db")
        for _ in range(2):
            process = self.run_set("--store", store)
            self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        self.assertTrue(os.path.exists(store))

    def test_output_folder_is_a_trace_set_again(self):
        output = os.path.join(self.folder, "out")
        process = self.run_set("--output", output)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        validated = installation.assay("validate", output)
        self.assertEqual(validated.returncode, 0, validated.stdout)

    def test_interrupt_stops_everything(self):
        endless = trace_sets.solution(
            "endless", "def run(x, y):\n    while True:\n        pass\n"
        )
        folder = trace_sets.write(
            os.path.join(self.folder, "set"),
            workloads=[trace_sets.workload()],
            solutions=[endless],
        )
        process = subprocess.Popen(
            [installation.program("assay"), "run", "--local", folder,
             "--cache", installation.cache_folder(), "--json"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        )
        for line in process.stdout:
            if "CHECK" in line:
                break
        children = self.children(process.pid)
        self.assertGreaterEqual(len(children), 2)
        process.send_signal(signal.SIGINT)
        process.communicate(timeout=60)
        self.assertNotEqual(process.returncode, 0)
        deadline = time.monotonic() + 30
        while any(os.path.exists(f"/proc/{child}") for child in children):
            self.assertLess(time.monotonic(), deadline, "children are left")
            time.sleep(0.05)

    def children(self, pid):
        found = []
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                found += [int(child) for child in file.read().split()]
        return found

    def test_starter_set_is_valid(self):
        process = installation.assay(
            "validate", installation.REPOSITORY / "kernels" / "traceset"
        )
        self.assertEqual(process.returncode, 0, process.stdout)
        self.assertIn("0 errors", process.stdout)

    def test_starter_set_operator_passes_from_a_moved_installation(self):
        moved = os.path.join(self.folder, "elsewhere")
        shutil.copytree(
            os.path.dirname(os.path.dirname(installation.program("assay"))), moved
        )
        process = subprocess.run(
            [os.path.join(moved, "bin", "assay"), "run", "--local",
             os.path.join(moved, "share/assay/traceset"),
             "--definitions", "scale_h4096", "--cache",
             installation.cache_folder(), *QUICK],
            capture_output=True, text=True, check=False,
            timeout=installation.RUN_SECONDS,
        )
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        self.assertIn("scale_h4096_cpp_tvm_ffi", process.stdout)


if __name__ == "__main__":
    unittest.main()
