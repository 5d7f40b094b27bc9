// The member `assay` of an evaluation: what Assay knows beyond the schema.

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "schema/json_objects.h"
#include "schema/json_path.h"

namespace assay::json_internal {
namespace {

using google::protobuf::Duration;

// What DeviceState.throttle_reasons knows.
constexpr absl::string_view kThrottleReasons[] = {
    "hardware_slowdown", "power_brake", "power_cap", "sync_boost", "thermal"};

double Seconds(const Duration& duration) {
  return static_cast<double>(duration.seconds()) + 1e-9 * duration.nanos();
}

// A member that counts seconds; beyond 30 years it is a mistake.
absl::optional<Duration> ReadSeconds(JsonObject& object,
                                     absl::string_view name) {
  const absl::optional<double> seconds = object.OptionalDouble(name);
  if (!seconds.has_value()) return absl::nullopt;
  if (!(*seconds >= 0 && *seconds <= 1e9)) {
    object.Complain(
        name, absl::StrCat("must be from 0 to 1e9 seconds, not ", *seconds));
    return absl::nullopt;
  }
  Duration duration;
  const int64_t nanos = std::llround(*seconds * 1e9);
  duration.set_seconds(nanos / 1000000000);
  duration.set_nanos(static_cast<int32_t>(nanos % 1000000000));
  return duration;
}

// Enum values as lower-case words.
std::string Word(const std::string& name) {
  return absl::AsciiStrToLower(name);
}

void ReadTimer(JsonObject& object, v1::Performance& performance) {
  const std::string name = object.OptionalString("timer");
  v1::Timer timer = v1::TIMER_UNSPECIFIED;
  if (name.empty()) return;
  if (v1::Timer_Parse(absl::AsciiStrToUpper(name), &timer)) {
    performance.set_timer(timer);
  } else {
    object.Complain("timer", absl::StrCat("unknown timer ", Quoted(name),
                                          ", use one of: host_clock, cupti, "
                                          "cuda_events"));
  }
}

v1::DeviceState ReadDeviceState(const Json& value, const std::string& path,
                                Problems& problems) {
  JsonObject object(value, path, problems);
  const auto read = [&](absl::string_view name) {
    return object.OptionalInt32(name).value_or(0);
  };
  v1::DeviceState state;
  state.set_min_sm_clock_mhz(read("min_sm_clock_mhz"));
  state.set_max_sm_clock_mhz(read("max_sm_clock_mhz"));
  state.set_memory_clock_mhz(read("memory_clock_mhz"));
  state.set_max_temperature_c(read("max_temperature_c"));
  for (std::string& reason : object.OptionalStrings("throttle_reasons")) {
    if (std::find(std::begin(kThrottleReasons), std::end(kThrottleReasons),
                  reason) == std::end(kThrottleReasons)) {
      object.Complain(
          "throttle_reasons",
          absl::StrCat("unknown reason ", Quoted(reason), ", use some of: ",
                       absl::StrJoin(kThrottleReasons, ", ")));
    }
    state.add_throttle_reasons(std::move(reason));
  }
  return state;
}

void ReadTiming(const Json& value, const std::string& path, Problems& problems,
                v1::Performance& performance) {
  JsonObject object(value, path, problems);
  performance.set_latency_p10_ms(
      object.OptionalDouble("latency_p10_ms").value_or(0));
  performance.set_latency_p90_ms(
      object.OptionalDouble("latency_p90_ms").value_or(0));
  performance.set_num_samples(object.OptionalInt32("num_samples").value_or(0));
  ReadTimer(object, performance);
  performance.set_host_latency_ms(
      object.OptionalDouble("host_latency_ms").value_or(0));
  performance.set_unstable(object.OptionalBool("unstable").value_or(false));
  performance.set_repeats(object.OptionalInt32("repeats").value_or(0));
  if (const Json* state = object.OptionalValue("device_state")) {
    *performance.mutable_device_state() =
        ReadDeviceState(*state, object.PathOf("device_state"), problems);
  }
  if (object.OptionalValue("samples_ms") == nullptr) return;
  object.ForEachElement(
      "samples_ms", [&](const Json& sample, const std::string& sample_path) {
        const absl::optional<double> ms = DoubleFromJson(sample);
        if (!ms.has_value()) object.ComplainAt(sample_path, "a number", sample);
        performance.add_samples_ms(ms.value_or(0));
      });
}

v1::EvaluationConfig ReadConfig(const Json& value, const std::string& path,
                                Problems& problems) {
  JsonObject object(value, path, problems);
  v1::EvaluationConfig config;
  if (const auto n = object.OptionalInt32("warmup_runs")) {
    config.set_warmup_runs(*n);
  }
  if (const auto n = object.OptionalInt32("iterations")) {
    config.set_iterations(*n);
  }
  if (const auto n = object.OptionalInt32("num_trials")) {
    config.set_num_trials(*n);
  }
  if (const auto x = object.OptionalDouble("atol")) config.set_atol(*x);
  if (const auto x = object.OptionalDouble("rtol")) config.set_rtol(*x);
  if (const auto x = object.OptionalDouble("required_matched_ratio")) {
    config.set_required_matched_ratio(*x);
  }
  if (const auto t = ReadSeconds(object, "build_timeout_s")) {
    *config.mutable_build_timeout() = *t;
  }
  if (const auto t = ReadSeconds(object, "load_timeout_s")) {
    *config.mutable_load_timeout() = *t;
  }
  if (const auto t = ReadSeconds(object, "run_timeout_s")) {
    *config.mutable_run_timeout() = *t;
  }
  if (const auto b = object.OptionalBool("time_reference")) {
    config.set_time_reference(*b);
  }
  if (object.OptionalValue("evaluator") != nullptr) {
    config.set_evaluator(object.String("evaluator"));
  }
  if (const auto n = object.OptionalInt32("sampling_validation_trials")) {
    config.set_sampling_validation_trials(*n);
  }
  if (const auto x = object.OptionalDouble("sampling_tvd_threshold")) {
    config.set_sampling_tvd_threshold(*x);
  }
  return config;
}

v1::Finding ReadFinding(const Json& value, const std::string& path,
                        Problems& problems) {
  JsonObject object(value, path, problems);
  v1::Finding finding;
  finding.set_rule(object.String("rule"));
  finding.set_evidence(object.OptionalString("evidence"));
  const absl::optional<std::string> name = object.Word("effect");
  v1::Finding::Effect effect = v1::Finding::EFFECT_UNSPECIFIED;
  if (name.has_value() &&
      !v1::Finding::Effect_Parse(absl::AsciiStrToUpper(*name), &effect)) {
    object.Complain("effect", absl::StrCat("unknown effect ", Quoted(*name),
                                           ", use one of: note, hold, fail"));
  }
  finding.set_effect(effect);
  return finding;
}

v1::StageTime ReadStageTime(const Json& value, const std::string& path,
                            Problems& problems) {
  JsonObject object(value, path, problems);
  v1::StageTime stage;
  stage.set_stage(object.String("stage"));
  if (const auto duration = ReadSeconds(object, "duration_s")) {
    *stage.mutable_duration() = *duration;
  }
  return stage;
}

Json DeviceStateJson(const v1::DeviceState& state) {
  Json json = Json::object();
  const auto add = [&](const char* name, int32_t value) {
    if (value != 0) json[name] = value;
  };
  add("min_sm_clock_mhz", state.min_sm_clock_mhz());
  add("max_sm_clock_mhz", state.max_sm_clock_mhz());
  add("memory_clock_mhz", state.memory_clock_mhz());
  add("max_temperature_c", state.max_temperature_c());
  for (const std::string& reason : state.throttle_reasons()) {
    json["throttle_reasons"].push_back(reason);
  }
  return json;
}

Json TimingJson(const v1::Performance& performance) {
  Json json = Json::object();
  json["latency_p10_ms"] = DoubleToJson(performance.latency_p10_ms());
  json["latency_p90_ms"] = DoubleToJson(performance.latency_p90_ms());
  json["num_samples"] = performance.num_samples();
  if (performance.timer() != v1::TIMER_UNSPECIFIED) {
    json["timer"] = Word(v1::Timer_Name(performance.timer()));
  }
  if (performance.host_latency_ms() != 0) {
    json["host_latency_ms"] = DoubleToJson(performance.host_latency_ms());
  }
  if (performance.unstable()) json["unstable"] = true;
  if (performance.repeats() != 0) json["repeats"] = performance.repeats();
  if (performance.has_device_state()) {
    json["device_state"] = DeviceStateJson(performance.device_state());
  }
  if (!performance.samples_ms().empty()) {
    json["samples_ms"] = Json::array();
    for (const double sample : performance.samples_ms()) {
      json["samples_ms"].push_back(DoubleToJson(sample));
    }
  }
  return json;
}

Json ConfigJson(const v1::EvaluationConfig& config) {
  Json json = Json::object();
  if (config.has_warmup_runs()) json["warmup_runs"] = config.warmup_runs();
  if (config.has_iterations()) json["iterations"] = config.iterations();
  if (config.has_num_trials()) json["num_trials"] = config.num_trials();
  if (config.has_atol()) json["atol"] = DoubleToJson(config.atol());
  if (config.has_rtol()) json["rtol"] = DoubleToJson(config.rtol());
  if (config.has_required_matched_ratio()) {
    json["required_matched_ratio"] =
        DoubleToJson(config.required_matched_ratio());
  }
  if (config.has_build_timeout()) {
    json["build_timeout_s"] = Seconds(config.build_timeout());
  }
  if (config.has_load_timeout()) {
    json["load_timeout_s"] = Seconds(config.load_timeout());
  }
  if (config.has_run_timeout()) {
    json["run_timeout_s"] = Seconds(config.run_timeout());
  }
  if (config.has_time_reference()) {
    json["time_reference"] = config.time_reference();
  }
  if (config.has_evaluator()) json["evaluator"] = config.evaluator();
  if (config.has_sampling_validation_trials()) {
    json["sampling_validation_trials"] = config.sampling_validation_trials();
  }
  if (config.has_sampling_tvd_threshold()) {
    json["sampling_tvd_threshold"] =
        DoubleToJson(config.sampling_tvd_threshold());
  }
  return json;
}

Json FindingJson(const v1::Finding& finding) {
  Json json = Json::object();
  json["rule"] = finding.rule();
  json["effect"] = Word(v1::Finding::Effect_Name(finding.effect()));
  json["evidence"] = finding.evidence();
  return json;
}

bool HasTiming(const v1::Performance& performance) {
  return performance.num_samples() != 0 || performance.latency_p10_ms() != 0 ||
         performance.latency_p90_ms() != 0 ||
         performance.timer() != v1::TIMER_UNSPECIFIED ||
         performance.host_latency_ms() != 0 || performance.unstable() ||
         performance.repeats() != 0 || performance.has_device_state() ||
         !performance.samples_ms().empty();
}

// Keeps what a later Assay added, so that it survives a round trip here.
void KeepUnknown(const std::string& unknown, v1::Evaluation& evaluation) {
  if (unknown.empty()) return;
  Json all = Json::object();
  AppendUnknown(evaluation.unknown_json(), all);
  all["assay"] = Json::object();
  AppendUnknown(unknown, all["assay"]);
  evaluation.set_unknown_json(DumpJson(all));
}

// What KeepUnknown kept.
void RestoreUnknown(const v1::Evaluation& evaluation, Json& json) {
  Json all = Json::object();
  AppendUnknown(evaluation.unknown_json(), all);
  const auto kept = all.find("assay");
  if (kept == all.end() || !kept->is_object()) return;
  for (const auto& [name, value] : kept->items()) {
    if (!json.contains(name)) json[name] = value;
  }
}

}  // namespace

void ReadAssayMember(const Json& value, const std::string& path,
                     Problems& problems, v1::Evaluation& evaluation) {
  JsonObject object(value, path, problems);
  evaluation.set_seed(object.OptionalString("seed"));
  evaluation.set_sandbox(object.OptionalString("sandbox"));
  if (const Json* timing = object.OptionalValue("timing")) {
    if (evaluation.has_performance()) {
      ReadTiming(*timing, object.PathOf("timing"), problems,
                 *evaluation.mutable_performance());
    } else {
      object.Complain("timing",
                      "is given without \"performance\", remove one or add "
                      "the other");
    }
  }
  if (const auto ratio = object.OptionalDouble("matched_ratio")) {
    if (evaluation.has_correctness()) {
      evaluation.mutable_correctness()->set_matched_ratio(*ratio);
    } else {
      object.Complain("matched_ratio",
                      "is given without \"correctness\", remove one or add "
                      "the other");
    }
  }
  if (const Json* config = object.OptionalValue("config")) {
    *evaluation.mutable_config() =
        ReadConfig(*config, object.PathOf("config"), problems);
  }
  if (object.OptionalValue("stage_times") != nullptr) {
    object.ForEachElement(
        "stage_times", [&](const Json& stage, const std::string& stage_path) {
          *evaluation.add_stage_times() =
              ReadStageTime(stage, stage_path, problems);
        });
  }
  if (object.OptionalValue("findings") != nullptr) {
    object.ForEachElement("findings", [&](const Json& finding,
                                          const std::string& finding_path) {
      *evaluation.add_findings() = ReadFinding(finding, finding_path, problems);
    });
  }
  KeepUnknown(object.UnknownMembers(), evaluation);
}

Json AssayMember(const v1::Evaluation& evaluation) {
  Json json = Json::object();
  if (!evaluation.seed().empty()) json["seed"] = evaluation.seed();
  if (!evaluation.sandbox().empty()) json["sandbox"] = evaluation.sandbox();
  if (evaluation.correctness().has_matched_ratio()) {
    json["matched_ratio"] =
        DoubleToJson(evaluation.correctness().matched_ratio());
  }
  if (HasTiming(evaluation.performance())) {
    json["timing"] = TimingJson(evaluation.performance());
  }
  if (evaluation.has_config()) json["config"] = ConfigJson(evaluation.config());
  for (const v1::StageTime& stage : evaluation.stage_times()) {
    Json entry = Json::object();
    entry["stage"] = stage.stage();
    entry["duration_s"] = Seconds(stage.duration());
    json["stage_times"].push_back(std::move(entry));
  }
  for (const v1::Finding& finding : evaluation.findings()) {
    json["findings"].push_back(FindingJson(finding));
  }
  RestoreUnknown(evaluation, json);
  return json;
}

}  // namespace assay::json_internal
