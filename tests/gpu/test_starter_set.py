"""The starter set's part for GPUs, all of it, on one worker."""

import collections
import json
import unittest

import gpu_testing
import installation


class StarterSetTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        starter = installation.dist() / "share" / "assay" / "traceset"
        word = gpu_testing.hardware()
        cls.specs = {
            name: spec
            for name, spec in gpu_testing.specs(starter).items()
            if word in spec["target_hardware"]
        }
        cls.workloads = workloads_for(starter, word)
        with gpu_testing.Session() as session:
            session.start_worker()
            cls.submitted = session.assay(
                "submit", starter, "--watch", timeout=gpu_testing.WATCH_SECONDS
            )
            cls.traces = session.traces()
            cls.log = session.log()

    def test_set_has_solutions_in_every_language_and_binding(self):
        counted = self.count(self.specs)
        for kind in (
            ("cuda", "c"),
            ("cuda", "tvm-ffi"),
            ("triton", ""),
            ("python", ""),
        ):
            self.assertGreater(counted[kind], 0, kind)

    def count(self, names):
        return collections.Counter(
            (self.specs[name]["language"], self.specs[name].get("binding", ""))
            for name in names
        )

    def test_everything_passes(self):
        failures = [
            f"{t['solution']} {t['workload']['axes']}: {t['evaluation']['status']}\n"
            f"{t['evaluation']['log'][:1500]}"
            for t in self.traces
            if t["evaluation"]["status"] != "PASSED"
        ]
        self.assertEqual(failures, [], "\n".join(failures))
        self.assertEqual(
            self.submitted.returncode, 0, self.submitted.stdout[-3000:] + self.log
        )

    def test_every_solution_met_every_workload_of_its_definition(self):
        met = collections.defaultdict(set)
        for trace in self.traces:
            met[trace["solution"]].add(trace["workload"]["uuid"])
        self.assertEqual(self.count(met), self.count(self.specs))
        definitions = {t["solution"]: t["definition"] for t in self.traces}
        for name, uuids in met.items():
            self.assertEqual(uuids, self.workloads[definitions[name]], name)

    def test_times_are_kernel_spans(self):
        timers = collections.Counter()
        for trace in self.traces:
            evaluation = trace["evaluation"]
            performance = evaluation["performance"]
            self.assertGreater(performance["latency_ms"], 0)
            self.assertGreater(performance["reference_latency_ms"], 0)
            timers[evaluation["assay"]["timing"]["timer"]] += 1
        self.assertEqual(timers, {"cupti": len(self.traces)})

    def test_environment_names_what_bears_on_the_times(self):
        environment = self.traces[0]["evaluation"]["environment"]
        self.assertIn("NVIDIA", environment["hardware"])
        for name in ("cuda", "cuda_driver", "nvidia_driver", "torch", "triton"):
            self.assertIn(name, environment["libs"])


def workloads_for(traceset, word):
    """Definition to the uuids of its workloads that this hardware runs."""
    found = collections.defaultdict(set)
    for path in traceset.glob("workloads/**/*.jsonl"):
        for line in path.read_text().splitlines():
            item = json.loads(line)
            if word in item["workload"].get("target_hardware", [word]):
                found[item["definition"]].add(item["workload"]["uuid"])
    return found


if __name__ == "__main__":
    unittest.main()
