"""The catalogue of known ways to cheat, by number, and the words for outcomes."""

from typing import NamedTuple

ENTRIES = {
    1: "Replay by pointer or object",
    2: "Replay by content",
    3: "Call counter",
    4: "Batch and skip",
    5: "Partial work",
    6: "Constant answers",
    7: "Aliasing",
    8: "Stale memory",
    9: "Work before the window",
    10: "Work on another stream, context or process",
    11: "Work by a thread after the return",
    12: "Lazy outputs",
    13: "Host work hidden from the timer",
    14: "Patched timers",
    15: "Patched checker or generator",
    16: "Patches at C level",
    17: "Reading the expected output",
    18: "Changed inputs",
    19: "Forged results",
    20: "Early exits and blame",
    21: "Collapsing the score",
    22: "Attacks on the build",
    23: "Telling the checked call",
    24: "Known seeds, tampered generators",
    25: "Hard-coded answers",
    26: "Secrets in the environment",
    27: "Living on in the process",
    28: "Surviving the process",
    29: "Files left behind",
    30: "Network",
    31: "L2 set aside",
    32: "Clocks and power",
    33: "Slowing the baseline",
    34: "Precision downgrade",
    35: "NaN and infinity",
    36: "Libraries that the rules forbid",
    37: "Sabotage",
}

# Expected outcomes: these, a status, or the rule of a finding that fails or
# holds the result.
# Passes, and reports no shorter a time than the honest solution.
NO_GAIN = "no gain"
# Passes with any finding that holds the result for a review.
HELD = "held"

# Ends with the error of work that outlives its call.
RUNNING = "work still running"

WRONG = "INCORRECT_NUMERICAL"
CRASH = "RUNTIME_ERROR"
TIMEOUT = "TIMEOUT"
SHAPE = "INCORRECT_SHAPE"
DTYPE = "INCORRECT_DTYPE"
COMPILE = "COMPILE_ERROR"

SLOW = "log_softmax_n2048"
DOUBLE = "double_n1024"
BIG_DOUBLE = "double_n4096"
SHORT = "log_softmax_n512"
TINY = "double_n8"
STORED = "double_stored_n1024"
STORED_SLOW = "log_softmax_stored_n2048"
SUMS = "row_sums_n4096"
TWO = "two_outputs_n1024"
ARGMAX = "row_argmax_n1024"


# The honest solutions that attacks are compared with, by form and definition.
_PLAIN = {
    ("so", SLOW): "so_honest_log_softmax",
    ("py", SLOW): "py_honest_log_softmax",
    ("so", SHORT): "so_honest_short",
    ("so", DOUBLE): "so_honest_double",
    ("py", DOUBLE): "py_honest_double",
    ("py", BIG_DOUBLE): "py_honest_double_returning",
}


class Solution(NamedTuple):
    """A file below solutions/, and what has to come of it.

    `entry` is its number above; 0: honest, which has to pass with no finding.
    `expected` are the outcomes that are right, `texts` what the log must hold.
    `spec` goes into the solution's spec.
    """

    entry: int
    device: str
    file: str
    definition: str
    expected: tuple
    texts: tuple
    spec: dict
    name: str

    @property
    def form(self):
        """What kind of program it is: `so` or `py`."""
        return "py" if self.file.endswith(".py") else "so"

    @property
    def is_honest(self):
        return self.entry == 0

    @property
    def is_plain(self):
        """Whether attacks on its definition are compared with it."""
        return self.is_honest and self.name == _PLAIN.get((self.form, self.definition))


class Covered(NamedTuple):
    """An entry, or a side of it, that another test shows."""

    entry: int
    device: str
    why: str
    file: str
    # Name in that file.
    test: str


def make_attack(device):
    """Shorthand for rows of a manifest."""

    def attack(entry, file, definition, *expected, texts=(), name="", **spec):
        return _solution(entry, device, file, definition, expected, texts, spec, name)

    return attack


def make_honest(device):
    """As make_attack."""

    def honest(file, definition, name="", **spec):
        return _solution(0, device, file, definition, ("PASSED",), (), spec, name)

    return honest


def _solution(entry, device, file, definition, expected, texts, spec, name):
    stem, _, ending = file.partition(".")
    form = "py" if ending == "py" else "so"
    full = f"{form}_{name or stem}"
    return Solution(
        entry, device, file, definition, tuple(expected), tuple(texts), spec, full
    )
