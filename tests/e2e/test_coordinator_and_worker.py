"""Coordinator and worker as two programs: work survives the end of either."""

import json
import os
import time
import unittest

import installation
import trace_sets

QUICK = ("--warmup", "1", "--iterations", "3", "--trials", "1")
DOUBLE = trace_sets.solution("double_py", "def run(x, y):\n    y.copy_(x * 2)\n")
ENDLESS = trace_sets.solution(
    "endless_py", "def run(x, y):\n    while True:\n        pass\n"
)


class TwoProcessTest(unittest.TestCase):
    def setUp(self):
        self.stack = self.enterContext(installation.Stack())
        self.stack.start_coordinator()
        self.folder = trace_sets.write(
            self.stack.folder / "set",
            workloads=[
                trace_sets.workload("w1", rows=1),
                trace_sets.workload("w2", rows=64),
            ],
        )
        self.run_ok("import", self.folder)

    def run_ok(self, *arguments):
        process = self.stack.assay(*arguments)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        return process.stdout

    def solution_file(self, solution):
        return trace_sets.write_json(
            self.stack.folder / f"{solution['name']}.json", solution
        )

    def submit(self, solution, *flags):
        """Returns the id of the submission."""
        output = self.stack.assay_json(
            "submit", self.solution_file(solution), *QUICK, *flags
        )
        submissions = output["submissions"]
        self.assertEqual(len(submissions), 1)
        return submissions[0]["id"]

    def submission(self, submission_id):
        return self.stack.assay_json("submissions", "get", submission_id)

    def wait_for(self, condition):
        deadline = time.monotonic() + installation.RUN_SECONDS
        while not condition():
            self.assertLess(time.monotonic(), deadline, "waited too long")
            time.sleep(0.05)

    def traces(self):
        return self.stack.assay_json("traces", "list")["traces"]

    def test_submit_and_watch_prints_each_evaluation_and_the_board_ranks_it(self):
        self.stack.start_worker()
        output = self.run_ok("submit", self.solution_file(DOUBLE), "--watch", *QUICK)
        self.assertEqual(output.count("PASSED"), 2, output)
        board = self.run_ok("leaderboard", "double_n8")
        self.assertIn("double_py", board)
        workers = self.run_ok("workers", "list")
        self.assertIn("test-worker", workers)

    def test_work_queued_without_a_worker_says_so_and_is_done_when_one_comes(self):
        submission = self.submit(DOUBLE)
        watching = self.run_ok("submissions", "get", submission)
        self.assertIn("no ", watching)
        self.stack.start_worker()
        output = self.run_ok("watch", submission)
        self.assertEqual(output.count("PASSED"), 2, output)

    def test_killed_coordinator_keeps_queued_and_finished_work(self):
        self.stack.start_worker()
        self.run_ok("submit", self.solution_file(DOUBLE), "--watch", *QUICK)
        self.assertEqual(self.stack.worker.stop(), 0)
        queued = self.submit(DOUBLE)
        self.stack.coordinator.kill()
        self.stack.start_coordinator()
        self.assertEqual(len(self.traces()), 2)
        self.stack.start_worker()
        self.run_ok("watch", queued)
        self.assertEqual(len(self.traces()), 4)

    def test_worker_outlives_a_coordinator_that_is_killed(self):
        self.stack.start_worker()
        self.stack.coordinator.kill()
        self.stack.start_coordinator()
        output = self.run_ok("submit", self.solution_file(DOUBLE), "--watch", *QUICK)
        self.assertEqual(output.count("PASSED"), 2, output)

    def test_jobs_of_a_killed_worker_are_done_by_the_next(self):
        self.stack.start_worker()
        submission = self.submit(ENDLESS, "--timeout", "60")
        self.wait_for(lambda: "RUNNING" in json.dumps(self.submission(submission)))
        self.stack.worker.kill()
        # The same worker comes back: its old leases are void at once.
        self.stack.start_worker()
        cancelled = self.stack.assay("cancel", submission)
        self.assertEqual(cancelled.returncode, 0, cancelled.stderr)
        # The first to run is the cancelled one's successor: the device is free.
        output = self.run_ok("submit", self.solution_file(DOUBLE), "--watch", *QUICK)
        self.assertEqual(output.count("PASSED"), 2, output)

    def test_cancel_stops_a_running_job(self):
        self.stack.start_worker()
        submission = self.submit(ENDLESS, "--timeout", "300")
        self.wait_for(lambda: "RUNNING" in json.dumps(self.submission(submission)))
        self.run_ok("cancel", submission)
        output = self.run_ok("submit", self.solution_file(DOUBLE), "--watch", *QUICK)
        self.assertEqual(output.count("PASSED"), 2, output)
        self.assertEqual({t["trace"]["solution"] for t in self.traces()}, {"double_py"})

    def test_worker_stops_cleanly_and_leaves_no_processes(self):
        self.stack.start_worker()
        self.run_ok("submit", self.solution_file(DOUBLE), "--watch", *QUICK)
        children = self.descendants(self.stack.worker.process.pid)
        self.assertGreater(len(children), 0)
        self.assertEqual(self.stack.worker.stop(), 0)
        self.wait_for(lambda: not any(os.path.exists(f"/proc/{p}") for p in children))
        self.assertEqual(self.stack.coordinator.stop(), 0)

    def descendants(self, pid):
        found = []
        for task in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{task}/children", encoding="ascii") as file:
                for child in file.read().split():
                    found.append(int(child))
                    found += self.descendants(child)
        return found

    def test_raising_reference_is_no_verdict_about_the_solution(self):
        broken = dict(
            trace_sets.DOUBLE,
            name="broken_n8",
            reference="def run(x):\n    raise RuntimeError('reference is broken')\n",
        )
        folder = trace_sets.write(
            self.stack.folder / "broken",
            definitions=[broken],
            workloads=[trace_sets.workload("b1", definition="broken_n8")],
        )
        self.run_ok("import", folder)
        self.stack.start_worker()
        solution = trace_sets.solution(
            "double_broken", "def run(x, y):\n    y.copy_(x * 2)\n", "broken_n8"
        )
        process = self.stack.assay(
            "submit", self.solution_file(solution), "--watch", *QUICK
        )
        self.assertEqual(process.returncode, 5)
        self.assertIn("REFERENCE_FAILED", process.stdout)
        self.assertIn("reference is broken", process.stdout + process.stderr)
        self.assertEqual(self.traces(), [])


if __name__ == "__main__":
    unittest.main()
