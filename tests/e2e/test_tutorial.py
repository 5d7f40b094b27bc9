"""docs/bring-your-own-kernel.md, carried out word by word."""

import pathlib
import re
import shlex
import subprocess
import tempfile
import unittest

import installation

TUTORIAL = installation.REPOSITORY / "docs" / "bring-your-own-kernel.md"
BLOCK = re.compile(r"^```(\w+) ?(.*?)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class TutorialTest(unittest.TestCase):
    def test_every_step_does_what_it_says(self):
        commands = 0
        output = ""
        with tempfile.TemporaryDirectory(prefix="assay-tutorial-") as folder:
            for language, note, content in BLOCK.findall(TUTORIAL.read_text()):
                options = dict(
                    part.split("=", 1) for part in shlex.split(note) if "=" in part
                )
                if "file" in options:
                    path = pathlib.Path(folder) / options["file"]
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_text(content)
                elif language == "bash":
                    commands += 1
                    output = self.run_command(
                        content, folder, int(options.get("exit", 0))
                    )
                elif note == "expect":
                    for line in content.splitlines():
                        self.assertIn(line, output)
        self.assertGreaterEqual(commands, 4)

    def run_command(self, command, folder, code):
        process = subprocess.run(
            ["bash", "-euc", command],
            cwd=folder,
            capture_output=True,
            text=True,
            timeout=installation.RUN_SECONDS,
            check=False,
        )
        output = process.stdout + process.stderr
        self.assertEqual(process.returncode, code, f"{command}\n{output}")
        return output


if __name__ == "__main__":
    unittest.main()
