#!/usr/bin/python3
"""Attacks an installation of Assay with every known way to cheat.

    tests/hostile/run.py --dist dist [--results FOLDER] [NAME ...]

Prints a table of what each attack came to, and the catch rate. NAME picks tests
as unittest does (`test_cpu`, `test_escapes`). The last line is "N passed, N
failed".
"""

import argparse
import importlib.util
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
TESTS = HERE.parent
sys.path[:0] = [str(HERE), str(TESTS / "gpu"), str(TESTS / "e2e")]

import gpu_testing
import installation


def load_runner():
    """tests/e2e/run.py, whose name is that of this file."""
    spec = importlib.util.spec_from_file_location("e2e_run", TESTS / "e2e" / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dist", default="dist", help="folder of tools/stage.sh")
    parser.add_argument("--results", type=pathlib.Path, help="folder for JSON")
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    installation.use(pathlib.Path(arguments.dist).resolve())
    gpu_testing.set_results(arguments.results)
    sys.exit(load_runner().run(HERE, arguments.names))


if __name__ == "__main__":
    main()
