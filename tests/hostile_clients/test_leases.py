"""Lease messages that are replayed, forged or out of order."""

import contextlib
import coordinator
import leases
import wire
from leases import ACCEPT, COMPLETED, FAILED, FINISHED, HEARTBEAT, RUN, STAGE
from leases import about, report

REFUSALS = (wire.ABORTED, wire.INVALID_ARGUMENT, wire.PERMISSION_DENIED,
            wire.INTERNAL, wire.FAILED_PRECONDITION)


class LeasesTest(leases.LeaseTest):
    def run_lease(self, *reports, token=None):
        """Sends reports on a stream; returns what came of it."""
        connection = self.connect(token=token or self.worker)
        stream = connection.open(RUN)
        for one in reports:
            connection.send(stream, one)
        return connection, stream

    def assert_stream_refused(self, *reports, token=None, statuses=REFUSALS):
        connection, stream = self.run_lease(*reports, token=token)
        answer = connection.wait(stream)
        self.assertIn(answer.status, statuses, answer)
        self.assertTrue(answer.message, answer)
        connection.close()

    def evaluations(self):
        return self.command("traces", "list", "--json").count('"evaluation"')

    def test_leases_of_others(self):
        lease, jobs = self.acquire()
        job, fence = jobs[0]
        other = self.create_token("worker")
        connection = self.connect(token=other)
        while connection.call(coordinator.INFO, b"").status != wire.OK:
            pass
        self.assert_stream_refused(
            report(lease, 0, ACCEPT),
            report(lease, 1, COMPLETED, about(job, fence, 3, leases.PASSED)),
            report(lease, 2, FINISHED),
            token=other,
            statuses=(wire.PERMISSION_DENIED,),
        )
        self.assertEqual(self.evaluations(), 0)
        # Its own worker goes on.
        connection, stream = self.run_lease(
            report(lease, 0, ACCEPT), report(lease, 1, FINISHED)
        )
        self.assertEqual(connection.wait(stream).status, wire.OK)

    def test_forged_reports(self):
        lease, jobs = self.acquire()
        job, fence = jobs[0]
        accept = report(lease, 0, ACCEPT)
        for reports in (
            # Nothing, something before the accept, leases and sessions that are
            # not there.
            [wire.frame(b"")],
            [report(lease, 1, FINISHED)],
            [report(lease, 0, HEARTBEAT)],
            [report("lea-0", 0, ACCEPT)],
            [report("x" * 100_000, 0, ACCEPT)],
            [report(lease, 0, ACCEPT, session="other")],
            [report(lease, 0, ACCEPT, worker="other")],
            # A change of mind within a stream.
            [accept, report("lea-0", 1, FINISHED)],
            [accept, report(lease, 1, FINISHED, session="other")],
            # Numbers out of order.
            [accept, report(lease, 7, STAGE, about(job, fence, 3, 2))],
            [accept, report(lease, -1, STAGE, about(job, fence, 3, 2))],
            [accept, report(lease, 1 << 62, FINISHED)],
            # Jobs, stages and evaluations that are none.
            [accept, report(lease, 1, STAGE, about("job-0", 1, 3, 2))],
            [accept, report(lease, 1, STAGE, about(job, fence, 3, 99))],
            [accept, report(lease, 1, COMPLETED, about(job, fence))],
            [accept, report(lease, 1, COMPLETED, about(job, fence, 3, b"\x08\x63"))],
        ):
            self.assert_stream_refused(*reports)
        # What gRPC cannot read looks like the end of the stream.
        self.assert_stream_refused(
            accept, wire.frame(b"\xff" * 100), statuses=(wire.CANCELLED,)
        )
        self.assertEqual(self.evaluations(), 0)

    def test_wrong_fences(self):
        lease, jobs = self.acquire()
        job, fence = jobs[0]
        for wrong in (0, fence - 1, fence + 1, -1, 1 << 62):
            connection, stream = self.run_lease(
                report(lease, 0, ACCEPT),
                report(lease, 1, COMPLETED, about(job, wrong, 3, leases.PASSED)),
            )
            # Told to drop the job, or refused; never believed.
            connection.wait(stream, lambda answer: len(answer.messages()) >= 2)
            connection.close()
        self.assertEqual(self.evaluations(), 0)

    def test_replayed_reports(self):
        lease, jobs = self.acquire()
        job, fence = jobs[0]
        failed = report(
            lease, 1, FAILED,
            about(job, fence, 3, wire.field(1, "WORKER_ERROR") + wire.field(2, "x")),
        )
        whole = [report(lease, 0, ACCEPT), failed, report(lease, 2, FINISHED)]
        for _ in range(5):
            connection, stream = self.run_lease(*whole)
            answer = connection.wait(stream)
            self.assertEqual(answer.status, wire.OK, answer)
            connection.close()
        jobs = self.command("submissions", "list", "--json")
        self.assertEqual(jobs.count('"failed": 1'), 1, jobs)
        # The lease is over: nothing can be added to it.
        self.assert_stream_refused(
            report(lease, 0, STAGE, about(job, fence, 3, 2)),
        )

    def test_sessions_that_are_replaced(self):
        lease, _ = self.acquire()
        self.register("w", "s2")
        self.assert_stream_refused(report(lease, 0, ACCEPT))
        answer = self.worker_connection.call(
            leases.ACQUIRE, wire.field(1, "w") + wire.field(2, "s")
        )
        self.assertEqual(answer.status, wire.ABORTED, answer)

    def test_ids_that_are_none(self):
        for worker, session in (("", "s"), ("w", ""), ("a b", "s"),
                                ("x" * 101, "s"), ("w", "é"), ("../w", "s")):
            for method in (leases.REGISTER, leases.ACQUIRE):
                answer = self.worker_connection.call(
                    method, wire.field(1, worker) + wire.field(2, session)
                )
                self.assertEqual(answer.status, wire.INVALID_ARGUMENT, answer)

    def test_heartbeats_without_end_and_without_reading(self):
        lease, _ = self.acquire()
        connection = self.connect(token=self.worker, reading=False, window=0)
        stream = connection.open(RUN)
        connection.send(stream, report(lease, 0, ACCEPT))
        beats = report(lease, 0, HEARTBEAT) * 500
        # What nobody reads is not piled up: one acknowledgement that waits says
        # all that earlier ones said. The coordinator may stop reading, too.
        connection.socket.settimeout(5)
        sent = 0
        with contextlib.suppress(TimeoutError, wire.Closed):
            for _ in range(4_000):
                connection.send(stream, beats)
                sent += len(beats)
        print(f"sent {sent >> 10} KiB of heartbeats", end=" ... ")
        self.look()
