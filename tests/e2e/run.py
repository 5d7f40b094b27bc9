#!/usr/bin/python3
"""Runs the end-to-end tests against an installation of Assay.

    tests/e2e/run.py --dist dist [--cache FOLDER] [NAME ...]

NAME picks tests as unittest does (`test_statuses`, `test_statuses.CppTest`). The
last line is "N passed, N failed".
"""

import argparse
import pathlib
import sys
import unittest

import installation


class CountingResult(unittest.TextTestResult):
    """Prints a line for each test case and counts the ones that passed."""

    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.passed = 0

    def addSuccess(self, test):
        super().addSuccess(test)
        self.passed += 1


def run(folder, names):
    """Runs tests of a folder; returns the exit code."""
    loader = unittest.TestLoader()
    if names:
        suite = loader.loadTestsFromNames(names)
    else:
        suite = loader.discover(str(folder))
    runner = unittest.TextTestRunner(
        stream=sys.stdout, verbosity=2, resultclass=CountingResult
    )
    result = runner.run(suite)
    # A skipped test has proved nothing: it counts as failed.
    failed = len(result.failures) + len(result.errors) + len(result.skipped)
    failed += len(result.unexpectedSuccesses)
    print(f"{result.passed} passed, {failed} failed")
    return 0 if failed == 0 and result.passed > 0 else 1


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dist", default="dist", help="folder of tools/stage.sh")
    parser.add_argument(
        "--cache", type=pathlib.Path, help="folder for builds (default: beside DIST)"
    )
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    installation.use(
        pathlib.Path(arguments.dist).resolve(), cache=arguments.cache
    )
    sys.exit(run(pathlib.Path(__file__).resolve().parent, arguments.names))


if __name__ == "__main__":
    main()
