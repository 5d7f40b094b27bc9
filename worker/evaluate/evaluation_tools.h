// What an evaluation works with: one set for the life of the worker.

#ifndef ASSAY_WORKER_EVALUATE_EVALUATION_TOOLS_H_
#define ASSAY_WORKER_EVALUATE_EVALUATION_TOOLS_H_

#include <vector>

#include "absl/synchronization/mutex.h"
#include "base/clock.h"
#include "worker/build/builder.h"
#include "worker/device/device.h"
#include "worker/evaluate/baseline_pool.h"
#include "worker/evaluate/case_inputs.h"
#include "worker/evaluate/latency_cache.h"
#include "worker/launcher/launcher.h"
#include "worker/runner/native_runner.h"
#include "worker/runner/python_zygote.h"
#include "worker/sandbox/sandbox.h"

namespace assay {

// All of it outlives every evaluation.
struct EvaluationTools {
  Device& device;
  Launcher& launcher;
  const Sandbox& sandbox;
  Builder& builder;
  NativeRunnerOptions native_runner;
  // Solutions and references never share a process, nor its parent.
  PythonZygote& solution_zygote;
  BaselinePool& baselines;
  BlobSource& blobs;
  LatencyCache& reference_latencies;
  const Clock& clock;
  // Held by whoever works on the device: leases prepare at the same time, and
  // measure one after the other.
  absl::Mutex& device_turn;
  // Processors of whoever has the turn; empty: all alike.
  std::vector<int> measuring_cpus;
};

}  // namespace assay

#endif  // ASSAY_WORKER_EVALUATE_EVALUATION_TOOLS_H_
