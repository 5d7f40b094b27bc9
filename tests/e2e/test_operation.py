"""What those who run a coordinator use: health, metrics, backups."""

import unittest
import urllib.error
import urllib.request

import installation
import trace_sets

QUICK = ("--warmup", "1", "--iterations", "3", "--trials", "1")
STORED = {"type": "safetensors", "path": "blob/x.safetensors", "tensor_key": "x"}
DOUBLE = trace_sets.solution("double_py", "def run(x, y):\n    y.copy_(x * 2)\n")


class OperationTest(unittest.TestCase):
    def setUp(self):
        self.stack = self.enterContext(installation.Stack())
        self.stack.start_coordinator("--http=127.0.0.1:0")
        text = self.stack.coordinator.log.read_text()
        self.http = text.split("http on ")[1].split()[0]
        self.folder = trace_sets.write(
            self.stack.folder / "set",
            workloads=[
                trace_sets.workload("w1", rows=1),
                trace_sets.workload("w2", rows=4, inputs={"x": STORED}),
            ],
        )
        trace_sets.write_safetensors(
            self.folder / "blob/x.safetensors", "x", [4, 8], [1.5] * 8
        )
        self.run_ok("import", self.folder)

    def run_ok(self, *arguments):
        process = self.stack.assay(*arguments)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        return process.stdout

    def get(self, path):
        with urllib.request.urlopen(f"http://{self.http}{path}", timeout=60) as answer:
            return answer.read().decode()

    def submit(self):
        solution = trace_sets.write_json(self.stack.folder / "double.json", DOUBLE)
        self.run_ok("submit", solution, "--watch", *QUICK)

    def test_health_and_metrics(self):
        self.stack.start_worker()
        self.submit()
        self.assertEqual(self.get("/healthz"), "ok\n")
        self.assertEqual(self.get("/readyz"), "ok\n")
        metrics = dict(
            line.rsplit(" ", 1)
            for line in self.get("/metrics").splitlines()
            if not line.startswith("#")
        )
        self.assertEqual(metrics['assay_evaluations_total{status="PASSED"}'], "2")
        self.assertEqual(metrics['assay_jobs{state="waiting"}'], "0")
        self.assertEqual(metrics['assay_workers{state="unwell"}'], "0")
        self.assertEqual(
            metrics['assay_evaluation_stage_seconds_count{stage="measure"}'], "2"
        )
        self.assertEqual(metrics["assay_ready"], "1")
        with self.assertRaises(urllib.error.HTTPError) as error:
            self.get("/nothing")
        self.assertEqual(error.exception.code, 404)
        error.exception.close()

    def test_another_coordinator_starts_from_a_backup(self):
        self.stack.start_worker()
        self.submit()
        backup = self.stack.folder / "backup"
        self.assertIn("1 blob, 1 of them new", self.run_ok("admin", "backup", backup))
        # What comes later is in the next one, which copies no blob again.
        self.run_ok("cancel", self.submission_without_a_worker())
        self.assertIn("1 blob, 0 of them new", self.run_ok("admin", "backup", backup))

        before = self.stack.assay_json("traces", "list")["traces"]
        self.stack.coordinator.kill()
        self.stack.store = backup / "assay.db"
        self.stack.start_coordinator()
        after = self.stack.assay_json("traces", "list")["traces"]
        self.assertEqual(
            [trace["id"] for trace in after], [trace["id"] for trace in before]
        )
        submissions = self.stack.assay_json("submissions", "list")["submissions"]
        self.assertEqual(len(submissions), 2)
        # Its blobs are whole: workers of the new one get their inputs.
        solution = trace_sets.write_json(
            self.stack.folder / "again.json", dict(DOUBLE, name="again_py")
        )
        output = self.run_ok("submit", solution, "--watch", *QUICK)
        self.assertEqual(output.count("PASSED"), 2, output)

    def submission_without_a_worker(self):
        self.stack.worker.stop()
        solution = trace_sets.write_json(
            self.stack.folder / "late.json", dict(DOUBLE, name="late_py")
        )
        output = self.stack.assay_json("submit", solution, *QUICK)
        self.stack.start_worker()
        return output["submissions"][0]["id"]


if __name__ == "__main__":
    unittest.main()
