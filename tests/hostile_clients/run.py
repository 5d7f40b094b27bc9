#!/usr/bin/python3
"""Attacks a coordinator with clients that keep to no rules.

    tests/hostile_clients/run.py --dist dist [--long] [NAME ...]

--long opens as many connections as it has to bear: 10,000 idle ones. NAME picks
tests as unittest does. The last line is "N passed, N failed".
"""

import argparse
import importlib.util
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
E2E = HERE.parent / "e2e"
sys.path[:0] = [str(HERE), str(E2E)]

import coordinator
import installation


def load_runner():
    """tests/e2e/run.py, whose name is that of this file."""
    spec = importlib.util.spec_from_file_location("e2e_run", E2E / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dist", default="dist", help="folder of tools/stage.sh")
    parser.add_argument("--long", action="store_true", help="more connections")
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    installation.use(pathlib.Path(arguments.dist).resolve())
    coordinator.use_long_mode(arguments.long)
    sys.exit(load_runner().run(HERE, arguments.names))


if __name__ == "__main__":
    main()
