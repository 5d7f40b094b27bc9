"""What the GPU tests share: a worker that stays, and batches of solutions."""

import datetime
import json
import os
import pathlib
import tempfile
import unittest

import installation
import trace_sets

SOLUTIONS = pathlib.Path(__file__).resolve().parent / "solutions"
WATCH_SECONDS = 580
QUICK = ("--warmup", "1", "--iterations", "5", "--trials", "2")

DOUBLE = {
    "name": "double_n1024",
    "op_type": "elementwise",
    "axes": {"rows": {"type": "var"}, "n": {"type": "const", "value": 1024}},
    "inputs": {"x": {"shape": ["rows", "n"], "dtype": "float32"}},
    "outputs": {"y": {"shape": ["rows", "n"], "dtype": "float32"}},
    "reference": "def run(x):\n    return x * 2\n",
}

_device = "cuda"
_results = None


def set_device(device):
    global _device
    _device = device


def device():
    """As torch names it, too."""
    return _device


def set_results(folder):
    """Where write_results puts files; None: nowhere."""
    global _results
    _results = folder


def hardware():
    """The word of target_hardware for the device under test."""
    return _device.split(":")[0]


def write_results(name, value):
    """Keeps what a benchmark measured as NAME.json."""
    if _results is None:
        return
    _results.mkdir(parents=True, exist_ok=True)
    (_results / f"{name}.json").write_text(json.dumps(value, indent=1) + "\n")


def nvcc():
    """The compiler that a worker uses, too."""
    for variable in ("CUDA_HOME", "CUDA_PATH"):
        if variable in os.environ:
            return os.path.join(os.environ[variable], "bin", "nvcc")
    return "/usr/local/cuda/bin/nvcc"


def specs(traceset):
    """Solution to its spec, of a trace set with unpacked solutions."""
    found = {}
    for path in pathlib.Path(traceset).glob("solutions/**/solution.json"):
        value = json.loads(path.read_text())
        found[value["name"]] = value["spec"]
    return found


def print_table(header, rows):
    """Rows of texts in aligned columns, as Markdown has it."""
    rows = [[str(cell) for cell in row] for row in [header, *rows]]
    widths = [max(map(len, column)) for column in zip(*rows)]
    lines = [
        "| " + " | ".join(c.rjust(w) for c, w in zip(row, widths)) + " |"
        for row in rows
    ]
    lines.insert(1, "|" + "|".join("-" * (w + 1) + ":" for w in widths) + "|")
    print("\n" + "\n".join(lines), flush=True)


def solution(name, file, definition="double_n1024", edit=None, **spec):
    """A solution whose main file is `file` below solutions/.

    Headers in the folder of the file come with it. `edit` maps texts in the main
    file to others.
    """
    path = SOLUTIONS / file
    text = path.read_text()
    for old, new in (edit or {}).items():
        assert old in text, f'{file} has no "{old}"'
        text = text.replace(old, new)
    sources = {path.name: text}
    for header in sorted(path.parent.glob("*.cuh")):
        if path.suffix == ".cu":
            sources[header.name] = header.read_text()
    spec.setdefault("language", "cuda" if path.suffix == ".cu" else "python")
    spec.setdefault("target_hardware", [hardware()])
    spec.setdefault("entry_point", f"{path.name}::run")
    return trace_sets.solution(name, sources, definition=definition, **spec)


def double(name, file, **spec):
    """A solution of DOUBLE in the language and binding of its folder."""
    folder = file.split("/")[0]
    spec = {
        "cuda": {"language": "cuda", "binding": "c"},
        "tvm_ffi": {"language": "cuda", "binding": "tvm-ffi"},
        "torch": {"language": "cuda", "binding": "torch"},
        "triton": {"language": "triton"},
        "python": {"language": "python"},
    }[folder] | spec
    return solution(name, file, **spec)


