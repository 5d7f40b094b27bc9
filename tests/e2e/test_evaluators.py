"""Who judges outputs, and where the tolerances come from."""

import json
import os
import pathlib
import tempfile
import unittest

import installation
import trace_sets

QUICK = ("--warmup", "1", "--iterations", "5", "--trials", "1")

SAMPLING = {
    "name": "top_k_sampling_from_probs_v1000",
    "op_type": "sampling",
    "axes": {
        "batch": {"type": "var"},
        "vocab": {"type": "const", "value": 1000},
    },
    "inputs": {
        "probs": {"shape": ["batch", "vocab"], "dtype": "float32"},
        "top_k": {"shape": None, "dtype": "int32"},
    },
    "outputs": {"samples": {"shape": ["batch"], "dtype": "int64"}},
    "reference": (
        "import torch\n"
        "def run(probs, top_k):\n"
        "    least = probs.topk(top_k, dim=1).values[:, -1:]\n"
        "    kept = torch.where(probs >= least, probs, torch.zeros_like(probs))\n"
        "    return torch.multinomial(kept, 1).squeeze(1)\n"
    ),
}
SAMPLER = """import torch

{state}

def run(probs, top_k, samples):
    {before}
    values, tokens = probs.topk({kept}, dim=1)
    chosen = {choice}
    samples.copy_(tokens.gather(1, chosen).squeeze(1))
"""
DRAWN = "torch.multinomial(values, 1, generator=random)"

# Some values wrong, one output of two not written.
LOW_BIT = dict(
    trace_sets.DOUBLE, name="double_low_bit", op_type="lowbit",
    reference="def run(x):\n    return x * 2\n",
)
SPARSE = dict(
    trace_sets.DOUBLE, name="dsa_sparse_attention_n8", op_type="dsa_paged",
    outputs={
        "output": {"shape": ["rows", "n"], "dtype": "float32"},
        "lse": {"shape": ["rows"], "dtype": "float32"},
    },
    reference="def run(x):\n    return x * 2, x.logsumexp(dim=1)\n",
)


def sampler(name, state="random = torch.Generator()", before="pass",
            kept="top_k", choice=DRAWN):
    text = SAMPLER.format(state=state, before=before, kept=kept, choice=choice)
    return trace_sets.solution(name, text, definition=SAMPLING["name"])


