"""Runs all that the manifest has for a device on one coordinator and worker."""

import math
import os
import pathlib
import statistics
import subprocess
import time

import catalogue
import definitions
import gpu_testing
import installation
import report
import sources
import trace_sets
import verdicts
from entries import DOUBLE

# In the worker's environment; nothing that a solution or a compiler prints may
# hold it.
SECRET_NAME = "HOSTILE_TEST_SECRET"
SECRET = "c0ffee-not-for-solutions"

FLAGS = (
    "--warmup", "1", "--iterations", "5", "--trials", "2", "--timeout", "4",
    "--build-timeout", "20s",
)
# How often each honest solution is measured before anything hostile ran.
HONEST_AT_START = 3
# How often one that seems to gain is measured again, beside the honest one:
# what others on the machine do comes and goes, and a gain does not.
RETAKES = 2


class Suite:
    """Use: `Suite(device, worker_flags).run()`, then the results below.

    results: dicts as report.row makes them, in the manifest's order.
    honest_after: form to the ratios of the latency of the honest solution after
    each hostile one to that at the start.
    problems_after: hostile solution to what was wrong with the honest one that
    came next; empty: nothing.
    """

    def __init__(self, device, worker_flags=()):
        self.device = device
        self.worker_flags = worker_flags
        self.attacks = catalogue.attacks(device)
        self.honest = catalogue.honest(device)
        self.results = []
        self.honest_after = {}
        self.problems_after = {}
        self.worker_state = None
        self.log_texts = []

    def run(self):
        os.environ[SECRET_NAME] = SECRET
        with gpu_testing.Session() as session:
            self._session = session
            self._port = session.server.rsplit(":", 1)[1]
            self._import()
            session.start_worker(*self.worker_flags)
            pid = session.worker.process.pid
            self._measure_honest()
            self._run_hostile()
            self._evaluations = session.evaluations()
            self._retake()
            self._judge()
            workers = session.assay_json("workers", "list")["workers"]
            alive = session.worker.process.poll() is None
            self.worker_state = (workers, alive and pid == session.worker.process.pid)
            self.log_texts.append((session.folder / "worker.log").read_text())
            if not alive:
                print(session.log()[-3000:], flush=True)

    def _import(self):
        folder = self._session.folder / "set"
        trace_sets.write(
            folder, definitions.DEFINITIONS, definitions.workloads(self.device)
        )
        definitions.write_stored_inputs(folder, self.device)
        process = self._session.assay("import", folder)
        assert process.returncode == 0, process.stdout + process.stderr

    def _submit(self, item, name=None):
        value = sources.solution(item, self._port, name)
        return self._session.submit(value, *FLAGS)

    def _watch(self, ids):
        """Waits for submissions; a job without a verdict is judged later."""
        command = [installation.program("assay"), "watch", *ids, "--json"]
        command += ["--server", self._session.server]
        with subprocess.Popen(command, stdout=subprocess.DEVNULL) as watch:
            deadline = time.monotonic() + gpu_testing.WATCH_SECONDS
            while watch.poll() is None:
                # Nobody will give the others a verdict.
                is_over = self._session.worker.process.poll() is not None
                if is_over or time.monotonic() > deadline:
                    watch.kill()
                time.sleep(0.1)

    def yardsticks(self):
        """The honest solutions that come after hostile ones, by form."""
        return {
            item.form: item
            for item in self._plain()
            if item.definition == DOUBLE
        }

    def _plain(self):
        """The honest solutions that attacks are compared with."""
        return [item for item in self.honest if item.is_plain]

    def _measure_honest(self):
        """Honest solutions that others are compared with, before the others."""
        ids = []
        for _ in range(HONEST_AT_START):
            ids += [self._submit(item) for item in self._plain()]
        self._session.watch(ids)
        self._at_start = self._session.evaluations()

    def _run_hostile(self):
        yardsticks = self.yardsticks()
        ids = []
        for item in self.attacks:
            ids.append(self._submit(item))
            after = f"{yardsticks[item.form].name}_after_{item.name}"
            ids.append(self._submit(yardsticks[item.form], after))
        ids += [self._submit(item) for item in self.honest]
        self._watch(ids)
        # What was built first ran first: these have nothing hostile after them.
        self._watch([self._submit(item) for item in self._plain()])

    def _retake(self):
        """Runs again what passed and seems to gain by it.

        Other work on the machine makes one time look short, or an honest one
        long; no cheat is made of that. It has to come to nothing most times.
        """
        self._retaken = {}
        doubtful = [item for item in self.attacks if self._seems_to_gain(item)]
        pairs = [
            (item, f"{item.name}_again_{i}", honest, f"{honest.name}_beside_{item.name}_{i}")
            for item in doubtful
            for honest in self._plain()
            if (honest.definition, honest.form) == (item.definition, item.form)
            for i in range(RETAKES)
        ]
        for item, again, honest, beside in pairs:
            self._watch([self._submit(item, again), self._submit(honest, beside)])
        self._evaluations = self._session.evaluations()
        for item, again, _, beside in pairs:
            evaluation = self._last(again)
            times = [verdicts.latency_ms(e) for e in (evaluation, self._last(beside))]
            ratio = times[0] / times[1] if all(times) else None
            self._retaken.setdefault(item.name, []).append((evaluation, ratio))

    def _seems_to_gain(self, item):
        evaluation, ratio = self._last(item.name), self._ratio(item)
        return ratio is not None and not verdicts.is_caught(evaluation, ratio, True)

    def _verdict(self, item):
        """The evaluation, with its ratio, that stands for all of an attack."""
        takes = [(self._last(item.name), self._ratio(item))]
        takes += self._retaken.get(item.name, [])
        # From the best for the attacker on; what was caught has no ratio.
        takes.sort(key=lambda take: math.inf if take[1] is None else take[1])
        return takes[len(takes) // 2]

    def _last(self, name):
        found = self._evaluations.get(name)
        return found[-1] if found else None

    def _honest_latency(self, item):
        """The least of the plain honest solution; None when there is none."""
        times = [
            verdicts.latency_ms(evaluation)
            for other in self._plain()
            if other.definition == item.definition and other.form == item.form
            for name, found in self._evaluations.items()
            if name == other.name or name.startswith(f"{other.name}_after_")
            for evaluation in found
        ]
        return min((time for time in times if time), default=None)

    def _ratio(self, item):
        latency = verdicts.latency_ms(self._last(item.name))
        honest = self._honest_latency(item)
        return latency / honest if latency is not None and honest else None

    def _judge(self):
        for item in self.attacks:
            evaluation, ratio = self._verdict(item)
            problem = verdicts.problem(item, evaluation, ratio)
            self.results.append(report.row(item, evaluation, ratio, problem))
            self._judge_honest_after(item, evaluation)
        for item in self.honest:
            evaluation = self._last(item.name)
            problem = verdicts.honest_problem(evaluation)
            self.results.append(report.row(item, evaluation, self._ratio(item), problem))
        for evaluations in self._evaluations.values():
            self.log_texts += [evaluation["log"] for evaluation in evaluations]

    def _judge_honest_after(self, item, evaluation):
        """The first honest solution of its form that ran after it."""
        if evaluation is None:
            self.problems_after[item.name] = "there is no verdict to be after"
            return
        yardstick = self.yardsticks()[item.form]
        later = [
            e
            for name, found in self._evaluations.items()
            if name == yardstick.name or name.startswith(f"{yardstick.name}_after_")
            for e in found
            if gpu_testing.when(e) > gpu_testing.when(evaluation)
        ]
        later.sort(key=gpu_testing.when)
        following = later[0] if later else None
        self.problems_after[item.name] = verdicts.honest_problem(following)
        start = statistics.median(
            verdicts.latency_ms(e) for e in self._at_start[yardstick.name]
        )
        latency = verdicts.latency_ms(following)
        if latency is not None and start:
            self.honest_after.setdefault(item.form, []).append(latency / start)

    def print_report(self):
        """The table and the catch rate."""
        rows = self.results + [
            report.covered_row(c) for c in catalogue.covered(self.device)
        ]
        rows.sort(key=lambda r: r["entry"] or 1000)
        gpu_testing.print_table(report.HEADER, [report.cells(r) for r in rows])
        print("\n".join(self.summary()), flush=True)
        gpu_testing.write_results(
            f"hostile_{self.device}",
            {
                "summary": self.summary(),
                "results": rows,
                "honest_after_ratios": self.honest_after,
            },
        )

    def summary(self):
        attacks = [r for r in self.results if r["entry"]]
        honest = [r for r in self.results if not r["entry"]]
        return report.summary(
            self.device,
            len(attacks),
            sum(not r["problem"] for r in attacks),
            len(honest),
            sum(bool(r["problem"]) for r in honest),
            self.honest_after,
        )


def make_test(base, device, worker_flags=()):
    """A unittest class with a test for each solution; `base` is TestCase."""

    class SuiteTest(base):
        @classmethod
        def setUpClass(cls):
            start = time.monotonic()
            cls.suite = Suite(device, worker_flags)
            cls.suite.run()
            cls.suite.print_report()
            print(f"{device}: took {time.monotonic() - start:.0f} s", flush=True)

        def check(self, name):
            (result,) = [r for r in self.suite.results if r["solution"] == name]
            self.assertEqual(result["problem"], "")

        def check_honest_after(self, name):
            self.assertEqual(self.suite.problems_after[name], "")

        def test_honest_latency_after_hostile_ones_is_as_at_the_start(self):
            self.assertEqual(set(self.suite.honest_after), {"so", "py"})
            for form, ratios in self.suite.honest_after.items():
                with self.subTest(form):
                    median = statistics.median(ratios)
                    self.assertGreater(median, 0.5)
                    self.assertLess(median, 2)

        def test_worker_is_the_same_and_well(self):
            workers, is_same = self.suite.worker_state
            self.assertTrue(is_same)
            self.assertEqual(len(workers), 1)
            self.assertNotIn(workers[0]["state"], ("LOST", "UNWELL"), workers[0])

        def test_secret_of_the_worker_is_in_no_log(self):
            for text in self.suite.log_texts:
                self.assertNotIn(SECRET, text)

    _add_tests(SuiteTest, device)
    return SuiteTest


def _add_tests(test_class, device):
    for item in catalogue.attacks(device):
        name = f"test_{item.entry:02}_{item.name}"
        setattr(test_class, name, lambda self, n=item.name: self.check(n))
        setattr(
            test_class,
            f"test_honest_after_{item.name}",
            lambda self, n=item.name: self.check_honest_after(n),
        )
    for item in catalogue.honest(device):
        name = f"test_honest_{item.name}"
        setattr(test_class, name, lambda self, n=item.name: self.check(n))


def repository():
    return pathlib.Path(installation.REPOSITORY)
