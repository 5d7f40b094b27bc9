// Small valid objects for tests.

#ifndef ASSAY_SERVER_CATALOG_SAMPLES_TESTING_H_
#define ASSAY_SERVER_CATALOG_SAMPLES_TESTING_H_

#include <string>

#include "assay/v1/definition.pb.h"
#include "assay/v1/device.pb.h"
#include "assay/v1/evaluation.pb.h"
#include "assay/v1/solution.pb.h"
#include "assay/v1/workload.pb.h"

namespace assay {

// y = x * factor over [n, 64] floats.
inline v1::Definition SampleDefinition(const std::string& name = "scale_d64") {
  v1::Definition definition;
  definition.set_name(name);
  definition.set_op_type("scale");
  v1::Axis& n = *definition.add_axes();
  n.set_name("n");
  n.set_kind(v1::Axis::VAR);
  v1::Axis& d = *definition.add_axes();
  d.set_name("d");
  d.set_kind(v1::Axis::CONST);
  d.set_value(64);
  v1::TensorSpec& x = *definition.add_inputs();
  x.set_name("x");
  x.add_shape("n");
  x.add_shape("d");
  x.set_dtype(v1::DTYPE_FLOAT32);
  v1::TensorSpec& factor = *definition.add_inputs();
  factor.set_name("factor");
  factor.set_is_scalar(true);
  factor.set_dtype(v1::DTYPE_FLOAT32);
  v1::TensorSpec& y = *definition.add_outputs();
  y.set_name("y");
  y.add_shape("n");
  y.add_shape("d");
  y.set_dtype(v1::DTYPE_FLOAT32);
  definition.set_reference("def run(x, factor):\n    return x * factor\n");
  return definition;
}

inline v1::Solution SampleSolution(const std::string& name = "scale_python",
                                   const std::string& author = "author",
                                   const std::string& hardware = "cpu") {
  v1::Solution solution;
  solution.set_name(name);
  solution.set_definition("scale_d64");
  solution.set_author(author);
  v1::BuildSpec& spec = *solution.mutable_spec();
  spec.set_language(v1::BuildSpec::PYTHON);
  spec.add_target_hardware(hardware);
  spec.set_entry_point("main.py::run");
  spec.set_destination_passing_style(false);
  v1::SourceFile& source = *solution.add_sources();
  source.set_path("main.py");
  source.set_content("def run(x, factor):\n    return factor * x\n");
  return solution;
}

inline v1::Workload SampleWorkload(const std::string& uuid = "w1", int n = 4) {
  v1::Workload workload;
  workload.set_uuid(uuid);
  v1::AxisValue& axis = *workload.add_axes();
  axis.set_name("n");
  axis.set_value(n);
  v1::WorkloadInput& x = *workload.add_inputs();
  x.set_name("x");
  x.mutable_random();
  v1::WorkloadInput& factor = *workload.add_inputs();
  factor.set_name("factor");
  factor.mutable_scalar()->set_float_value(2.5);
  return workload;
}

inline v1::Device SampleDevice() {
  v1::Device device;
  device.set_kind("cpu");
  device.set_model("TEST_CPU");
  device.set_architecture("x86_64");
  device.set_memory_bytes(int64_t{1} << 30);
  device.add_languages(v1::BuildSpec::PYTHON);
  device.add_languages(v1::BuildSpec::CPP);
  device.add_bindings(v1::BuildSpec::C);
  return device;
}

inline v1::Evaluation SampleEvaluation(v1::EvaluationStatus status = v1::PASSED,
                                       double speedup = 2.0) {
  v1::Evaluation evaluation;
  evaluation.set_status(status);
  evaluation.set_log("log");
  evaluation.mutable_environment()->set_hardware("TEST_CPU");
  evaluation.mutable_timestamp()->set_seconds(1767225600);
  if (status == v1::PASSED || status == v1::INCORRECT_NUMERICAL) {
    evaluation.mutable_correctness()->set_max_absolute_error(0.5);
  }
  if (status == v1::PASSED) {
    v1::Performance& performance = *evaluation.mutable_performance();
    performance.set_latency_ms(1.0);
    performance.set_reference_latency_ms(speedup);
    performance.set_speedup_factor(speedup);
    performance.set_timer(v1::HOST_CLOCK);
    performance.set_num_samples(10);
  }
  return evaluation;
}

}  // namespace assay

#endif  // ASSAY_SERVER_CATALOG_SAMPLES_TESTING_H_
