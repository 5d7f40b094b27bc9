"""Where the time of the whole starter set goes, with caches cold and warm."""

import pathlib
import tempfile
import time
import unittest

import gpu_testing
import installation

# In the order that an evaluation has them; `assay.stage_times` of each.
STAGES = ("build", "start", "load", "inputs", "baseline", "check", "measure")
# Those in which the device works for an evaluation.
DEVICE_STAGES = ("inputs", "baseline", "check", "measure")
NATIVE = ("cuda", "cpp")
BUSY_SHARE = 0.6
ELSE_SECONDS = {"native": 0.5, "python": 1.0}


class CostBenchmark(unittest.TestCase):
    def test_starter_set_cold_and_warm(self):
        runs = {}
        with tempfile.TemporaryDirectory(prefix="assay-cost-") as folder:
            cache = pathlib.Path(folder) / "cache"
            for name in ("cold", "warm"):
                runs[name] = self.run_set(cache)
                gpu_testing.write_results("cost", runs)
                self.show(name, runs[name])
        # With cold caches the device waits for builds, too, which no stage tells.
        for group, limit in ELSE_SECONDS.items():
            self.assertLessEqual(runs["warm"]["groups"][group]["else_s"], limit)
        self.assertGreaterEqual(runs["warm"]["device_share"], BUSY_SHARE)

    def run_set(self, cache):
        starter = installation.dist() / "share" / "assay" / "traceset"
        with gpu_testing.Session() as session:
            session.start_worker(cache=cache)
            languages = {
                name: spec["language"]
                for name, spec in gpu_testing.specs(starter).items()
            }
            start = time.monotonic()
            process = session.assay("submit", starter, "--watch", timeout=580)
            wall = time.monotonic() - start
            self.assertEqual(process.returncode, 0, process.stdout + process.stderr)
            traces = session.traces()
        return self.summarize(traces, languages, wall)

    def summarize(self, traces, languages, wall):
        groups = {"native": [], "python": []}
        for trace in traces:
            language = languages[trace["solution"]]
            group = "native" if language in NATIVE else "python"
            groups[group].append(stage_seconds(trace["evaluation"]))
        everything = groups["native"] + groups["python"]
        # Builds run beside the device; the rest is one evaluation at a time.
        staged = sum(
            sum(t for stage, t in times.items() if stage not in ("build", "waiting"))
            for times in everything
        )
        between = max(0.0, wall - staged) / len(everything)
        device = sum(t.get(s, 0) for t in everything for s in DEVICE_STAGES)
        measuring = sum(t.get("measure", 0) for t in everything)
        return {
            "evaluations": len(everything),
            "wall_s": wall,
            "device_share": device / wall,
            "measure_share": measuring / wall,
            "between_s": between,
            "environment": traces[0]["evaluation"]["environment"],
            "groups": {
                name: self.group(times, between) for name, times in groups.items()
            },
            "definitions": self.by_definition(traces),
        }

    def by_definition(self, traces):
        """Definition to the seconds that its evaluations took in each stage."""
        found = {}
        for trace in traces:
            stages = found.setdefault(trace["definition"], {"evaluations": 0})
            stages["evaluations"] += 1
            for stage, seconds in stage_seconds(trace["evaluation"]).items():
                stages[stage] = stages.get(stage, 0) + seconds
        return found

    def group(self, times, between):
        """Means over the evaluations of one kind, in seconds."""
        stages = sorted({stage for t in times for stage in t})
        means = {
            stage: sum(t.get(stage, 0) for t in times) / len(times) for stage in stages
        }
        beyond = sum(
            seconds
            for stage, seconds in means.items()
            if stage not in (*DEVICE_STAGES, "build", "waiting")
        )
        return {
            "evaluations": len(times),
            "stages_s": means,
            # All but build and device: start, load, and what lies between.
            "else_s": beyond + between,
        }

    def show(self, name, run):
        print(
            f"\n{name}: {run['evaluations']} evaluations in {run['wall_s']:.1f} s; "
            f"the device was at work for {100 * run['device_share']:.0f} % of "
            f"that, and timed solutions for {100 * run['measure_share']:.0f} %"
        )
        gpu_testing.print_table(
            ("ms per evaluation", "evaluations", *STAGES, "between", "else"),
            [
                (
                    group,
                    values["evaluations"],
                    *(f"{1000 * values['stages_s'].get(s, 0):.0f}" for s in STAGES),
                    f"{1000 * run['between_s']:.0f}",
                    f"{1000 * values['else_s']:.0f}",
                )
                for group, values in run["groups"].items()
            ],
        )
        gpu_testing.print_table(
            ("ms in all", "evaluations", *STAGES),
            [
                (
                    name,
                    values["evaluations"],
                    *(f"{1000 * values.get(s, 0):.0f}" for s in STAGES),
                )
                for name, values in sorted(run["definitions"].items())
            ],
        )


def stage_seconds(evaluation):
    """Stage to seconds; a stage may occur more than once."""
    seconds = {}
    for item in evaluation["assay"]["stage_times"]:
        seconds.setdefault(item["stage"], 0)
        seconds[item["stage"]] += item["duration_s"]
    return seconds


if __name__ == "__main__":
    unittest.main()
