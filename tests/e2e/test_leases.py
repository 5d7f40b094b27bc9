"""Leases over the end of programs: what is stopped, killed and taken out."""

import json
import pathlib
import signal
import sqlite3
import subprocess
import time
import unittest

import installation
import trace_sets

QUICK = ("--warmup", "1", "--iterations", "3", "--trials", "1")
DOUBLE = trace_sets.solution("double_py", "def run(x, y):\n    y.copy_(x * 2)\n")
ENDLESS = trace_sets.solution(
    "endless_py", "def run(x, y):\n    while True:\n        pass\n"
)
# Long enough for the coordinator to be killed while it is measured.
SLOW = trace_sets.solution(
    "slow_py",
    "import time\n\n\ndef run(x, y):\n    time.sleep(0.3)\n    y.copy_(x * 2)\n",
)


class LeaseTest(unittest.TestCase):
    def setUp(self):
        self.stack = self.enterContext(installation.Stack())
        self.stack.start_coordinator("--worker-stop-grace=2s")
        folder = trace_sets.write(
            self.stack.folder / "set",
            workloads=[
                trace_sets.workload("w1", rows=1),
                trace_sets.workload("w2", rows=64),
            ],
        )
        self.run_ok("import", folder)

    def run_ok(self, *arguments):
        process = self.stack.assay(*arguments)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        return process.stdout

    def submit(self, solution, *flags):
        """Returns the id of the submission."""
        file = trace_sets.write_json(
            self.stack.folder / f"{solution['name']}.json", solution
        )
        output = self.stack.assay_json("submit", file, *QUICK, *flags)
        return output["submissions"][0]["id"]

    def jobs(self, submission):
        return self.stack.assay_json("submissions", "get", submission)["jobs"]

    def worker_state(self):
        return self.stack.assay_json("workers", "get", "test-worker")["state"]

    def wait_for(self, condition):
        deadline = time.monotonic() + installation.RUN_SECONDS
        while not condition():
            self.assertLess(time.monotonic(), deadline, "waited too long")
            time.sleep(0.05)

    def wait_until_running(self, submission):
        self.wait_for(lambda: "RUNNING" in json.dumps(self.jobs(submission)))

    def test_worker_told_to_stop_gives_the_job_at_hand_back(self):
        self.stack.start_worker()
        submission = self.submit(ENDLESS, "--timeout", "300")
        self.wait_until_running(submission)
        self.assertEqual(self.stack.worker.stop(), 0)
        for job in self.jobs(submission):
            self.assertEqual(job["state"], "QUEUED", job)
        self.run_ok("cancel", submission)

    def test_second_signal_ends_a_worker_at_once(self):
        self.stack.start_worker()
        submission = self.submit(ENDLESS, "--timeout", "300")
        self.wait_until_running(submission)
        process = self.stack.worker.process
        process.send_signal(signal.SIGTERM)
        self.wait_for(
            lambda: "a second signal" in (self.stack.folder / "worker.log").read_text()
        )
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=60), 128 + signal.SIGTERM)

    def test_second_signal_ends_a_coordinator_at_once(self):
        # It would wait for a writer that others keep waiting.
        log = self.stack.coordinator.log
        other = sqlite3.connect(self.stack.store, isolation_level=None)
        self.addCleanup(other.close)
        other.execute("BEGIN IMMEDIATE")
        waiting = subprocess.Popen(
            [installation.program("assay"), "import", self.stack.folder / "set"]
            + ["--server", self.stack.server],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.addCleanup(waiting.wait)
        self.addCleanup(waiting.kill)
        time.sleep(1)
        process = self.stack.coordinator.process
        process.send_signal(signal.SIGTERM)
        self.wait_for(lambda: "a second signal" in log.read_text())
        process.send_signal(signal.SIGTERM)
        self.assertEqual(process.wait(timeout=60), 128 + signal.SIGTERM)

    def test_results_outlive_the_coordinator_and_then_the_worker(self):
        self.stack.start_worker()
        submission = self.submit(SLOW)
        self.wait_until_running(submission)
        self.stack.coordinator.kill()
        spool = pathlib.Path(installation.cache_folder()) / "spool/worker-test-worker"

        def outcomes():
            # Each names the sandbox that it was made in, once.
            return sum(
                file.read_bytes().count(b"bubblewrap")
                for file in spool.glob("*.reports")
            )

        self.wait_for(lambda: outcomes() >= 2)
        self.stack.worker.kill()
        self.stack.start_coordinator()
        self.stack.start_worker()
        output = self.run_ok("watch", submission)
        self.assertEqual(output.count("PASSED"), 2, output)
        # Nothing was done again.
        self.assertEqual([job["attempt"] for job in self.jobs(submission)], [1, 1])
        self.assertEqual(list(spool.glob("*.reports")), [])

    def test_drained_worker_gets_nothing_until_it_is_undrained(self):
        self.stack.start_worker()
        text = self.run_ok(
            "workers", "drain", "test-worker", "--reason", "new driver"
        )
        self.assertIn("new driver", text)
        self.assertEqual(self.worker_state(), "DRAINED")
        # A restart changes nothing.
        self.stack.coordinator.kill()
        self.stack.start_coordinator()
        submission = self.submit(DOUBLE)
        self.wait_for(
            lambda: "is drained: new driver"
            in self.run_ok("submissions", "get", submission)
        )
        self.run_ok("workers", "undrain", "test-worker")
        output = self.run_ok("watch", submission)
        self.assertEqual(output.count("PASSED"), 2, output)

    def test_quarantined_worker_loses_its_jobs_at_once(self):
        self.stack.start_worker()
        submission = self.submit(ENDLESS, "--timeout", "300")
        self.wait_until_running(submission)
        self.run_ok("workers", "quarantine", "test-worker")
        self.assertEqual(self.worker_state(), "QUARANTINED")
        for job in self.jobs(submission):
            self.assertEqual(job["state"], "QUEUED", job)
        self.run_ok("cancel", submission)
        self.run_ok("workers", "release", "test-worker")
        output = self.run_ok("watch", self.submit(DOUBLE))
        self.assertEqual(output.count("PASSED"), 2, output)

    def test_coordinator_ends_on_a_signal_with_streams_open(self):
        self.stack.start_worker()
        submission = self.submit(ENDLESS, "--timeout", "300")
        self.wait_until_running(submission)
        self.assertEqual(self.stack.coordinator.stop(), 0)
        self.stack.start_coordinator()
        self.run_ok("cancel", submission)
        output = self.run_ok("watch", self.submit(DOUBLE))
        self.assertEqual(output.count("PASSED"), 2, output)


if __name__ == "__main__":
    unittest.main()
