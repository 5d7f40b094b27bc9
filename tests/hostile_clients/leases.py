"""A worker that speaks by hand, and jobs for it to take."""

import os
import subprocess

import coordinator
import installation
import trace_sets
import wire

REGISTER = "/assay.v1.WorkerService/RegisterWorker"
ACQUIRE = "/assay.v1.WorkerService/AcquireLease"
RUN = "/assay.v1.WorkerService/RunLease"

# Fields of LeaseReport.
ACCEPT, HEARTBEAT, STAGE, COMPLETED, FAILED, FINISHED = 5, 6, 7, 8, 9, 10

PASSED = (
    wire.field(1, 1)  # status
    + wire.field(3, wire.field(1, 0))  # correctness
)


class LeaseTest(coordinator.HostileTest):
    """Jobs are queued, and a worker of the token `worker` is registered."""

    workloads = 8

    def setUp(self):
        super().setUp()
        folder = trace_sets.write(
            self.stack.folder / "set",
            workloads=[
                trace_sets.workload(f"double-{i}", rows=i + 1)
                for i in range(self.workloads)
            ],
            solutions=[
                trace_sets.solution(
                    "double",
                    "def run(x):\n    return x + x\n",
                    destination_passing_style=False,
                )
            ],
        )
        self.command("import", folder)
        self.submission = self.submit()
        self.worker = self.create_token("worker")
        self.worker_connection = self.connect(token=self.worker)
        self.await_token()
        self.register("w", "s")

    def command(self, *arguments):
        process = subprocess.run(
            [installation.program("assay"), *map(str, arguments)],
            env={**os.environ, "ASSAY_TOKEN": self.admin,
                 "ASSAY_SERVER": self.server},
            capture_output=True,
            text=True,
            check=False,
        )
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
        return process.stdout

    def submit(self):
        out = self.command("submit", "double", "--all", "--json")
        return out

    def await_token(self):
        while self.worker_connection.call(coordinator.INFO, b"").status != wire.OK:
            pass

    def register(self, worker, session):
        device = (
            wire.field(1, "cpu") + wire.field(2, "TEST") + wire.field(4, "x86_64")
            + wire.field(5, 1 << 30) + wire.field(7, 1)
        )
        answer = self.worker_connection.call(
            REGISTER,
            wire.field(1, worker) + wire.field(2, session) + wire.field(3, "0")
            + wire.field(4, device),
        )
        self.assertEqual(answer.status, wire.OK, answer)

    def acquire(self, worker="w", session="s", jobs=1):
        """(lease id, [(job id, fence)])"""
        answer = self.worker_connection.call(
            ACQUIRE,
            wire.field(1, worker) + wire.field(2, session) + wire.field(4, jobs),
        )
        self.assertEqual(answer.status, wire.OK, answer)
        lease = wire.first(answer.messages()[0], 1)
        self.assertTrue(lease)
        return wire.first(lease, 1).decode(), [
            (wire.first(value, 1).decode(), wire.first(value, 2, 0))
            for key, value in wire.fields(lease)
            if key == 7
        ]


def report(lease, number, kind, body=b"", worker="w", session="s"):
    return wire.frame(
        wire.field(1, lease) + wire.field(2, worker) + wire.field(3, session)
        + wire.field(4, number) + wire.field(kind, body)
    )


def about(job, fence, number=None, value=None):
    body = wire.field(1, job) + wire.field(2, fence)
    return body if number is None else body + wire.field(number, value)
