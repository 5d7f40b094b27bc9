"""Workloads of which nothing is random: whoever stores answers waits for a review."""

import pathlib
import tempfile
import unittest

import installation
import trace_sets

QUICK = ("--warmup", "1", "--iterations", "6", "--trials", "1")
STORED = {"type": "safetensors", "path": "blob/x.safetensors", "tensor_key": "x"}
DOUBLE = "def run(x, y):\n    y.copy_(x * 2)\n"

SOLUTIONS = {
    "honest": DOUBLE,
    "stored": "def run(x, y):\n    y.fill_(3)\n",
    "refuses": "def run(x, y):\n    assert (x == 1.5).all()\n    y.fill_(3)\n",
    "ends": (
        "import os\n"
        "def run(x, y):\n"
        "    if not (x == 1.5).all(): os._exit(3)\n"
        "    y.fill_(3)\n"
    ),
    "wrong": "def run(x, y):\n    y.copy_(x * 4)\n",
}

REFERENCES = {
    "double_n8": "return x * 2",
    "picky_n8": "assert (x == 1.5).all()\n    return x * 2",
    # As the one above, but for the first varied values.
    "moody_n8": (
        "global others\n"
        "    others += not (x == 1.5).all()\n"
        "    assert others < 3\n"
        "    return x * 2"
    ),
}


class StoredInputsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.stack = cls.enterClassContext(installation.Stack())
        cls.stack.start_coordinator()
        cls.stack.start_worker()
        folder = pathlib.Path(
            cls.enterClassContext(tempfile.TemporaryDirectory(prefix="assay-stored-"))
        )
        trace_sets.write(
            folder,
            definitions=[cls.definition(name) for name in REFERENCES],
            workloads=[
                trace_sets.workload(f"{name}-w", definition=name, inputs={"x": STORED})
                for name in REFERENCES
            ],
            solutions=[
                trace_sets.solution(f"{name}_{d}", source, definition=d)
                for d, names in {
                    "double_n8": SOLUTIONS,
                    "picky_n8": ("honest",),
                    "moody_n8": ("honest",),
                }.items()
                for name, source in SOLUTIONS.items()
                if name in names
            ],
        )
        trace_sets.write_safetensors(folder / "blob/x.safetensors", "x", [4, 8], [1.5] * 8)
        cls.stack.assay("submit", folder, "--watch", *QUICK)
        traces = cls.stack.assay_json("traces", "list")["traces"]
        cls.evaluations = {
            t["trace"]["solution"]: t["trace"]["evaluation"] for t in traces
        }

    @staticmethod
    def definition(name):
        reference = f"others = 0\ndef run(x):\n    {REFERENCES[name]}\n"
        return {**trace_sets.DOUBLE, "name": name, "reference": reference}

    def evaluation(self, solution):
        return self.evaluations[solution]

    def findings(self, solution):
        found = self.evaluation(solution).get("findings", [])
        return [(f["rule"], f["effect"].lower()) for f in found]

    def evidence(self, solution):
        return self.evaluation(solution)["findings"][0]["evidence"]

    def test_who_computes_passes_and_ranks(self):
        self.assertEqual(self.evaluation("honest_double_n8")["status"], "PASSED")
        self.assertEqual(self.findings("honest_double_n8"), [])

    def test_samples_are_of_the_stored_inputs_alone(self):
        performance = self.evaluation("honest_double_n8")["performance"]
        self.assertEqual(performance["num_samples"], 6)

    def test_who_has_stored_the_answer_is_held(self):
        for name, words in {
            "stored": "wrong in 6 of 6 calls",
            "refuses": "AssertionError",
            "ends": "exit code 3",
        }.items():
            with self.subTest(name):
                solution = f"{name}_double_n8"
                self.assertEqual(self.evaluation(solution)["status"], "PASSED")
                self.assertEqual(self.findings(solution), [("stored_answers", "hold")])
                self.assertIn(words, self.evidence(solution))

    def test_who_is_wrong_on_the_stored_inputs_fails(self):
        self.assertEqual(
            self.evaluation("wrong_double_n8")["status"], "INCORRECT_NUMERICAL"
        )

    def test_reference_that_refuses_other_values_leaves_a_note(self):
        self.assertEqual(self.evaluation("honest_picky_n8")["status"], "PASSED")
        self.assertEqual(
            self.findings("honest_picky_n8"), [("inputs_not_varied", "note")]
        )

    def test_reference_that_fails_only_beside_the_solution_holds_it(self):
        self.assertEqual(self.evaluation("honest_moody_n8")["status"], "PASSED")
        self.assertEqual(
            self.findings("honest_moody_n8"), [("stored_answers", "hold")]
        )
        self.assertIn("the reference", self.evidence("honest_moody_n8"))

    def test_boards_wait_for_a_review(self):
        board = self.stack.assay_json("leaderboard", "double_n8")
        (entries,) = [b["entries"] for b in board["leaderboards"]]
        ranks = {e["solution"]: e["rank"] for e in entries}
        self.assertEqual(ranks["honest_double_n8"], 1)
        self.assertEqual(ranks["stored_double_n8"], 0)


if __name__ == "__main__":
    unittest.main()
