"""Solutions of the manifest as `assay submit` takes them."""

import pathlib
import re

import trace_sets

FOLDER = pathlib.Path(__file__).resolve().parent / "solutions"

_HEADER = re.compile(r'^#include "([^"/]+)"', re.MULTILINE)
_LANGUAGES = {".cpp": "cpp", ".cu": "cuda", ".py": "python"}


def path_of(item):
    return FOLDER / item.device / item.file


def sources(path):
    """The file and the headers of ours that it includes, by name."""
    found = {}
    waiting = [path]
    while waiting:
        file = waiting.pop()
        if file.name in found or not file.exists():
            continue
        found[file.name] = file.read_text()
        for name in _HEADER.findall(found[file.name]):
            waiting += [path.parent / name, FOLDER / "common" / name]
    return found


def solution(item, port, name=None):
    """`port` is the coordinator's, for who would like to call there."""
    path = path_of(item)
    spec = {
        "language": _LANGUAGES[path.suffix],
        "target_hardware": [item.device],
        "entry_point": f"{path.name}::run",
    }
    if path.suffix != ".py":
        spec["binding"] = "c"
    spec.update(item.spec)
    if "compile_options" in spec:
        spec["compile_options"] = [
            option.replace("{port}", str(port)) for option in spec["compile_options"]
        ]
    return trace_sets.solution(
        name or item.name, sources(path), definition=item.definition, **spec
    )
