"""What became of a solution, and whether that is what was expected."""

from entries import CRASH, HELD, NO_GAIN, RUNNING

# A result that gains nothing has at least this share of the honest latency:
# the rest is noise.
LEAST_RATIO = 0.8

# What the log of such an end says.
_STILL_RUNNING = "was still running after the call"


def findings(evaluation):
    """Findings that fail or hold the result."""
    found = evaluation.get("assay", {}).get("findings", [])
    return [f for f in found if f["effect"] in ("fail", "hold")]


def is_held(evaluation):
    return any(f["effect"] == "hold" for f in findings(evaluation))


def latency_ms(evaluation):
    """None unless it passed."""
    performance = evaluation.get("performance") if evaluation else None
    return performance["latency_ms"] if performance else None


def rules(evaluation):
    return [finding["rule"] for finding in findings(evaluation)]


def got(evaluation):
    """The outcome in a word or two, for people."""
    if evaluation is None:
        return "no verdict"
    found = ", ".join(rules(evaluation))
    status = evaluation["status"]
    if not found:
        return status
    return f"{status}, held" if is_held(evaluation) else status


def is_caught(evaluation, ratio, may_pass):
    """Whether a cheat came to nothing.

    Args:
      evaluation: None when there was no verdict.
      ratio: its latency as a share of the honest one; None unless it passed.
      may_pass: passing without a gain is right for it.
    """
    if evaluation is None:
        return False
    if evaluation["status"] != "PASSED" or is_held(evaluation):
        return True
    return may_pass and ratio is not None and ratio >= LEAST_RATIO


def problem(item, evaluation, ratio):
    """Why the outcome is not what the manifest says; empty when it is."""
    if evaluation is None:
        return "there is no verdict"
    outcomes = {evaluation["status"], *rules(evaluation)}
    if is_held(evaluation):
        outcomes.add(HELD)
    if is_caught(evaluation, ratio, True) and evaluation["status"] == "PASSED":
        outcomes.add(NO_GAIN)
    if evaluation["status"] == CRASH and _STILL_RUNNING in evaluation["log"]:
        outcomes.add(RUNNING)
    outcomes.discard("PASSED")
    if not outcomes & set(item.expected):
        gain = "" if ratio is None else f", in {ratio:.2f} of the honest time"
        return (
            f"expected {' or '.join(item.expected)}, got {got(evaluation)} "
            f"{rules(evaluation)}{gain}: {_tail(evaluation)}"
        )
    missing = [text for text in item.texts if text not in evaluation["log"]]
    return f"the log lacks {missing}: {_tail(evaluation)}" if missing else ""


def honest_problem(evaluation):
    """Why an honest solution was not treated as one; empty when it was."""
    if evaluation is None:
        return "there is no verdict"
    if evaluation["status"] == "PASSED" and not findings(evaluation):
        return ""
    return f"got {got(evaluation)} {findings(evaluation)}: {_tail(evaluation)}"


def _tail(evaluation):
    return evaluation["log"][-1500:]
