"""The suite on a worker that owns a CPU."""

import unittest

import suite

# Solutions are built while others run.
CpuTest = suite.make_test(unittest.TestCase, "cpu", ("--builds-ahead=0",))

if __name__ == "__main__":
    unittest.main()
