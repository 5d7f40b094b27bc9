"""What Assay reports against CUPTI alone, for kernels of known length."""

import json
import statistics
import subprocess
import unittest

import gpu_testing
import installation

COLUMNS = 256
DEFINITION = {
    "name": "known_length",
    "op_type": "elementwise",
    "axes": {"rows": {"type": "var"}, "n": {"type": "const", "value": COLUMNS}},
    "inputs": {
        "x": {"shape": ["rows", "n"], "dtype": "float32"},
        "microseconds": {"shape": None, "dtype": "int32"},
    },
    "outputs": {"y": {"shape": ["rows", "n"], "dtype": "float32"}},
    "reference": "def run(x, microseconds):\n    return x * 2\n",
}
ROW_BYTES = COLUMNS * 4
SPIN_MICROSECONDS = (2, 5, 20, 200, 2000)
COPY_BYTES = tuple(1 << shift for shift in (14, 18, 22, 26, 28, 30))
FLAGS = (
    "--warmup", "10", "--iterations", "100", "--trials", "2",
    "--no-reference-timing",
)

# Below this length the difference may be ABSOLUTE_US, above RELATIVE.
SHORT_US = 5
ABSOLUTE_US = 0.2
RELATIVE = 0.02


def workload(definition, uuid, rows, microseconds):
    return {
        "definition": definition,
        "solution": None,
        "workload": {
            "uuid": uuid,
            "axes": {"rows": rows},
            "inputs": {
                "x": {"type": "random"},
                "microseconds": {"type": "scalar", "value": microseconds},
            },
        },
        "evaluation": None,
    }


# Solutions, each of a definition of its name, and what they are run with.
WORKLOADS = {
    "known_length": [
        workload("known_length", f"spin-{us}us", 1, us) for us in SPIN_MICROSECONDS
    ]
    + [
        workload("known_length", f"copy-{size >> 10}KiB", size // ROW_BYTES, 0)
        for size in COPY_BYTES
    ],
    # So long that the second kernel is queued before the first ends: what the
    # host takes to queue it is not the same in both measurements.
    "two_streams": [workload("two_streams", "streams-2x200us", 2, 200)],
}


def subject(name):
    return gpu_testing.solution(
        name,
        f"accuracy/{name}.cu",
        definition=name,
        language="cuda",
        binding="c",
    )


class AccuracyBenchmark(unittest.TestCase):
    def test_reported_latency_is_cupti_s(self):
        workloads = [item for items in WORKLOADS.values() for item in items]
        with gpu_testing.Session() as session:
            session.load([DEFINITION | {"name": name} for name in WORKLOADS], workloads)
            libraries = {
                name: self.compile(name, session.folder) for name in WORKLOADS
            }
            before = self.references(libraries)
            session.start_worker()
            session.watch(
                [session.submit(subject(name), *FLAGS) for name in WORKLOADS]
            )
            after = self.references(libraries)
            traces = session.traces()
        results = [
            self.result(item["workload"], traces, before, after)
            for item in workloads
        ]
        gpu_testing.write_results(
            "accuracy",
            {
                "flags": FLAGS,
                "environment": traces[0]["evaluation"]["environment"],
                "kernels": results,
            },
        )
        gpu_testing.print_table(
            ("kernel", "Assay us", "CUPTI us", "difference us", "%", "timer"),
            [
                (
                    r["kernel"],
                    f"{r['assay_us']:.3f}",
                    f"{r['cupti_us']:.3f}",
                    f"{r['difference_us']:+.3f}",
                    f"{100 * r['difference']:+.2f}",
                    r["timer"],
                )
                for r in results
            ],
        )
        for r in results:
            with self.subTest(r["kernel"]):
                self.assertEqual(r["timer"], "cupti")
                if r["cupti_us"] < SHORT_US:
                    self.assertLessEqual(abs(r["difference_us"]), ABSOLUTE_US)
                else:
                    self.assertLessEqual(abs(r["difference"]), RELATIVE)

    def compile(self, name, folder):
        """The solution as the reference program loads it."""
        library = folder / f"{name}.so"
        source = gpu_testing.SOLUTIONS / "accuracy" / f"{name}.cu"
        include = installation.dist() / "share" / "assay" / "tvm_ffi" / "include"
        subprocess.run(
            [gpu_testing.nvcc(), "-std=c++17", "-O3", "-arch=native", "--shared",
             "-Xcompiler=-fPIC", f"-I{include}", "-o", library, source],
            check=True,
        )
        return library

    def references(self, libraries):
        """Each workload's median, in microseconds, by CUPTI alone."""
        medians = {}
        for item in (item for items in WORKLOADS.values() for item in items):
            library = libraries[item["definition"]]
            axes = item["workload"]["axes"]
            length = item["workload"]["inputs"]["microseconds"]["value"]
            process = subprocess.run(
                [installation.test_programs() / "cupti_reference", library,
                 str(axes["rows"]), str(COLUMNS), str(length)],
                capture_output=True, text=True, check=False,
            )
            self.assertEqual(process.returncode, 0, process.stderr)
            medians[item["workload"]["uuid"]] = json.loads(process.stdout)["median_us"]
        return medians

    def result(self, item, traces, before, after):
        uuid = item["uuid"]
        found = [t for t in traces if t["workload"]["uuid"] == uuid]
        self.assertEqual(len(found), 1, uuid)
        evaluation = found[0]["evaluation"]
        self.assertEqual(evaluation["status"], "PASSED", evaluation["log"])
        assay = evaluation["performance"]["latency_ms"] * 1000
        # The clocks may drift: the yardstick is laid on before and after.
        cupti = statistics.mean((before[uuid], after[uuid]))
        return {
            "kernel": uuid,
            "assay_us": assay,
            "cupti_us": cupti,
            "cupti_before_us": before[uuid],
            "cupti_after_us": after[uuid],
            "difference_us": assay - cupti,
            "difference": (assay - cupti) / cupti,
            "timer": evaluation["assay"]["timing"]["timer"],
            "timing": {
                key: value
                for key, value in evaluation["assay"]["timing"].items()
                if key != "samples_ms"
            },
        }


if __name__ == "__main__":
    unittest.main()
