"""What Assay reports against CUPTI alone, for kernels of known length."""

import json
import statistics
import subprocess
import unittest

import gpu_testing
import installation

COLUMNS = 256
DEFINITION = {
    "name": "known_length_n256",
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


def workload(uuid, rows, microseconds):
    return {
        "definition": DEFINITION["name"],
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


def spin_workloads():
    return [workload(f"spin-{us}us", 1, us) for us in SPIN_MICROSECONDS]


def copy_workloads():
    return [
        workload(f"copy-{size >> 10}KiB", size // ROW_BYTES, 0) for size in COPY_BYTES
    ]


def known_length(name="known_length"):
    return gpu_testing.solution(
        name,
        "accuracy/known_length.cu",
        definition=DEFINITION["name"],
        language="cuda",
        binding="c",
    )


class AccuracyBenchmark(unittest.TestCase):
    def test_reported_latency_is_cupti_s(self):
        workloads = spin_workloads() + copy_workloads()
        with gpu_testing.Session() as session:
            session.load([DEFINITION], workloads)
            library = self.compile(session.folder)
            before = self.references(library, workloads)
            session.start_worker()
            session.watch([session.submit(known_length(), *FLAGS)])
            after = self.references(library, workloads)
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
                if r["cupti_us"] < SHORT_US:
                    self.assertLessEqual(abs(r["difference_us"]), ABSOLUTE_US)
                else:
                    self.assertLessEqual(abs(r["difference"]), RELATIVE)

    def compile(self, folder):
        """The solution as the reference program loads it."""
        library = folder / "known_length.so"
        source = gpu_testing.SOLUTIONS / "accuracy" / "known_length.cu"
        include = installation.dist() / "share" / "assay" / "tvm_ffi" / "include"
        subprocess.run(
            [gpu_testing.nvcc(), "-std=c++17", "-O3", "-arch=native", "--shared",
             "-Xcompiler=-fPIC", f"-I{include}", "-o", library, source],
            check=True,
        )
        return library

    def references(self, library, workloads):
        """Each workload's median, in microseconds, by CUPTI alone."""
        medians = {}
        for item in workloads:
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
