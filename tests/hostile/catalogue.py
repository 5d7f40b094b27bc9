"""The manifest: every attack and every honest solution, by device."""

import cpu_catalogue
import cuda_catalogue

SOLUTIONS = cpu_catalogue.SOLUTIONS + cuda_catalogue.SOLUTIONS
COVERED = cpu_catalogue.COVERED + cuda_catalogue.COVERED


def attacks(device):
    return [s for s in SOLUTIONS if s.device == device and not s.is_honest]


def honest(device):
    return [s for s in SOLUTIONS if s.device == device and s.is_honest]


def covered(device):
    return [c for c in COVERED if c.device == device]
