"""Calls with wrong tokens, or none."""

import time

import coordinator
import installation
import wire

CREATE = "/assay.v1.EvaluationService/CreateSubmission"
REGISTER = "/assay.v1.WorkerService/RegisterWorker"
WATCH = "/assay.v1.EvaluationService/WatchSubmissions"
ACQUIRE = "/assay.v1.WorkerService/AcquireLease"
REVOKE = "/assay.v1.TokenService/RevokeToken"


class TokensTest(coordinator.HostileTest):
    def test_wrong_tokens(self):
        identity, secret = self.admin.split(".")
        with wire.Connection(self.server) as connection:
            for token in (
                None,
                "x",
                secret,
                identity + ".",
                f"{identity}.{'0' * 64}",
                f"tok-{'0' * 24}.{secret}",
                self.admin + "0",
                self.admin.upper(),
            ):
                answer = connection.call(coordinator.INFO, b"", token=token)
                self.assert_refused(answer, wire.UNAUTHENTICATED)
                self.assertNotIn(secret, answer.message)
            self.assertEqual(
                connection.call(coordinator.INFO, b"", token=self.admin).status,
                wire.OK,
            )

    def test_token_in_other_places(self):
        with wire.Connection(self.server) as connection:
            for headers in (
                [("token", self.admin)],
                [("cookie", f"token={self.admin}")],
                [("authorization", self.admin)],
                [("authorization", f"Basic {self.admin}")],
                # Two of them: which one was checked?
                [("authorization", "Bearer x"),
                 ("authorization", f"Bearer {self.admin}")],
            ):
                answer = connection.call(coordinator.INFO, b"", headers)
                self.assert_refused(answer, wire.UNAUTHENTICATED)
            answer = connection.call(f"{coordinator.INFO}?token={self.admin}", b"")
            self.assertNotEqual(answer.status, wire.OK)

    def test_roles(self):
        submit = self.create_token("submit")
        worker = self.create_token("worker")
        self.await_token(worker)
        with wire.Connection(self.server) as connection:
            for token, method, role in (
                (submit, REGISTER, "worker"),
                (submit, REVOKE, "admin"),
                (worker, CREATE, "submit"),
                (worker, REVOKE, "admin"),
            ):
                answer = connection.call(method, b"", token=token)
                self.assert_refused(
                    answer, wire.PERMISSION_DENIED, f'role "{role}"'
                )

    def await_token(self, token):
        """It is noticed after a while that the store has one more."""
        with wire.Connection(self.server) as connection:
            while connection.call(coordinator.INFO, b"", token=token).status:
                time.sleep(0.1)

    def test_guesses(self):
        with wire.Connection(self.server) as connection:
            for guess in range(coordinator.count(2_000, 20_000)):
                token = f"{self.admin.split('.')[0]}.{guess:064x}"
                answer = connection.call(coordinator.INFO, b"", token=token)
                self.assert_refused(answer, wire.UNAUTHENTICATED)

    def test_revoked_token_ends_its_streams(self):
        worker = self.create_token("worker")
        self.await_token(worker)
        device = wire.field(1, "cpu") + wire.field(2, "TEST")
        session = wire.field(1, "w") + wire.field(2, "s")
        with self.connect(token=worker) as connection:
            answer = connection.call(REGISTER, session + wire.field(4, device))
            self.assertEqual(answer.status, wire.OK, answer)
            parked = connection.open(ACQUIRE)
            connection.send(parked, wire.frame(session), end=True)
            with self.connect() as admin:
                answer = admin.call(REVOKE, wire.field(1, worker.split(".")[0]))
                self.assertEqual(answer.status, wire.OK, answer)
            # Long before its poll would have ended without a lease.
            self.assert_refused(
                connection.wait(parked), wire.UNAUTHENTICATED, "revoked"
            )
            answer = connection.call(REGISTER, session)
            self.assert_refused(answer, wire.UNAUTHENTICATED, "revoked")

    def test_logs_hold_no_secret(self):
        submit = self.create_token("submit")
        self.await_token(submit)
        with wire.Connection(self.server) as connection:
            connection.call(REGISTER, b"", token=submit)
            connection.call(coordinator.INFO, b"", token=submit + "0")
        log = (self.stack.folder / "coordinator.log").read_text()
        for token in (submit, self.admin):
            self.assertNotIn(token.split(".")[1], log)
        store = self.stack.store.read_bytes()
        wal = self.stack.store.with_name(self.stack.store.name + "-wal")
        store += wal.read_bytes() if wal.exists() else b""
        self.assertIn(submit.split(".")[0].encode(), store)
        self.assertNotIn(submit.split(".")[1].encode(), store)

    def test_token_file_that_others_can_read(self):
        path = self.stack.folder / "token"
        path.write_text(self.admin)
        path.chmod(0o644)
        process = installation.assay(
            "info", f"--token-file={path}", server=self.server
        )
        self.assertEqual(process.returncode, 65)
        self.assertIn("chmod 600", process.stderr)
        path.chmod(0o600)
        process = installation.assay(
            "tokens", "list", f"--token-file={path}", server=self.server
        )
        self.assertEqual(process.returncode, 0, process.stderr)
        self.assertIn(self.admin.split(".")[0], process.stdout)
        self.assertNotIn(self.admin.split(".")[1], process.stdout)
