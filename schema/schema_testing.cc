#include "schema/schema_testing.h"

#include <string>

namespace assay {
namespace {

v1::TensorSpec& AddTensor(
    google::protobuf::RepeatedPtrField<v1::TensorSpec>& tensors,
    const std::string& name) {
  v1::TensorSpec& tensor = *tensors.Add();
  tensor.set_name(name);
  tensor.set_dtype(v1::DTYPE_FLOAT32);
  return tensor;
}

}  // namespace

v1::Definition ScaleDefinition() {
  v1::Definition definition;
  definition.set_name("scale");
  definition.set_op_type("scale");
  v1::Axis& batch = *definition.add_axes();
  batch.set_name("batch");
  batch.set_kind(v1::Axis::VAR);
  v1::Axis& hidden = *definition.add_axes();
  hidden.set_name("hidden");
  hidden.set_kind(v1::Axis::CONST);
  hidden.set_value(16);
  v1::TensorSpec& x = AddTensor(*definition.mutable_inputs(), "x");
  x.add_shape("batch");
  x.add_shape("hidden");
  AddTensor(*definition.mutable_inputs(), "factor").set_is_scalar(true);
  v1::TensorSpec& y = AddTensor(*definition.mutable_outputs(), "y");
  y.add_shape("batch");
  y.add_shape("hidden");
  definition.set_reference("def run(x, factor):\n    return x * factor\n");
  return definition;
}

v1::Solution ScaleSolution() {
  v1::Solution solution;
  solution.set_name("scale_c");
  solution.set_definition("scale");
  solution.set_author("assay");
  v1::BuildSpec& spec = *solution.mutable_spec();
  spec.set_language(v1::BuildSpec::CPP);
  spec.add_target_hardware("cpu");
  spec.set_entry_point("kernel.cpp::scale");
  spec.set_destination_passing_style(true);
  spec.set_binding(v1::BuildSpec::C);
  v1::SourceFile& source = *solution.add_sources();
  source.set_path("kernel.cpp");
  source.set_content("// scale\n");
  return solution;
}

v1::Workload ScaleWorkload() {
  v1::Workload workload;
  workload.set_uuid("w-1");
  v1::AxisValue& batch = *workload.add_axes();
  batch.set_name("batch");
  batch.set_value(4);
  v1::WorkloadInput& x = *workload.add_inputs();
  x.set_name("x");
  x.mutable_random();
  v1::WorkloadInput& factor = *workload.add_inputs();
  factor.set_name("factor");
  factor.mutable_scalar()->set_float_value(2.5);
  return workload;
}

v1::Evaluation PassedEvaluation() {
  v1::Evaluation evaluation;
  evaluation.set_status(v1::PASSED);
  evaluation.set_log("built\n");
  evaluation.mutable_correctness()->set_max_relative_error(0.25);
  evaluation.mutable_correctness()->set_max_absolute_error(0.5);
  evaluation.mutable_correctness()->set_matched_ratio(0.875);
  v1::Performance& performance = *evaluation.mutable_performance();
  performance.set_latency_ms(0.5);
  performance.set_reference_latency_ms(2);
  performance.set_speedup_factor(4);
  performance.set_latency_p10_ms(0.25);
  performance.set_latency_p90_ms(0.75);
  performance.set_num_samples(3);
  performance.set_timer(v1::HOST_CLOCK);
  for (const double sample : {0.25, 0.5, 0.75}) {
    performance.add_samples_ms(sample);
  }
  performance.set_host_latency_ms(0.625);
  performance.set_unstable(true);
  performance.set_repeats(2);
  v1::DeviceState& state = *performance.mutable_device_state();
  state.set_min_sm_clock_mhz(1755);
  state.set_max_sm_clock_mhz(1980);
  state.set_memory_clock_mhz(2619);
  state.set_max_temperature_c(71);
  state.add_throttle_reasons("power_cap");
  state.add_throttle_reasons("thermal");
  evaluation.mutable_environment()->set_hardware("AMD_EPYC_9554");
  (*evaluation.mutable_environment()->mutable_libs())["torch"] = "1.13.1";
  (*evaluation.mutable_environment()->mutable_libs())["g++"] = "12.2.0";
  // 2026-01-31T12:00:00.25Z
  evaluation.mutable_timestamp()->set_seconds(1769860800);
  evaluation.mutable_timestamp()->set_nanos(250000000);
  v1::EvaluationConfig& config = *evaluation.mutable_config();
  config.set_warmup_runs(10);
  config.set_iterations(50);
  config.set_num_trials(3);
  config.set_atol(1e-2);
  config.set_rtol(1e-3);
  config.set_required_matched_ratio(1);
  config.mutable_build_timeout()->set_seconds(300);
  config.mutable_load_timeout()->set_seconds(60);
  config.mutable_run_timeout()->set_nanos(500000000);
  config.set_time_reference(true);
  config.set_evaluator("sampling");
  config.set_sampling_validation_trials(1000);
  config.set_sampling_tvd_threshold(0.25);
  v1::StageTime& stage = *evaluation.add_stage_times();
  stage.set_stage("build");
  stage.mutable_duration()->set_seconds(2);
  stage.mutable_duration()->set_nanos(125000000);
  v1::Finding& finding = *evaluation.add_findings();
  finding.set_rule("input_modified");
  finding.set_evidence("x changed");
  finding.set_effect(v1::Finding::NOTE);
  evaluation.set_seed("00112233445566778899aabbccddeeff");
  evaluation.set_sandbox("bubblewrap");
  return evaluation;
}

v1::Trace ScaleTrace() {
  v1::Trace trace;
  trace.set_definition("scale");
  *trace.mutable_workload() = ScaleWorkload();
  trace.set_solution("scale_c");
  *trace.mutable_evaluation() = PassedEvaluation();
  return trace;
}

}  // namespace assay
