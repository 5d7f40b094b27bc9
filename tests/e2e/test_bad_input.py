"""Bad input gets a clear error, with nothing lost and nothing crashed."""

import copy
import json
import os
import socket
import sqlite3
import struct
import subprocess
import tempfile
import unittest

import installation
import trace_sets

GOOD = trace_sets.solution("good", "def run(x, y):\n    y.copy_(x * 2)\n")


def changed(value, **changes):
    """A deep copy with top-level members replaced; None removes one."""
    result = copy.deepcopy(value)
    for key, new in changes.items():
        if new is None:
            del result[key]
        else:
            result[key] = new
    return result


def with_sources(*paths):
    return changed(GOOD, sources=[{"path": p, "content": ""} for p in paths])


SHAPE = changed(
    trace_sets.DOUBLE,
    inputs={"x": {"shape": ["rows", "hiden"], "dtype": "float32"}},
)

# Name, definition, workload, solution, texts that the output must hold.
FOLDERS = [
    ("missing_field", changed(trace_sets.DOUBLE, reference=None), None, None, ["reference"]),
    ("mistyped_field", changed(trace_sets.DOUBLE, axes=3), None, None, ["axes", "3"]),
    ("unknown_axis", SHAPE, None, None, ['"hiden"', "shape"]),
    (
        "overlapping_names",
        changed(
            trace_sets.DOUBLE,
            outputs={"x": {"shape": ["rows", "n"], "dtype": "float32"}},
        ),
        None,
        None,
        ["$.outputs.x", "another name"],
    ),
    ("unknown_dtype",
     changed(trace_sets.DOUBLE, inputs={"x": {"shape": ["n"], "dtype": "float31"}}),
     None, None, ['"float31"', "float32"]),
    ("absolute_source", None, None, with_sources("/etc/main.py"), ['"/etc/main.py"']),
    ("parent_source", None, None, with_sources("../main.py"), ['"../main.py"']),
    ("nul_source", None, None, with_sources("main.py", "a\0b"), ["NUL"]),
    ("duplicate_source", None, None, with_sources("main.py", "main.py"), ['"main.py"']),
    ("entry_not_in_sources", None, None, with_sources("other.py"), ['"main.py"']),
    ("wrong_arity", None, None,
     changed(GOOD, sources=[{"path": "main.py", "content": "def run(x):\n  pass\n"}]),
     ["def run(x, y)"]),
    ("negative_axis", None, trace_sets.workload(rows=-1), None, ["-1", "rows"]),
    ("missing_axis", None, trace_sets.workload(axes={}), None, ["rows"]),
    ("huge_axis", None, trace_sets.workload(rows=1 << 60), None, ['"x"', str(1 << 60), "smaller"]),
    ("missing_input", None, trace_sets.workload(inputs={}), None, ["inputs.x", "missing"]),
    (
        "missing_file",
        None,
        trace_sets.workload(
            inputs={"x": {"type": "safetensors", "path": "blob/no.safetensors",
                          "tensor_key": "x"}}
        ),
        None,
        ["blob/no.safetensors"],
    ),
]


class FolderTest(unittest.TestCase):
    """What is wrong in a folder is named by validate, and import keeps going."""

    def check(self, definition, workload, solution, texts):
        with tempfile.TemporaryDirectory(prefix="assay-bad-") as folder:
            trace_sets.write(
                folder,
                definitions=[definition or trace_sets.DOUBLE],
                workloads=[workload or trace_sets.workload()],
                solutions=[solution or GOOD],
            )
            process = installation.assay("validate", folder)
            output = process.stdout + process.stderr
            self.assertEqual(process.returncode, 65, output)
            for text in texts:
                self.assertIn(text, output)

    def test_malformed_json_names_line_and_column(self):
        with tempfile.TemporaryDirectory(prefix="assay-bad-") as folder:
            trace_sets.write(folder)
            path = os.path.join(folder, "definitions", "elementwise", "broken.json")
            with open(path, "w", encoding="utf-8") as file:
                file.write('{"name": "x",\n "op_type" "y"}')
            process = installation.assay("validate", folder)
            self.assertEqual(process.returncode, 65, process.stdout)
            self.assertIn("broken.json", process.stdout)
            self.assertIn("line 2", process.stdout)

    def test_folder_that_is_none(self):
        process = installation.assay("validate", "/no/such/folder")
        self.assertNotEqual(process.returncode, 0)
        self.assertIn("/no/such/folder", process.stderr)


for _name, *_rest in FOLDERS:
    setattr(
        FolderTest,
        f"test_{_name}",
        lambda self, rest=tuple(_rest): self.check(*rest),
    )


def safetensors(header, data=b"", length=None):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text) if length is None else length) + text + data


def tensor(dtype="F32", shape=(4, 8), begin=0, end=128):
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}


