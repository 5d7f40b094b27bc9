"""`assay lint`: definitions whose tolerance lets wrong answers pass."""

import os
import tempfile
import unittest

import installation
import trace_sets

# Every output is within the default absolute tolerance of zero.
WEAK = {
    **trace_sets.DOUBLE,
    "name": "tiny_n8",
    "reference": "def run(x):\n    return x * 1e-4\n",
}
# Right for one output only: the other is lost in the tolerance.
HALF_WEAK = {
    **trace_sets.DOUBLE,
    "name": "double_and_tiny_n8",
    "outputs": {
        "y": {"shape": ["rows", "n"], "dtype": "float32"},
        "z": {"shape": ["rows"], "dtype": "float32"},
    },
    "reference": "def run(x):\n    return x * 2, x[:, 0] * 1e-4\n",
}
# Its reference hands the input through.
IDENTITY = {
    **trace_sets.DOUBLE,
    "name": "identity_n8",
    "reference": "def run(x):\n    return x.clone()\n",
}
# The mean of one element is that element: a constant must not pass for it.
ONE_ELEMENT = {
    **trace_sets.DOUBLE,
    "name": "sum_n8",
    "outputs": {"y": {"shape": [], "dtype": "float32"}},
    "reference": "def run(x):\n    return x.sum()\n",
}
# Whole numbers and narrow floats.
DTYPES = {
    **trace_sets.DOUBLE,
    "name": "dtypes_n8",
    "outputs": {
        "order": {"shape": ["rows", "n"], "dtype": "int32"},
        "positive": {"shape": ["rows", "n"], "dtype": "bool"},
        "narrow": {"shape": ["rows", "n"], "dtype": "float16"},
        "brain": {"shape": ["rows", "n"], "dtype": "bfloat16"},
    },
    "reference": (
        "import torch\n\n\ndef run(x):\n"
        "    return (x.argsort(dim=1).to(torch.int32), x > 0,\n"
        "            (x * 4).half(), (x * 4).bfloat16())\n"
    ),
}


class LintTest(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(
            tempfile.TemporaryDirectory(prefix="assay-lint-")
        )

    def write(self, *definitions):
        return trace_sets.write(
            os.path.join(self.folder, "set"),
            definitions=definitions,
            workloads=[
                trace_sets.workload(d["name"], definition=d["name"], rows=16)
                for d in definitions
            ],
        )

    def lint(self, *definitions):
        """Results by definition, output and probe; and the whole document."""
        report = installation.assay_json(
            "lint", self.write(*definitions),
            "--cache", installation.cache_folder(),
        )
        results = {
            (r["definition"], r["output"], r["probe"]): r
            for r in report["results"]
        }
        return results, report

    def test_weak_definitions_are_told_from_sound_ones(self):
        results, report = self.lint(
            trace_sets.DOUBLE, WEAK, HALF_WEAK, IDENTITY, ONE_ELEMENT, DTYPES
        )
        passing = sorted(key for key, r in results.items() if r["passed"])
        self.assertEqual(
            passing,
            [
                ("double_and_tiny_n8", "z", "constant"),
                ("double_and_tiny_n8", "z", "zeros"),
                ("identity_n8", "y", "copy of x"),
                ("tiny_n8", "y", "constant"),
                ("tiny_n8", "y", "zeros"),
            ],
            report,
        )
        self.assertEqual(report["unjudged"], [], report)
        self.assertEqual(
            report["weak"], ["double_and_tiny_n8", "identity_n8", "tiny_n8"]
        )
        for result in results.values():
            self.assertEqual(result["judged"], 1, result)
        # Twice the input is off by the input.
        copy = results["double_n8", "y", "copy of x"]["nearest"]
        self.assertLess(copy["matched_ratio"], 0.5)
        self.assertAlmostEqual(copy["max_relative_error"], 0.5, places=4)
        # All values are right, at the largest of them.
        zeros = results["tiny_n8", "y", "zeros"]["nearest"]
        self.assertEqual(zeros["matched_ratio"], 1)
        self.assertGreater(zeros["max_absolute_error"], 0)
        self.assertLess(zeros["max_absolute_error"], 1e-3)

    def test_strict_fails_and_a_tighter_tolerance_mends_it(self):
        folder = self.write(WEAK)
        flags = ("--strict", "--cache", installation.cache_folder())
        weak = installation.assay("lint", folder, *flags)
        self.assertEqual(weak.returncode, 65, weak.stdout + weak.stderr)
        self.assertIn('output "y" passes as zeros', weak.stdout)
        sound = installation.assay("lint", folder, "--atol", "1e-9", *flags)
        self.assertEqual(sound.returncode, 0, sound.stdout + sound.stderr)

    def test_strict_import_leaves_weak_definitions_out(self):
        with installation.Stack() as stack:
            stack.start_coordinator()
            process = stack.assay(
                "import", self.write(trace_sets.DOUBLE, WEAK),
                "--lint", "strict", "--cache", installation.cache_folder(),
            )
            self.assertEqual(process.returncode, 65, process.stderr)
            self.assertIn('refused: definition "tiny_n8"', process.stderr)
            stored = stack.assay_json("definitions", "list")["definitions"]
            names = [record["definition"]["name"] for record in stored]
            self.assertEqual(names, ["double_n8"])

    def test_stored_definitions_are_linted_without_a_trace_on_boards(self):
        with installation.Stack() as stack:
            stack.start_coordinator()
            stack.start_worker()
            stack.assay_json("import", self.write(WEAK))
            report = stack.assay_json("lint", "tiny_n8")
            self.assertEqual(report["weak"], ["tiny_n8"])
            boards = stack.assay_json("leaderboard")["leaderboards"]
            self.assertEqual(boards, [])
            board = stack.assay_json("leaderboard", "tiny_n8")["leaderboards"][0]
            self.assertEqual(board["entries"], [])
            listed = stack.assay_json("solutions", "list")["solutions"]
            self.assertEqual(listed, [])
            traces = stack.assay_json("traces", "list")["traces"]
            self.assertEqual(traces, [])
            probes = stack.assay_json(
                "solutions", "list", "--author", "assay-lint"
            )["solutions"]
            self.assertEqual(len(probes), 4)


if __name__ == "__main__":
    unittest.main()
