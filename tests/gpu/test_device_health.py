"""Other processes on the GPU: the worker says so, waits, and goes on."""

import pathlib
import subprocess
import sys
import time
import unittest

import gpu_testing
from gpu_testing import double

# DEVICE SIZE SPARE: takes SIZE bytes of the GPU's memory, or when that is 0 all
# but SPARE, until its input ends.
STRANGER = """
import sys
import torch
device, size, spare = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
torch.empty(0, device=device)
if size == 0:
    size = torch.cuda.mem_get_info(torch.device(device))[0] - spare
held = torch.empty(size, dtype=torch.uint8, device=device)
held.zero_()
torch.cuda.synchronize()
print("ready", flush=True)
sys.stdin.read()
"""
GIB = 1 << 30
# An idle worker looks at its device each time that it asks for work, which a
# coordinator answers within seconds; one that is unwell looks more often.
PATIENCE_SECONDS = 120
PAUSE_SECONDS = 0.2


class Stranger:
    """A process that is none of the worker's and uses its GPU."""

    def __init__(self, size=0, spare=0):
        self.arguments = [torch_device(), str(size), str(spare)]
        self.process = None
        # As the worker names it.
        self.name = None

    def __enter__(self):
        self.process = subprocess.Popen(
            [sys.executable, "-c", STRANGER, *self.arguments],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        if self.process.stdout.readline() != "ready\n":
            self.__exit__()
            raise AssertionError("the other process could not take the memory")
        comm = pathlib.Path(f"/proc/{self.process.pid}/comm").read_text().strip()
        self.name = f"{comm} ({self.process.pid})"
        return self

    def __exit__(self, *exception):
        self.process.communicate()


def torch_device():
    device = gpu_testing.device()
    return device if ":" in device else f"{device}:0"


class DeviceHealthTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.session = gpu_testing.Session().__enter__()
        try:
            cls.session.load()
            cls.session.start_worker()
            cls.pid = cls.session.worker.process.pid
        except BaseException:
            cls.session.__exit__(None, None, None)
            raise

    @classmethod
    def tearDownClass(cls):
        cls.session.__exit__(None, None, None)

    def tearDown(self):
        self.assertEqual(self.session.worker.process.pid, self.pid)
        self.assertIsNone(self.session.worker.process.poll(), self.session.log())

    def wait_until(self, condition, what):
        """What `condition` returns once that is true."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (value := condition()):
            self.assertLess(time.monotonic(), deadline, what + self.session.log())
            time.sleep(PAUSE_SECONDS)
        return value

    def record(self):
        return self.session.assay_json("workers", "get", "test-worker")

    def wait_until_unwell(self):
        """The record of the worker, which has said that it is."""

        def unwell():
            record = self.record()
            return record if record["state"] == "UNWELL" else None

        return self.wait_until(unwell, "the worker is not UNWELL")

    def wait_until_well(self):
        self.wait_until(
            lambda: self.record()["state"] == "IDLE", "the worker is not IDLE"
        )

    def complaints(self):
        """How often the worker found its device unfit for work."""
        return self.session.log().count("the device cannot take work")

    def job(self, submission):
        jobs = self.session.assay_json("submissions", "get", submission)["jobs"]
        self.assertEqual(len(jobs), 1)
        return jobs[0]

    def check_is_queued(self, submission, reason):
        """It stays so while the worker asks for work twice more."""
        before = self.complaints()
        self.wait_until(
            lambda: self.complaints() >= before + 2, "the worker does not look again"
        )
        job = self.job(submission)
        self.assertEqual(job["state"], "QUEUED", job)
        self.assertEqual(job.get("attempt", 0), 0, job)
        self.assertIn('worker "test-worker" fits, but is unwell', job["note"])
        self.assertIn(reason, job["note"])
        self.assertEqual(self.record().get("lease_id", ""), "")

    def check_passes(self, submission, name):
        self.session.watch([submission])
        evaluations = self.session.evaluations()[name]
        self.assertEqual(len(evaluations), 1)
        self.assertEqual(evaluations[0]["status"], "PASSED", evaluations[0]["log"])

    def run_beside(self, stranger, name):
        """Submits while the stranger is there; it must pass once that is gone."""
        self.wait_until_well()
        with stranger:
            reason = self.wait_until_unwell()["unwell_reason"]
            submission = self.session.submit(
                double(name, "cuda/honest.cu"), *gpu_testing.QUICK
            )
            self.check_is_queued(submission, reason)
        self.check_passes(submission, name)
        self.wait_until_well()
        self.assertEqual(self.record().get("unwell_reason", ""), "")
        return reason

    def test_no_work_beside_another_process(self):
        stranger = Stranger(size=GIB)
        reason = self.run_beside(stranger, "beside_another_process")
        self.assertIn(stranger.name, reason)

    def test_no_work_without_memory(self):
        self.run_beside(Stranger(spare=GIB), "without_memory")


if __name__ == "__main__":
    unittest.main()
