#include "tests/load/samples.h"

#include <algorithm>
#include <random>
#include <vector>

#include "absl/strings/str_cat.h"

namespace assay::load {
namespace {

constexpr int kHiddenSize = 4096;
constexpr int kSamples = 150;
constexpr int kSourceBytes = 3500;

void AddTensor(const char* name, std::initializer_list<const char*> shape,
               v1::TensorSpec& tensor) {
  tensor.set_name(name);
  for (const char* axis : shape) tensor.add_shape(axis);
  tensor.set_dtype(v1::DTYPE_FLOAT32);
}

void AddStages(v1::Evaluation& evaluation) {
  int milliseconds = 1;
  for (const char* name :
       {"build", "inputs", "baseline", "start", "load", "check", "measure"}) {
    v1::StageTime& stage = *evaluation.add_stage_times();
    stage.set_stage(name);
    stage.mutable_duration()->set_nanos(++milliseconds * 1'000'000);
  }
}

void FillConfig(v1::EvaluationConfig& config) {
  config.set_warmup_runs(10);
  config.set_iterations(50);
  config.set_num_trials(3);
  config.set_atol(0.01);
  config.set_rtol(0.01);
  config.set_required_matched_ratio(1);
  config.mutable_build_timeout()->set_seconds(300);
  config.mutable_load_timeout()->set_seconds(60);
  config.mutable_run_timeout()->set_seconds(300);
  config.set_time_reference(true);
}

void FillEnvironment(v1::Environment& environment) {
  environment.set_hardware(kHardware);
  auto& libs = *environment.mutable_libs();
  libs["assay"] = "0.1.0";
  libs["g++"] = "12.2.0";
  libs["python"] = "3.11.2";
  libs["torch"] = "1.13.1";
  libs["linux"] = "6.1.0";
}

void FillPerformance(std::mt19937_64& random, v1::Performance& performance) {
  std::lognormal_distribution<double> speed(0.7, 0.5);
  std::normal_distribution<double> noise(1, 0.01);
  const double speedup = speed(random);
  const double latency = 0.25 / speedup;
  std::vector<double> sorted;
  for (int i = 0; i < kSamples; ++i) {
    performance.add_samples_ms(latency * noise(random));
  }
  sorted.assign(performance.samples_ms().begin(),
                performance.samples_ms().end());
  std::sort(sorted.begin(), sorted.end());
  performance.set_latency_ms(sorted[kSamples / 2]);
  performance.set_latency_p10_ms(sorted[kSamples / 10]);
  performance.set_latency_p90_ms(sorted[kSamples * 9 / 10]);
  performance.set_reference_latency_ms(0.25);
  performance.set_speedup_factor(0.25 / performance.latency_ms());
  performance.set_host_latency_ms(latency * 1.1);
  performance.set_num_samples(kSamples);
  performance.set_timer(v1::HOST_CLOCK);
}

}  // namespace

std::string DefinitionName(int index) {
  return absl::StrCat("rmsnorm_load_h", index);
}

v1::Definition MakeDefinition(int index) {
  v1::Definition definition;
  definition.set_name(DefinitionName(index));
  definition.set_op_type("rmsnorm");
  definition.set_description("y = x / sqrt(mean(x^2) + eps) * weight");
  v1::Axis& batch = *definition.add_axes();
  batch.set_name("batch_size");
  batch.set_kind(v1::Axis::VAR);
  v1::Axis& hidden = *definition.add_axes();
  hidden.set_name("hidden_size");
  hidden.set_kind(v1::Axis::CONST);
  hidden.set_value(kHiddenSize + index);
  AddTensor("x", {"batch_size", "hidden_size"}, *definition.add_inputs());
  AddTensor("weight", {"hidden_size"}, *definition.add_inputs());
  AddTensor("y", {"batch_size", "hidden_size"}, *definition.add_outputs());
  definition.set_reference(
      "import torch\n\n\ndef run(x, weight):\n"
      "    scale = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6)\n"
      "    return x * scale * weight\n");
  return definition;
}

std::string WorkloadUuid(int definition, int index) {
  return absl::StrCat("load-", definition, "-", index);
}

v1::Workload MakeWorkload(int definition, int index) {
  v1::Workload workload;
  workload.set_uuid(WorkloadUuid(definition, index));
  v1::AxisValue& batch = *workload.add_axes();
  batch.set_name("batch_size");
  batch.set_value(index + 1);
  for (const char* name : {"x", "weight"}) {
    v1::WorkloadInput& input = *workload.add_inputs();
    input.set_name(name);
    input.mutable_random();
  }
  return workload;
}

std::string SolutionName(int definition, int index) {
  return absl::StrCat("rmsnorm_load_h", definition, "_s", index);
}

v1::Solution MakeSolution(int definition, int index, int64_t revision) {
  v1::Solution solution;
  solution.set_name(SolutionName(definition, index));
  solution.set_definition(DefinitionName(definition));
  // Some authors with some solutions each.
  solution.set_author(absl::StrCat("author-", index % 20));
  v1::BuildSpec& spec = *solution.mutable_spec();
  spec.set_language(v1::BuildSpec::PYTHON);
  spec.add_target_hardware("cpu");
  spec.set_entry_point("main.py::run");
  spec.set_destination_passing_style(false);
  v1::SourceFile& source = *solution.add_sources();
  source.set_path("main.py");
  std::string& content = *source.mutable_content();
  content = absl::StrCat("# revision ", revision, "\nimport torch\n\n\n",
                         "def run(x, weight):\n    return x * weight\n");
  while (content.size() < kSourceBytes) {
    absl::StrAppend(&content, "# A line of a kernel that does more than this ",
                    content.size(), "\n");
  }
  return solution;
}

v1::Device MakeDevice() {
  v1::Device device;
  device.set_kind("cpu");
  device.set_model(kHardware);
  device.set_architecture("x86_64");
  device.set_memory_bytes(int64_t{16} << 30);
  device.add_languages(v1::BuildSpec::PYTHON);
  return device;
}

v1::Evaluation MakeEvaluation(uint64_t number) {
  std::mt19937_64 random(number);
  v1::Evaluation evaluation;
  const bool passed = number % 10 != 9;
  evaluation.set_status(passed ? v1::PASSED : v1::INCORRECT_NUMERICAL);
  evaluation.set_log("passed all checks\n");
  evaluation.mutable_correctness()->set_max_absolute_error(1e-6);
  evaluation.mutable_correctness()->set_max_relative_error(1e-5);
  evaluation.mutable_correctness()->set_matched_ratio(passed ? 1 : 0.5);
  if (passed) FillPerformance(random, *evaluation.mutable_performance());
  FillEnvironment(*evaluation.mutable_environment());
  evaluation.mutable_timestamp()->set_seconds(1'767'225'600);
  FillConfig(*evaluation.mutable_config());
  AddStages(evaluation);
  evaluation.set_seed("0123456789abcdef0123456789abcdef");
  evaluation.set_sandbox("bubblewrap");
  return evaluation;
}

}  // namespace assay::load
