"""The suite of attacks (tests/hostile) on a worker that owns a GPU."""

import pathlib
import sys
import unittest

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "hostile"))

import suite

CudaTest = suite.make_test(unittest.TestCase, "cuda")

if __name__ == "__main__":
    unittest.main()
