#include <map>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "schema/json_objects.h"
#include "schema/json_path.h"

namespace assay::json_internal {
namespace {

v1::EvaluationStatus ReadStatus(JsonObject& object) {
  const absl::optional<std::string> name = object.Word("status");
  v1::EvaluationStatus status = v1::EVALUATION_STATUS_UNSPECIFIED;
  const bool known = name.has_value() &&
                     v1::EvaluationStatus_Parse(*name, &status) &&
                     status != v1::EVALUATION_STATUS_UNSPECIFIED;
  if (!known && name.has_value()) {
    object.Complain("status",
                    absl::StrCat("unknown status ", Quoted(*name),
                                 ", use one of: PASSED, INCORRECT_SHAPE, "
                                 "INCORRECT_NUMERICAL, INCORRECT_DTYPE, "
                                 "RUNTIME_ERROR, COMPILE_ERROR, TIMEOUT"));
  }
  return known ? status : v1::EVALUATION_STATUS_UNSPECIFIED;
}

// Some versions of the schema wrote null for what is not finite.
double ReadError(JsonObject& object, absl::string_view name) {
  if (!object.Has(name)) return 0;
  const Json* value = object.OptionalValue(name);
  return value == nullptr ? *DoubleFromJson("NaN") : object.Double(name);
}

v1::Correctness ReadCorrectness(const Json& value, const std::string& path,
                                Problems& problems) {
  JsonObject object(value, path, problems);
  v1::Correctness correctness;
  correctness.set_max_relative_error(ReadError(object, "max_relative_error"));
  correctness.set_max_absolute_error(ReadError(object, "max_absolute_error"));
  if (const Json* extra = object.OptionalValue("extra"); extra != nullptr) {
    if (extra->is_object()) {
      correctness.set_extra_json(DumpJson(*extra));
    } else {
      object.ComplainAt(object.PathOf("extra"), "an object", *extra);
    }
  }
  correctness.set_unknown_json(object.UnknownMembers());
  return correctness;
}

v1::Performance ReadPerformance(const Json& value, const std::string& path,
                                Problems& problems) {
  JsonObject object(value, path, problems);
  v1::Performance performance;
  const auto read = [&](absl::string_view name) {
    return object.OptionalDouble(name).value_or(0);
  };
  performance.set_latency_ms(read("latency_ms"));
  performance.set_reference_latency_ms(read("reference_latency_ms"));
  performance.set_speedup_factor(read("speedup_factor"));
  performance.set_unknown_json(object.UnknownMembers());
  return performance;
}

v1::Environment ReadEnvironment(const Json& value, const std::string& path,
                                Problems& problems) {
  JsonObject object(value, path, problems);
  v1::Environment environment;
  // `device` is the older spelling.
  const bool is_old = !object.Has("hardware") && object.Has("device");
  environment.set_hardware(object.String(is_old ? "device" : "hardware"));
  if (object.OptionalValue("libs") != nullptr) {
    object.ForEachMember(
        "libs", [&](const std::string& name, const Json& version,
                    const std::string& version_path) {
          if (version.is_string()) {
            (*environment.mutable_libs())[name] = version.get<std::string>();
          } else {
            object.ComplainAt(version_path, "a string", version);
          }
        });
  }
  environment.set_unknown_json(object.UnknownMembers());
  return environment;
}

absl::optional<absl::Time> ParseTimestamp(const std::string& text) {
  static const absl::Time kFirst = absl::FromUnixSeconds(-62135596800);
  static const absl::Time kLast = absl::FromUnixSeconds(253402300799);
  // ISO 8601 as Python and others write it; without a zone it is UTC.
  for (const char* format : {"%Y-%m-%dT%H:%M:%E*S%Ez", "%Y-%m-%d %H:%M:%E*S%Ez",
                             "%Y-%m-%dT%H:%M:%E*S", "%Y-%m-%d %H:%M:%E*S"}) {
    absl::Time time;
    std::string error;
    if (absl::ParseTime(format, text, &time, &error)) {
      // What google.protobuf.Timestamp holds: the years 1 to 9999.
      if (time < kFirst || time > kLast) return absl::nullopt;
      return time;
    }
  }
  return absl::nullopt;
}

google::protobuf::Timestamp TimestampOf(absl::Time time) {
  google::protobuf::Timestamp timestamp;
  const int64_t seconds = absl::ToUnixSeconds(time);
  timestamp.set_seconds(seconds);
  timestamp.set_nanos(static_cast<int32_t>(
      absl::ToInt64Nanoseconds(time - absl::FromUnixSeconds(seconds))));
  return timestamp;
}

std::string TimestampText(const google::protobuf::Timestamp& timestamp) {
  const absl::Time time = absl::FromUnixSeconds(timestamp.seconds()) +
                          absl::Nanoseconds(timestamp.nanos());
  // Six digits and an offset: what Python's datetime.fromisoformat reads in
  // every version.
  return absl::FormatTime("%Y-%m-%dT%H:%M:%E6S%Ez", time, absl::UTCTimeZone());
}

Json ToJson(const v1::Correctness& correctness) {
  Json json = Json::object();
  json["max_relative_error"] = DoubleToJson(correctness.max_relative_error());
  json["max_absolute_error"] = DoubleToJson(correctness.max_absolute_error());
  json["extra"] = nullptr;
  if (!correctness.extra_json().empty()) {
    Json extra = Json::object();
    AppendUnknown(correctness.extra_json(), extra);
    json["extra"] = std::move(extra);
  }
  AppendUnknown(correctness.unknown_json(), json);
  return json;
}

Json ToJson(const v1::Performance& performance) {
  Json json = Json::object();
  json["latency_ms"] = DoubleToJson(performance.latency_ms());
  json["reference_latency_ms"] =
      DoubleToJson(performance.reference_latency_ms());
  json["speedup_factor"] = DoubleToJson(performance.speedup_factor());
  AppendUnknown(performance.unknown_json(), json);
  return json;
}

Json ToJson(const v1::Environment& environment) {
  Json json = Json::object();
  json["hardware"] = environment.hardware();
  // A map of the message has no order of its own.
  const std::map<std::string, std::string> libs(environment.libs().begin(),
                                                environment.libs().end());
  json["libs"] = Json::object();
  for (const auto& [name, version] : libs) json["libs"][name] = version;
  AppendUnknown(environment.unknown_json(), json);
  return json;
}

}  // namespace

v1::Evaluation ReadEvaluation(const Json& value, const std::string& path,
                              Problems& problems) {
  JsonObject object(value, path, problems);
  v1::Evaluation evaluation;
  evaluation.set_status(ReadStatus(object));
  evaluation.set_log(object.OptionalString("log"));
  if (const Json* part = object.OptionalValue("correctness")) {
    *evaluation.mutable_correctness() =
        ReadCorrectness(*part, object.PathOf("correctness"), problems);
  }
  if (const Json* part = object.OptionalValue("performance")) {
    *evaluation.mutable_performance() =
        ReadPerformance(*part, object.PathOf("performance"), problems);
  }
  if (const Json* part = object.Value("environment")) {
    *evaluation.mutable_environment() =
        ReadEnvironment(*part, object.PathOf("environment"), problems);
  }
  const absl::optional<std::string> timestamp = object.Word("timestamp");
  const absl::optional<absl::Time> time =
      ParseTimestamp(timestamp.value_or(""));
  if (time.has_value()) {
    *evaluation.mutable_timestamp() = TimestampOf(*time);
  } else if (timestamp.has_value()) {
    object.Complain("timestamp",
                    absl::StrCat(Quoted(*timestamp),
                                 " is no time, write it as "
                                 "\"2026-01-31T12:00:00.000000+00:00\""));
  }
  const Json* additions = object.OptionalValue("assay");
  evaluation.set_unknown_json(object.UnknownMembers());
  if (additions != nullptr) {
    ReadAssayMember(*additions, object.PathOf("assay"), problems, evaluation);
  }
  return evaluation;
}

Json ToJson(const v1::Evaluation& evaluation) {
  Json json = Json::object();
  json["status"] = v1::EvaluationStatus_Name(evaluation.status());
  json["environment"] = ToJson(evaluation.environment());
  json["timestamp"] = TimestampText(evaluation.timestamp());
  json["log"] = evaluation.log();
  json["correctness"] = nullptr;
  if (evaluation.has_correctness()) {
    json["correctness"] = ToJson(evaluation.correctness());
  }
  json["performance"] = nullptr;
  if (evaluation.has_performance()) {
    json["performance"] = ToJson(evaluation.performance());
  }
  Json additions = AssayMember(evaluation);
  if (!additions.empty()) json["assay"] = std::move(additions);
  AppendUnknown(evaluation.unknown_json(), json);
  return json;
}

v1::Trace ReadTrace(const Json& value, Problems& problems) {
  JsonObject object(value, "$", problems);
  v1::Trace trace;
  trace.set_definition(object.String("definition"));
  if (const Json* workload = object.Value("workload")) {
    *trace.mutable_workload() =
        ReadWorkload(*workload, object.PathOf("workload"), problems);
  }
  trace.set_solution(object.OptionalString("solution"));
  if (const Json* evaluation = object.OptionalValue("evaluation")) {
    *trace.mutable_evaluation() =
        ReadEvaluation(*evaluation, object.PathOf("evaluation"), problems);
  }
  trace.set_unknown_json(object.UnknownMembers());
  return trace;
}

Json ToJson(const v1::Trace& trace) {
  Json json = Json::object();
  json["definition"] = trace.definition();
  json["workload"] = ToJson(trace.workload());
  json["solution"] = nullptr;
  if (!trace.solution().empty()) json["solution"] = trace.solution();
  json["evaluation"] = nullptr;
  if (trace.has_evaluation()) json["evaluation"] = ToJson(trace.evaluation());
  AppendUnknown(trace.unknown_json(), json);
  return json;
}

}  // namespace assay::json_internal
