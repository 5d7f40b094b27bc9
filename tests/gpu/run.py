"""What run.sh runs; see there."""

import argparse
import importlib.util
import os
import pathlib
import sys

HERE = pathlib.Path(__file__).resolve().parent
E2E = HERE.parent / "e2e"
sys.path[:0] = [str(HERE), str(E2E)]

import gpu_testing
import installation


def load_runner():
    """tests/e2e/run.py, whose name is that of this file."""
    spec = importlib.util.spec_from_file_location("e2e_run", E2E / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def obstacle(arguments):
    """Why no test can run here; empty when they can."""
    if not (arguments.dist / "bin" / "assay-worker").is_file():
        return f'"{arguments.dist}" is no unpacked package of Assay'
    if arguments.device.startswith("cuda") and not os.path.exists("/dev/nvidiactl"):
        return "there is no NVIDIA GPU on this machine (no /dev/nvidiactl)"
    return ""


def main():
    parser = argparse.ArgumentParser(description="Runs the GPU tests.")
    parser.add_argument("--dist", type=pathlib.Path, default="dist")
    parser.add_argument("--results", type=pathlib.Path)
    parser.add_argument("--cache", type=pathlib.Path)
    parser.add_argument("--device", default="cuda")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--worker-flag", action="append", default=[])
    parser.add_argument("names", nargs="*", metavar="NAME")
    arguments = parser.parse_args()
    arguments.dist = arguments.dist.resolve()
    problem = obstacle(arguments)
    if problem:
        print(f"run.sh: {problem}", file=sys.stderr)
        print("0 passed, 1 failed")
        sys.exit(1)
    flags = [f"--device={arguments.device}", f"--python={arguments.python}"]
    installation.use(
        arguments.dist, flags + arguments.worker_flag, arguments.cache
    )
    gpu_testing.set_device(arguments.device)
    gpu_testing.set_results(arguments.results)
    everything = sorted(
        file.stem for kind in ("test", "bench") for file in HERE.glob(f"{kind}_*.py")
    )
    sys.exit(load_runner().run(HERE, arguments.names or everything))


if __name__ == "__main__":
    main()
