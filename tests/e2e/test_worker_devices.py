"""What a worker says about the devices of this machine."""

import os
import subprocess
import tempfile
import unittest

import installation

HAS_GPU = os.path.exists("/dev/nvidiactl")


def check(*flags):
    """Runs `assay-worker --check` with a cache of its own."""
    with tempfile.TemporaryDirectory(prefix="assay-e2e-") as cache:
        return subprocess.run(
            [
                installation.program("assay-worker"),
                "--check",
                f"--cache={cache}",
                *flags,
            ],
            capture_output=True,
            text=True,
            timeout=installation.START_SECONDS,
            check=False,
        )


class WorkerDevicesTest(unittest.TestCase):
    def test_cpu_worker_says_whether_cuda_is_available(self):
        process = check("--device=cpu")
        self.assertEqual(process.returncode, 0, process.stderr)
        lines = [l for l in process.stdout.splitlines() if l.startswith("cuda ")]
        self.assertEqual(len(lines), 1, process.stdout)
        wanted = "available, with --device=cuda" if HAS_GPU else "not available: "
        self.assertIn(wanted, lines[0])

    def test_gpu_worker_says_in_one_line_why_there_is_no_cuda(self):
        process = check("--device=cuda")
        if HAS_GPU:
            self.assertEqual(process.returncode, 0, process.stderr)
            self.assertIn("device     cuda ", process.stdout)
            return
        self.assertEqual(process.returncode, 1)
        self.assertEqual(process.stdout, "")
        self.assertEqual(len(process.stderr.splitlines()), 1, process.stderr)
        self.assertIn("CUDA is not available: ", process.stderr)

    def test_unknown_device_is_refused_by_name(self):
        process = check("--device=tpu")
        self.assertEqual(process.returncode, 1)
        self.assertIn('unknown device "tpu"', process.stderr)
        self.assertIn("cuda:N", process.stderr)


if __name__ == "__main__":
    unittest.main()
