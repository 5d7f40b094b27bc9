"""How far the medians of fresh submissions of one kernel lie apart."""

import pathlib
import statistics
import unittest

import bench_accuracy
import gpu_testing
import installation

SUBMISSIONS = 10
SPIN_MICROSECONDS = (20, 200, 2000)
STARTER = "scale/scale_h4096/scale_h4096_cuda_vectorized"
# (max - min) / median, from FROM_US up.
SPREAD = 0.01
FROM_US = 20
FLAGS = ("--no-reference-timing",)


class SpreadBenchmark(unittest.TestCase):
    def test_medians_of_fresh_submissions_agree(self):
        starter = installation.dist() / "share" / "assay" / "traceset"
        folder = starter / "solutions" / "assay" / pathlib.Path(STARTER)
        with gpu_testing.Session() as session:
            session.load(
                [bench_accuracy.DEFINITION],
                [
                    bench_accuracy.workload("known_length", f"spin-{us}us", 1, us)
                    for us in SPIN_MICROSECONDS
                ],
            )
            imported = session.assay(
                "import", starter, "--definitions", folder.parent.name
            )
            self.assertEqual(imported.returncode, 0, imported.stderr)
            session.start_worker()
            for _ in range(SUBMISSIONS):
                ids = [session.submit(bench_accuracy.subject("known_length"), *FLAGS)]
                ids.append(session.submit_path(folder, *FLAGS))
                session.watch(ids)
            traces = session.traces()
        results = self.summarize(traces)
        gpu_testing.write_results(
            "spread",
            {
                "submissions": SUBMISSIONS,
                "environment": traces[0]["evaluation"]["environment"],
                "kernels": results,
            },
        )
        gpu_testing.print_table(
            ("kernel", "median us", "spread %", "cv %", "unstable"),
            [
                (
                    r["kernel"],
                    f"{r['median_us']:.3f}",
                    f"{100 * r['spread']:.3f}",
                    f"{100 * r['cv']:.3f}",
                    r["unstable"],
                )
                for r in results
            ],
        )
        for r in results:
            with self.subTest(r["kernel"]):
                self.assertEqual(len(r["medians_us"]), SUBMISSIONS)
                # A spin of 20 us is there to be judged, whichever side of it.
                if r["median_us"] >= FROM_US - 1:
                    self.assertLessEqual(r["spread"], SPREAD)

    def summarize(self, traces):
        medians, unstable = {}, {}
        for trace in traces:
            evaluation = trace["evaluation"]
            self.assertEqual(evaluation["status"], "PASSED", evaluation["log"])
            axes = " ".join(f"{k}={v}" for k, v in trace["workload"]["axes"].items())
            uuid = trace["workload"]["uuid"]
            kernel = uuid if uuid.startswith("spin") else f"{trace['solution']} {axes}"
            medians.setdefault(kernel, []).append(
                evaluation["performance"]["latency_ms"] * 1000
            )
            unstable.setdefault(kernel, 0)
            unstable[kernel] += evaluation["assay"]["timing"].get("unstable", False)
        return [
            {
                "kernel": kernel,
                "median_us": statistics.median(values),
                "spread": (max(values) - min(values)) / statistics.median(values),
                "cv": statistics.stdev(values) / statistics.mean(values),
                "unstable": unstable[kernel],
                "medians_us": values,
            }
            for kernel, values in sorted(medians.items())
        ]


if __name__ == "__main__":
    unittest.main()
