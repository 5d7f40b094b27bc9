"""Small trace sets for tests, written into a folder."""

import json
import pathlib
import struct

DOUBLE = {
    "name": "double_n8",
    "op_type": "elementwise",
    "axes": {"rows": {"type": "var"}, "n": {"type": "const", "value": 8}},
    "inputs": {"x": {"shape": ["rows", "n"], "dtype": "float32"}},
    "outputs": {"y": {"shape": ["rows", "n"], "dtype": "float32"}},
    "reference": "def run(x):\n    return x * 2\n",
}


def workload(uuid="double-4", rows=4, definition="double_n8", **changes):
    value = {
        "uuid": uuid,
        "axes": {"rows": rows},
        "inputs": {"x": {"type": "random"}},
    }
    value.update(changes)
    return {
        "definition": definition,
        "solution": None,
        "workload": value,
        "evaluation": None,
    }


def solution(name, sources, definition="double_n8", **spec):
    """A solution; `sources` is the text of its one file or a dict of files."""
    language = spec.get("language", "python")
    main = "main.py" if language == "python" else "main.cpp"
    if isinstance(sources, str):
        sources = {main: sources}
    value = {
        "name": name,
        "definition": definition,
        "author": "tester",
        "spec": {
            "language": language,
            "target_hardware": ["cpu"],
            "entry_point": f"{main}::run",
            "dependencies": [],
        },
        "sources": [{"path": p, "content": c} for p, c in sources.items()],
    }
    value["spec"].update(spec)
    return value


def write_json(path, value):
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1))
    return path


def write_safetensors(path, key, shape, row):
    """A file with one float32 tensor, all of whose rows are `row`."""
    count = 1
    for size in shape[:-1]:
        count *= size
    data = struct.pack(f"<{len(row)}f", *row) * count
    header = json.dumps(
        {key: {"dtype": "F32", "shape": shape, "data_offsets": [0, len(data)]}}
    ).encode()
    path = pathlib.Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(struct.pack("<Q", len(header)) + header + data)


def write(folder, definitions=(DOUBLE,), workloads=(), solutions=()):
    """Writes a packed trace set; returns its folder."""
    folder = pathlib.Path(folder)
    for item in definitions:
        write_json(
            folder / "definitions" / item["op_type"] / f"{item['name']}.json", item
        )
    for item in solutions:
        write_json(
            folder / "solutions" / item["author"] / f"{item['name']}.json", item
        )
    by_definition = {}
    for item in workloads:
        by_definition.setdefault(item["definition"], []).append(json.dumps(item))
    for name, lines in by_definition.items():
        path = folder / "workloads" / "any" / f"{name}.jsonl"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n")
    return folder
