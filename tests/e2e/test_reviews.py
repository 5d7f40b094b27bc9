"""Reviews: what an operator decides about a result shows on its board."""

import os
import tempfile
import unittest

import installation
import trace_sets

QUICK = ("--warmup", "1", "--iterations", "3", "--trials", "1")
GOOD = trace_sets.solution("good", "def run(x, y):\n    y.copy_(x * 2)\n")


class ReviewTest(unittest.TestCase):
    def setUp(self):
        self.stack = self.enterContext(installation.Stack())
        self.stack.start_coordinator()
        self.stack.start_worker()
        folder = self.enterContext(
            tempfile.TemporaryDirectory(prefix="assay-reviews-")
        )
        self.set = trace_sets.write(
            os.path.join(folder, "set"),
            workloads=[trace_sets.workload()],
            solutions=[GOOD],
        )
        self.evaluate()

    def evaluate(self):
        process = self.stack.assay("submit", self.set, "--watch", *QUICK)
        self.assertEqual(process.returncode, 0, process.stdout + process.stderr)

    def entry(self):
        board = self.stack.assay_json("leaderboard", "double_n8")
        return board["leaderboards"][0]["entries"][0]

    def test_rejected_result_leaves_the_board_until_it_is_approved(self):
        self.assertEqual(self.entry()["rank"], 1)
        trace = self.entry()["cells"][0]["trace_id"]
        rejected = self.stack.assay_json(
            "traces", "reject", trace, "--reason", "stores answers", "--by", "ops"
        )
        self.assertEqual(rejected["review_state"], "REJECTED")
        self.assertEqual(self.entry()["rank"], 0)
        self.assertIn("rejected", self.entry()["note"])
        # Another try of the same sources does not get rid of it.
        self.evaluate()
        self.assertEqual(self.entry()["rank"], 0)
        # Nor does a restart.
        self.stack.coordinator.stop()
        self.stack.start_coordinator()
        self.assertEqual(self.entry()["rank"], 0)
        text = self.stack.assay("traces", "get", trace).stdout
        self.assertIn("rejected by ops", text)
        self.assertIn("stores answers", text)
        self.stack.assay_json(
            "traces", "approve", trace, "--reason", "it does not", "--by", "ops"
        )
        self.assertEqual(self.entry()["rank"], 1)

    def test_clean_result_needs_no_approval(self):
        trace = self.entry()["cells"][0]["trace_id"]
        process = self.stack.assay(
            "traces", "approve", trace, "--reason", "fine", "--by", "ops"
        )
        self.assertEqual(process.returncode, 65, process.stdout)
        self.assertIn("nothing holds", process.stderr)
        held = self.stack.assay_json("traces", "list", "--held")["traces"]
        self.assertEqual(held, [])


if __name__ == "__main__":
    unittest.main()
