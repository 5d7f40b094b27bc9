# Claims a failure of the worker's own, in the hope of another try: a claim by a
# process with a solution is that solution's.
from assay_runner.errors import Failure


def run(x, y):
    raise Failure("INTERNAL", "no memory for the worker's part")
