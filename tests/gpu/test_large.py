"""Gigabytes of output are judged on the device."""

import unittest

import gpu_testing

COLUMNS = 4096
ROWS = 1 << 18
OUTPUT_BYTES = ROWS * COLUMNS * 4  # 4 GiB
HOST_BYTES = 2 << 30
WRONG_FROM_END = 1000

DEFINITION = {
    "name": "double_large_n4096",
    "op_type": "elementwise",
    "axes": {"rows": {"type": "var"}, "n": {"type": "const", "value": COLUMNS}},
    "inputs": {"x": {"shape": ["rows", "n"], "dtype": "bfloat16"}},
    "outputs": {"y": {"shape": ["rows", "n"], "dtype": "float32"}},
    "reference": "import torch\n\n\ndef run(x):\n    return x.to(torch.float32) * 2\n",
}
WORKLOAD = {
    "definition": DEFINITION["name"],
    "solution": None,
    "workload": {
        "uuid": "four-gib",
        "axes": {"rows": ROWS},
        "inputs": {"x": {"type": "random"}},
    },
    "evaluation": None,
}
FLAGS = ("--warmup", "1", "--iterations", "3", "--trials", "2", "--timeout", "120")


def large(name, **changes):
    return gpu_testing.solution(
        name,
        "large/double.cu",
        definition=DEFINITION["name"],
        language="cuda",
        binding="c",
        **changes,
    )


class LargeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with gpu_testing.Session() as session:
            session.load([DEFINITION], [WORKLOAD])
            session.start_worker()
            wrong = large(
                "one_wrong",
                edit={"kWrongElement = -1": f"kWrongElement = {WRONG_FROM_END}"},
            )
            session.watch(
                [
                    session.submit(large("all_right"), *FLAGS),
                    session.submit(wrong, *FLAGS),
                ]
            )
            cls.peak_bytes = session.worker_status()["VmHWM"]
            cls.found = session.evaluations()

    def test_right_output_passes(self):
        self.assertEqual(OUTPUT_BYTES, 4 << 30)
        evaluation = self.found["all_right"][0]
        self.assertEqual(evaluation["status"], "PASSED", evaluation["log"])

    def test_one_wrong_element_in_the_last_megabyte_is_found(self):
        evaluation = self.found["one_wrong"][0]
        self.assertEqual(
            evaluation["status"], "INCORRECT_NUMERICAL", evaluation["log"]
        )
        place = f"[{ROWS - 1}, {COLUMNS - WRONG_FROM_END}]"
        self.assertIn(place, evaluation["log"])
        self.assertIn(f"1 of {ROWS * COLUMNS} values", evaluation["log"])

    def test_worker_copies_no_tensor_to_the_host(self):
        self.assertLess(self.peak_bytes, HOST_BYTES)


if __name__ == "__main__":
    unittest.main()