# Name, file, text that validate must print.
SAFETENSORS = [
    ("empty", b"", "safetensors"),
    ("truncated_header", struct.pack("<Q", 1000) + b"{}", "header"),
    ("endless_header", safetensors(b"{}", length=1 << 62), "header"),
    ("not_json", safetensors(b"{x"), "header"),
    ("missing_key", safetensors({"y": tensor()}, bytes(128)), '"x"'),
    ("wrong_dtype", safetensors({"x": tensor("F16", end=64)}, bytes(64)), "float16"),
    ("wrong_shape", safetensors({"x": tensor(shape=(8, 4))}, bytes(128)), "[8, 4]"),
    ("beyond_the_end", safetensors({"x": tensor()}, bytes(8)), "x"),
    ("size_disagrees", safetensors({"x": tensor(end=64)}, bytes(64)), "x"),
    ("negative_offset", safetensors({"x": tensor(begin=-4, end=124)}, bytes(128)), "x"),
    ("lfs_pointer",
     b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
     "git lfs pull"),
]


class SafetensorsTest(unittest.TestCase):
    def check(self, content, text):
        with tempfile.TemporaryDirectory(prefix="assay-bad-") as folder:
            trace_sets.write(
                folder,
                workloads=[
                    trace_sets.workload(
                        inputs={"x": {"type": "safetensors", "tensor_key": "x",
                                      "path": "blob/x.safetensors"}}
                    )
                ],
            )
            os.makedirs(os.path.join(folder, "blob"))
            with open(os.path.join(folder, "blob/x.safetensors"), "wb") as file:
                file.write(content)
            process = installation.assay("validate", folder)
            self.assertEqual(process.returncode, 65, process.stdout)
            self.assertIn("x.safetensors", process.stdout)
            self.assertIn(text, process.stdout)


for _name, _content, _text in SAFETENSORS:
    setattr(
        SafetensorsTest,
        f"test_{_name}",
        lambda self, c=_content, t=_text: self.check(c, t),
    )


class StoreTest(unittest.TestCase):
    """A coordinator that cannot work says why and ends."""

    def start(self, *flags, listen="127.0.0.1:0"):
        process = subprocess.run(
            [installation.program("assay-coordinator"), f"--listen={listen}", *flags],
            capture_output=True, text=True, check=False, timeout=60,
        )
        self.assertNotEqual(process.returncode, 0, process.stdout)
        return process.stderr

    def setUp(self):
        self.folder = self.enterContext(
            tempfile.TemporaryDirectory(prefix="assay-store-")
        )
        self.store = os.path.join(self.folder, "assay.db")

    def test_port_in_use(self):
        with socket.socket() as taken:
            taken.bind(("127.0.0.1", 0))
            taken.listen()
            address = f"127.0.0.1:{taken.getsockname()[1]}"
            error = self.start(f"--store={self.store}", listen=address)
        self.assertIn(address, error)
        self.assertIn("in use", error)

    def test_not_a_database(self):
        with open(self.store, "w", encoding="utf-8") as file:
            file.write("just some text, long enough to be taken for a page\n" * 100)
        error = self.start(f"--store={self.store}")
        self.assertIn("not a database", error)
        with open(self.store, encoding="utf-8") as file:
            self.assertTrue(file.read().startswith("just some text"))

    def test_folder_in_its_place(self):
        os.mkdir(self.store)
        self.assertIn(self.store, self.start(f"--store={self.store}"))

    def test_newer_than_the_program(self):
        with installation.Stack() as stack:
            stack.start_coordinator()
            stack.coordinator.stop()
            database = sqlite3.connect(stack.store)
            tables = database.execute("SELECT name FROM sqlite_master").fetchall()
            table = next(n for (n,) in tables if "migration" in n)
            columns = database.execute(f"PRAGMA table_info({table})").fetchall()
            row = database.execute(f"SELECT * FROM {table} LIMIT 1").fetchone()
            version = next(i for i, c in enumerate(columns) if c[1] == "version")
            newer = list(row)
            newer[version] = 999
            database.execute(
                f"INSERT INTO {table} VALUES ({','.join('?' * len(newer))})", newer
            )
            database.commit()
            database.close()
            error = self.start(f"--store={stack.store}")
        self.assertIn("999", error)
        self.assertIn("newer", error)

    def test_read_only_folder(self):
        # Not by permissions: root passes those.
        error = self.start("--store=/proc/assay.db")
        self.assertIn("/proc/assay.db", error)

    def test_second_coordinator_on_the_same_store(self):
        with installation.Stack() as stack:
            stack.start_coordinator()
            self.assertIn(str(stack.store), self.start(f"--store={stack.store}"))


class UnreachableTest(unittest.TestCase):
    def test_missing_coordinator_is_named(self):
        process = installation.assay(
            "definitions", "list", server="127.0.0.1:1", timeout=60
        )
        self.assertEqual(process.returncode, 5)
        self.assertIn("127.0.0.1:1", process.stderr)

    def test_unknown_command_is_a_usage_error(self):
        process = installation.assay("evaluate")
        self.assertEqual(process.returncode, 64)


if __name__ == "__main__":
    unittest.main()
