"""What is attacked: small operators whose every element matters.

Answers are far from zero, from the input, and from each other's, so that no
constant is near; see `assay validate` for what it says of weaker ones.
"""

import trace_sets

# Rows of each workload, by definition and device.
ROWS = {
    "log_softmax_n2048": {"cpu": 256, "cuda": 8192},
    "double_n1024": {"cpu": 64, "cuda": 4096},
    "log_softmax_n512": {"cpu": 8, "cuda": 8},
    "double_n4096": {"cpu": 512, "cuda": 8192},
    "double_n8": {"cpu": 4, "cuda": 4},
    "double_stored_n1024": {"cpu": 64, "cuda": 64},
    "log_softmax_stored_n2048": {"cpu": 256, "cuda": 256},
    "row_sums_n4096": {"cpu": 64, "cuda": 4096},
    "two_outputs_n1024": {"cpu": 64, "cuda": 4096},
    "row_argmax_n1024": {"cpu": 64, "cuda": 4096},
}

STORED = "double_stored_n1024"
STORED_SLOW = "log_softmax_stored_n2048"
# A row of the workloads whose values are public; all rows are alike.
STORED_ROWS = {
    STORED: [1.5] * 1024,
    STORED_SLOW: [(37 * column % 1000) / 500 - 1 for column in range(2048)],
}


def _definition(name, op_type, columns, reference, outputs):
    full = ["rows", "n"]
    return {
        "name": name,
        "op_type": op_type,
        "axes": {"rows": {"type": "var"}, "n": {"type": "const", "value": columns}},
        "inputs": {"x": {"shape": full, "dtype": "float32"}},
        "outputs": outputs,
        "reference": f"import torch\n\n\ndef run(x):\n    return {reference}\n",
    }


def _full(*names):
    return {name: {"shape": ["rows", "n"], "dtype": "float32"} for name in names}


def _per_row(dtype):
    return {"y": {"shape": ["rows"], "dtype": dtype}}


DEFINITIONS = (
    # The one whose work takes long enough that hiding it pays.
    _definition(
        "log_softmax_n2048",
        "softmax",
        2048,
        "torch.log_softmax(x * 32, dim=-1)",
        _full("y"),
    ),
    # The same, in less time than a process takes to wake up.
    _definition(
        "log_softmax_n512",
        "softmax",
        512,
        "torch.log_softmax(x * 32, dim=-1)",
        _full("y"),
    ),
    _definition("double_n1024", "elementwise", 1024, "x * 2", _full("y")),
    # The same, where moving the memory takes a while.
    _definition("double_n4096", "elementwise", 4096, "x * 2", _full("y")),
    _definition("double_n8", "elementwise", 8, "x * 2", _full("y")),
    _definition(STORED, "elementwise", 1024, "x * 2", _full("y")),
    _definition(
        STORED_SLOW,
        "softmax",
        2048,
        "torch.log_softmax(x * 32, dim=-1)",
        _full("y"),
    ),
    _definition("row_sums_n4096", "reduction", 4096, "x.sum(-1)", _per_row("float32")),
    _definition(
        "two_outputs_n1024", "elementwise", 1024, "(x * 2, x + 10)", _full("y", "z")
    ),
    _definition(
        "row_argmax_n1024", "reduction", 1024, "x.argmax(-1)", _per_row("int64")
    ),
)


def workloads(device):
    """One workload for each definition."""
    return [_workload(name, rows[device]) for name, rows in ROWS.items()]


def _workload(name, rows):
    given = {"type": "random"}
    if name in STORED_ROWS:
        given = {
            "type": "safetensors",
            "path": f"blob/workloads/{name}.safetensors",
            "tensor_key": "x",
        }
    return {
        "definition": name,
        "solution": None,
        "workload": {"uuid": f"{name}-w", "axes": {"rows": rows}, "inputs": {"x": given}},
        "evaluation": None,
    }


def write_stored_inputs(folder, device):
    """The safetensors files of the workloads whose values are public."""
    for name, row in STORED_ROWS.items():
        path = folder / "blob" / "workloads" / f"{name}.safetensors"
        trace_sets.write_safetensors(path, "x", [ROWS[name][device], len(row)], row)
