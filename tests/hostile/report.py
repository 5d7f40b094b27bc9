"""The table and the catch rate."""

import statistics

from entries import ENTRIES

import verdicts


def row(item, evaluation, ratio, problem):
    """One line of the results, as JSON has it."""
    return {
        "entry": item.entry,
        "title": ENTRIES.get(item.entry, "honest"),
        "solution": item.name,
        "form": item.form,
        "device": item.device,
        "expected": list(item.expected),
        "got": verdicts.got(evaluation),
        "findings": [] if evaluation is None else verdicts.findings(evaluation),
        "latency_ms": verdicts.latency_ms(evaluation),
        "latency_ratio": ratio,
        "problem": problem,
    }


def covered_row(covered):
    """An entry, or a side of it, that another test shows."""
    return {
        "entry": covered.entry,
        "title": ENTRIES[covered.entry],
        "solution": covered.why,
        "form": "-",
        "device": covered.device,
        "expected": [f"{covered.file} {covered.test}"],
        "got": "see there",
        "findings": [],
        "latency_ms": None,
        "latency_ratio": None,
        "problem": "",
    }


HEADER = ("entry", "solution", "form", "expected", "got", "finding", "time / honest")


def cells(result):
    """A line of the table."""
    ratio = result["latency_ratio"]
    return (
        result["entry"] or "honest",
        result["solution"],
        result["form"],
        " or ".join(result["expected"]),
        result["got"] + (" (!)" if result["problem"] else ""),
        ", ".join(f["rule"] for f in result["findings"]) or "-",
        "-" if ratio is None else f"{ratio:.2f}",
    )


def summary(device, attacks, caught, honest, false_findings, ratios):
    """The lines below the table."""
    lines = [
        f"{device}: caught {caught} of {attacks}; "
        f"false findings {false_findings} of {honest}"
    ]
    for form, values in sorted(ratios.items()):
        if values:
            lines.append(
                f"{device}: honest {form} after hostile ones / at the start: "
                f"median {statistics.median(values):.2f}, "
                f"{min(values):.2f} to {max(values):.2f}"
            )
    return lines
