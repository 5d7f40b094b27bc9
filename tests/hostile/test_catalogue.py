"""The manifest itself: complete, and with a file for each solution."""

import re
import unittest

import catalogue
import sources
import suite
from entries import ENTRIES, HELD, NO_GAIN, RUNNING


class CatalogueTest(unittest.TestCase):
    def test_every_entry_has_an_attack_or_another_test_on_each_device(self):
        for device in ("cpu", "cuda"):
            rows = catalogue.attacks(device) + catalogue.covered(device)
            self.assertEqual({row.entry for row in rows}, set(ENTRIES), device)

    def test_every_solution_has_a_file_that_says_what_it_tries(self):
        for item in catalogue.SOLUTIONS:
            with self.subTest(item.name):
                first = sources.path_of(item).read_text().splitlines()[0]
                self.assertRegex(first, r"^(//|#) \w+")

    def test_every_file_is_in_the_manifest(self):
        listed = {sources.path_of(item) for item in catalogue.SOLUTIONS}
        for path in sources.FOLDER.glob("*/*"):
            if path.suffix in (".cpp", ".cu", ".py"):
                self.assertIn(path, listed)

    def test_names_are_unique(self):
        for device in ("cpu", "cuda"):
            items = catalogue.attacks(device) + catalogue.honest(device)
            self.assertEqual(len({i.name for i in items}), len(items))

    def test_no_attack_is_expected_to_pass_with_a_gain(self):
        for device in ("cpu", "cuda"):
            for item in catalogue.attacks(device):
                self.assertTrue(item.expected, item.name)
                self.assertNotIn("PASSED", item.expected)

    def test_expected_outcomes_are_known_words(self):
        for item in catalogue.SOLUTIONS:
            for word in item.expected:
                if word not in (HELD, NO_GAIN, RUNNING):
                    self.assertTrue(re.fullmatch(r"[A-Z_]+|[a-z_]+", word), word)

    def test_there_are_15_honest_solutions_for_each_device(self):
        for device in ("cpu", "cuda"):
            self.assertGreaterEqual(len(catalogue.honest(device)), 15)

    def test_other_tests_that_are_named_exist(self):
        for covered in catalogue.COVERED:
            text = (suite.repository() / covered.file).read_text()
            self.assertIn(covered.test, text, covered.file)
            self.assertTrue(covered.test)


if __name__ == "__main__":
    unittest.main()