class EvaluatorsTest(unittest.TestCase):
    def setUp(self):
        self.folder = self.enterContext(
            tempfile.TemporaryDirectory(prefix="assay-evaluators-")
        )
        self.outputs = 0

    def write(self, definition, workload, *solutions):
        return trace_sets.write(
            os.path.join(self.folder, "set"), definitions=[definition],
            workloads=[workload], solutions=solutions,
        )

    def evaluate(self, folder, *flags):
        """What became of each solution, and what was printed."""
        self.outputs += 1
        output = pathlib.Path(self.folder) / f"out{self.outputs}"
        process = installation.assay(
            "run", "--local", folder, "--cache", installation.cache_folder(),
            "--output", output, *QUICK, *flags,
        )
        evaluations = {}
        for path in output.glob("traces/**/*.jsonl"):
            for line in path.read_text().splitlines():
                trace = json.loads(line)
                evaluations[trace["solution"]] = trace["evaluation"]
        printed = process.stdout + process.stderr
        self.assertTrue(evaluations, printed)
        return evaluations, printed

    def test_samplers_are_judged_by_what_they_sample(self):
        workload = trace_sets.workload(
            "sampling", definition=SAMPLING["name"], axes={"batch": 2},
            inputs={
                "probs": {"type": "random"},
                "top_k": {"type": "scalar", "value": 50},
            },
        )
        folder = self.write(
            SAMPLING, workload,
            sampler("honest"),
            sampler("argmax", choice="values.argmax(dim=1, keepdim=True)"),
            sampler("fixed_seed", before="random.manual_seed(1)"),
            sampler("all_tokens", kept="probs.shape[1]"),
        )
        evaluations, printed = self.evaluate(folder)
        self.assertEqual(
            {name: e["status"] for name, e in evaluations.items()},
            {
                "honest": "PASSED",
                "argmax": "INCORRECT_NUMERICAL",
                "fixed_seed": "INCORRECT_NUMERICAL",
                "all_tokens": "INCORRECT_NUMERICAL",
            },
            printed,
        )
        self.assertIn("on the same inputs", evaluations["fixed_seed"]["log"])
        self.assertIn("none of those that are kept", evaluations["all_tokens"]["log"])
        config = evaluations["honest"]["assay"]["config"]
        self.assertEqual(config["evaluator"], "sampling")
        self.assertEqual(config["sampling_validation_trials"], 1000)

    def test_low_bit_lets_some_values_be_wrong_unless_told_otherwise(self):
        text = "def run(x, y):\n    y.copy_(x * 2)\n    y[0, 0] += 9\n"
        folder = self.write(
            LOW_BIT,
            trace_sets.workload("low", rows=16, definition=LOW_BIT["name"]),
            trace_sets.solution("nearly", text, definition=LOW_BIT["name"]),
        )
        evaluations, printed = self.evaluate(folder)
        self.assertEqual(evaluations["nearly"]["status"], "PASSED", printed)
        self.assertEqual(
            evaluations["nearly"]["assay"]["config"]["required_matched_ratio"], 0.95
        )
        evaluations, printed = self.evaluate(folder, "--evaluator", "default")
        self.assertEqual(
            evaluations["nearly"]["status"], "INCORRECT_NUMERICAL", printed
        )

    def test_sparse_attention_needs_no_second_output(self):
        folder = self.write(
            SPARSE,
            trace_sets.workload("sparse", definition=SPARSE["name"]),
            trace_sets.solution(
                "without", "def run(x, y, lse):\n    y.copy_(x * 2)\n",
                definition=SPARSE["name"],
            ),
            trace_sets.solution(
                "wrong", "def run(x, y, lse):\n    y.copy_(x * 2)\n    lse.fill_(99)\n",
                definition=SPARSE["name"],
            ),
        )
        evaluations, printed = self.evaluate(folder)
        self.assertEqual(evaluations["without"]["status"], "PASSED", printed)
        self.assertEqual(evaluations["wrong"]["status"], "INCORRECT_NUMERICAL")

    def test_file_and_flags_come_to_the_same(self):
        folder = self.write(
            trace_sets.DOUBLE, trace_sets.workload(),
            trace_sets.solution("good", "def run(x, y):\n    y.copy_(x * 2)\n"),
        )
        file = pathlib.Path(folder) / "eval_config.yaml"
        file.write_text(
            "atol: 0.5\nrtol: 0.5\n"
            "op_type_config:\n  elementwise:\n    rtol: 0.25\n"
            "definition_config:\n  double_n8:\n    required_matched_ratio: 0.75\n"
        )
        found, printed = self.evaluate(folder)
        self.assertIn("eval_config.yaml", printed)
        named = pathlib.Path(self.folder) / "named.yaml"
        file.rename(named)
        from_name, _ = self.evaluate(folder, "--config", named)
        from_flags, _ = self.evaluate(
            folder, "--atol", "0.5", "--rtol", "0.25", "--matched-ratio", "0.75"
        )
        config = found["good"]["assay"]["config"]
        self.assertEqual(config["rtol"], 0.25)
        self.assertEqual(from_name["good"]["assay"]["config"], config)
        self.assertEqual(from_flags["good"]["assay"]["config"], config)

    def test_what_is_wrong_in_a_file_is_told_with_its_line(self):
        folder = self.write(
            trace_sets.DOUBLE, trace_sets.workload(),
            trace_sets.solution("good", "def run(x, y):\n    y.copy_(x * 2)\n"),
        )
        cases = {
            "atol: 0\n": "line 1: atol: \"0\" is not a number above 0",
            "rtol: 1\natol: -1\n": "line 2: atol: \"-1\" is not",
            "definition_config:\n  double_n8: {evaluator: perfect}\n":
                "line 2: definition_config.double_n8.evaluator: unknown evaluator",
            "rtol: [1\n": "line 2: ",
            "rtoll: 1\n": "line 1: rtoll: is not known",
        }
        for text, message in cases.items():
            with self.subTest(text=text):
                path = pathlib.Path(self.folder) / "wrong.yaml"
                path.write_text(text)
                process = installation.assay(
                    "run", "--local", folder, "--config", path
                )
                self.assertEqual(process.returncode, 65, process.stdout)
                self.assertIn(f"wrong.yaml: {message}", process.stderr)


if __name__ == "__main__":
    unittest.main()
