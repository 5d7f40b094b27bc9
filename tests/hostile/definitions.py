"""What is attacked: small operators whose every element matters.

Answers are far from zero, from the input, and from each other's, so that no
constant is near; see `assay validate` for what it says of weaker ones.
"""

import json
import struct

# Rows of each workload, by definition and device.
ROWS = {
    "log_softmax_n2048": {"cpu": 256, "cuda": 8192},
    "double_n1024": {"cpu": 64, "cuda": 4096},
    "log_softmax_n512": {"cpu": 8, "cuda": 8},
    "double_n4096": {"cpu": 512, "cuda": 8192},
    "double_n8": {"cpu": 4, "cuda": 4},
    "double_stored_n1024": {"cpu": 64, "cuda": 64},
    "row_sums_n4096": {"cpu": 64, "cuda": 4096},
    "two_outputs_n1024": {"cpu": 64, "cuda": 4096},
    "row_argmax_n1024": {"cpu": 64, "cuda": 4096},
}

STORED = "double_stored_n1024"
STORED_VALUE = 1.5


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
    if name == STORED:
        given = {
            "type": "safetensors",
            "path": "blob/workloads/stored.safetensors",
            "tensor_key": "x",
        }
    return {
        "definition": name,
        "solution": None,
        "workload": {"uuid": f"{name}-w", "axes": {"rows": rows}, "inputs": {"x": given}},
        "evaluation": None,
    }


def write_stored_inputs(folder, device):
    """The safetensors file of the workload whose values are public."""
    shape = [ROWS[STORED][device], 1024]
    data = struct.pack("<f", STORED_VALUE) * (shape[0] * shape[1])
    header = json.dumps(
        {"x": {"dtype": "F32", "shape": shape, "data_offsets": [0, len(data)]}}
    ).encode()
    path = folder / "blob" / "workloads" / "stored.safetensors"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<Q", len(header)) + header + data)