class Session(installation.Stack):
    """A coordinator, and a worker that is never started again."""

    def __enter__(self):
        super().__enter__()
        try:
            self.start_coordinator()
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def load(self, definitions=(DOUBLE,), workloads=None):
        """Stores definitions with their workloads."""
        if workloads is None:
            workloads = [trace_sets.workload("d64", 64, "double_n1024")]
        folder = trace_sets.write(self.folder / "set", definitions, workloads)
        process = self.assay("import", folder)
        assert process.returncode == 0, process.stdout + process.stderr

    def submit(self, item, *flags):
        """Queues a solution; returns the id of the submission."""
        return self.submit_path(
            trace_sets.write_json(
                self.folder / "submitted" / f"{item['name']}.json", item
            ),
            *flags,
        )

    def submit_path(self, path, *flags):
        """Queues the one solution in a file or folder."""
        document = self.assay_json("submit", path, *flags)
        return document["submissions"][0]["id"]

    def watch(self, ids):
        """Waits for submissions; fails when a job ends without a verdict."""
        process = self.assay("watch", *ids, "--json", timeout=WATCH_SECONDS)
        problems = []
        for line in process.stdout.splitlines():
            document = json.loads(line)
            job = document.get("event", {}).get("job", {})
            if job.get("state") == "FAILED" or "error" in document:
                problems.append(line)
        assert not problems, "no verdict:\n" + "\n".join(problems) + self.log()

    def log(self):
        return "\nworker.log:\n" + (self.folder / "worker.log").read_text()

    def traces(self):
        """All that was evaluated, oldest first."""
        folder = pathlib.Path(tempfile.mkdtemp(dir=self.folder)) / "exported"
        process = self.assay("export", folder)
        assert process.returncode == 0, process.stdout + process.stderr
        found = [
            json.loads(line)
            for path in folder.glob("traces/**/*.jsonl")
            for line in path.read_text().splitlines()
        ]
        return sorted(found, key=lambda trace: when(trace["evaluation"]))

    def evaluations(self):
        """Solution to its evaluations, oldest first."""
        found = {}
        for trace in self.traces():
            found.setdefault(trace["solution"], []).append(trace["evaluation"])
        return found

    def worker_status(self):
        """Memory figures of the worker process, in bytes."""
        status = pathlib.Path(f"/proc/{self.worker.process.pid}/status").read_text()
        return {
            line.split(":")[0]: int(line.split()[1]) * 1024
            for line in status.splitlines()
            if line.endswith(" kB")
        }


def when(evaluation):
    """When an evaluation ended."""
    text = evaluation["timestamp"].rstrip("Z")
    return datetime.datetime.fromisoformat(text[:26])


# Whatever comes out: what counts are the solutions after it.
ANY = (
    "PASSED",
    "INCORRECT_NUMERICAL",
    "INCORRECT_SHAPE",
    "INCORRECT_DTYPE",
    "RUNTIME_ERROR",
    "COMPILE_ERROR",
    "TIMEOUT",
)


class BatchTest(unittest.TestCase):
    """Evaluates CASES, each followed by an honest solution, on one worker.

    Subclasses name CASES: (solution, status, texts that the log holds), HONEST, a
    solution, and FLAGS of submit. For status may stand a tuple of those that are
    right, and ANY. All are queued at once, in this order, so that
    they build while others run. Each case becomes a test; add_tests makes them.
    """

    CASES = ()
    FLAGS = (*QUICK, "--timeout", "10")

    @classmethod
    def setUpClass(cls):
        cls.session = Session().__enter__()
        try:
            cls.run_all()
        except BaseException:
            cls.session.__exit__(None, None, None)
            raise

    @classmethod
    def run_all(cls):
        cls.session.load()
        cls.session.start_worker()
        cls.pid = cls.session.worker.process.pid
        ids = []
        for item, _, _ in cls.CASES:
            ids.append(cls.session.submit(item, *cls.FLAGS))
            ids.append(cls.session.submit(cls.HONEST, *cls.FLAGS))
        cls.session.watch(ids)
        # What was built first ran first: one more, which nothing runs after.
        cls.session.watch([cls.session.submit(cls.HONEST, *cls.FLAGS)])
        cls.found = cls.session.evaluations()

    @classmethod
    def tearDownClass(cls):
        cls.session.__exit__(None, None, None)

    def check(self, item, wanted, texts):
        name = item["name"]
        self.assertIn(name, self.found)
        evaluation = self.found[name][-1]
        status = evaluation["status"]
        right = (wanted,) if isinstance(wanted, str) else wanted
        self.assertIn(status, right, evaluation["log"])
        for text in texts:
            self.assertIn(text, evaluation["log"])
        self.assertEqual(
            evaluation.get("correctness") is not None,
            status in ("PASSED", "INCORRECT_NUMERICAL"),
        )
        self.assertEqual(
            evaluation.get("performance") is not None, status == "PASSED"
        )
        later = [
            e for e in self.found[self.HONEST["name"]] if when(e) > when(evaluation)
        ]
        self.assertTrue(later, "no honest solution ran after it")
        self.assertEqual(later[0]["status"], "PASSED", later[0]["log"])

    def test_every_honest_solution_passes(self):
        honest = self.found[self.HONEST["name"]]
        self.assertEqual(len(honest), len(self.CASES) + 1)
        for evaluation in honest:
            self.assertEqual(evaluation["status"], "PASSED", evaluation["log"])

    def test_worker_is_the_same_and_well(self):
        self.assertEqual(self.session.worker.process.pid, self.pid)
        self.assertIsNone(self.session.worker.process.poll())
        workers = self.session.assay_json("workers", "list")["workers"]
        self.assertEqual(len(workers), 1)
        self.assertNotIn(workers[0]["state"], ("LOST", "UNWELL"), workers[0])


def add_tests(test_class):
    """A test for each of its cases."""
    for case in test_class.CASES:
        setattr(
            test_class,
            f"test_{case[0]['name']}",
            lambda self, case=case: self.check(*case),
        )
