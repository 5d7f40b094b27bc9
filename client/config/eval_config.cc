#include "client/config/eval_config.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "absl/status/status.h"
#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "client/config/yaml.h"
#include "schema/evaluators.h"

namespace assay {
namespace {

constexpr char kLayerKeys[] =
    "warmup_runs, iterations, num_trials, rtol, atol, required_matched_ratio, "
    "evaluator, extra";
constexpr char kExtraKeys[] =
    "sampling_validation_trials, sampling_tvd_threshold";
constexpr char kSystemKeys[] =
    "timeout_seconds, profile_baseline, op_type_config, definition_config";

bool Names(absl::string_view keys, const std::string& key) {
  const std::vector<absl::string_view> names = absl::StrSplit(keys, ", ");
  return std::find(names.begin(), names.end(), key) != names.end();
}

// Where a value stands, for messages.
struct Place {
  std::string path;
  const YamlNode& node;
};

absl::Status Wrong(const Place& place, absl::string_view what) {
  return absl::InvalidArgumentError(
      absl::StrCat("line ", place.node.line, ": ", place.path, ": ", what));
}

absl::Status WrongValue(const Place& place, absl::string_view range) {
  const std::string got = place.node.kind == YamlNode::kScalar
                              ? absl::StrCat("\"", place.node.text, "\" is")
                              : "a list or a map is";
  return Wrong(place, absl::StrCat(got, " not ", range));
}

absl::StatusOr<int32_t> Int(const Place& place, int32_t low, int32_t high) {
  int32_t value = 0;
  if (place.node.kind == YamlNode::kScalar &&
      absl::SimpleAtoi(place.node.text, &value) && value >= low &&
      value <= high) {
    return value;
  }
  return WrongValue(place,
                    absl::StrCat("a whole number from ", low, " to ", high));
}

// Above `low`, or at least that where it is `included`; at most `high`.
absl::StatusOr<double> Number(const Place& place, double low, bool included,
                              double high, absl::string_view range) {
  double value = 0;
  if (place.node.kind == YamlNode::kScalar &&
      absl::SimpleAtod(place.node.text, &value) && std::isfinite(value) &&
      (value > low || (included && value == low)) && value <= high) {
    return value;
  }
  return WrongValue(place, range);
}

absl::StatusOr<double> Tolerance(const Place& place) {
  return Number(place, 0, false, std::numeric_limits<double>::max(),
                "a number above 0");
}

absl::StatusOr<bool> Bool(const Place& place) {
  const std::string word = absl::AsciiStrToLower(place.node.text);
  if (place.node.kind == YamlNode::kScalar) {
    if (word == "true" || word == "yes" || word == "on") return true;
    if (word == "false" || word == "no" || word == "off") return false;
  }
  return WrongValue(place, "true or false");
}

// Reads keys of all layers, one by one. False: it is none of them.
class LayerReader {
 public:
  explicit LayerReader(v1::EvaluationConfig& config) : config_(config) {}

  absl::StatusOr<bool> Read(const std::string& key, const Place& place) {
    // Null: as the layer below has it.
    if (place.node.kind == YamlNode::kNull) return Names(kLayerKeys, key);
    const absl::Status status = ReadKnown(key, place);
    if (status.code() == absl::StatusCode::kNotFound) return false;
    if (!status.ok()) return status;
    return true;
  }

  absl::StatusOr<bool> ReadExtra(const std::string& key, const Place& place) {
    if (place.node.kind == YamlNode::kNull) return Names(kExtraKeys, key);
    if (key == "sampling_validation_trials") {
      ASSAY_ASSIGN_OR_RETURN(const int32_t n, Int(place, 1, 100'000));
      config_.set_sampling_validation_trials(n);
      return true;
    }
    if (key == "sampling_tvd_threshold") {
      ASSAY_ASSIGN_OR_RETURN(const double x,
                             Number(place, 0, true, 1, "a number from 0 to 1"));
      config_.set_sampling_tvd_threshold(x);
      return true;
    }
    return false;
  }

 private:
  absl::Status ReadKnown(const std::string& key, const Place& place) {
    if (key == "warmup_runs") {
      ASSAY_ASSIGN_OR_RETURN(const int32_t n, Int(place, 0, 10'000));
      config_.set_warmup_runs(n);
    } else if (key == "iterations") {
      ASSAY_ASSIGN_OR_RETURN(const int32_t n, Int(place, 1, 100'000));
      config_.set_iterations(n);
    } else if (key == "num_trials") {
      ASSAY_ASSIGN_OR_RETURN(const int32_t n, Int(place, 1, 100));
      config_.set_num_trials(n);
    } else if (key == "rtol") {
      ASSAY_ASSIGN_OR_RETURN(const double x, Tolerance(place));
      config_.set_rtol(x);
    } else if (key == "atol") {
      ASSAY_ASSIGN_OR_RETURN(const double x, Tolerance(place));
      config_.set_atol(x);
    } else if (key == "required_matched_ratio") {
      ASSAY_ASSIGN_OR_RETURN(
          const double x,
          Number(place, 0, false, 1, "a number above 0 and at most 1"));
      config_.set_required_matched_ratio(x);
    } else if (key == "evaluator") {
      const absl::Status known = CheckEvaluatorName(place.node.text);
      if (!known.ok()) return Wrong(place, known.message());
      config_.set_evaluator(place.node.text);
    } else {
      return absl::NotFoundError(key);
    }
    return absl::OkStatus();
  }

  v1::EvaluationConfig& config_;
};

Place Below(const Place& place, const std::string& key, const YamlNode& node) {
  return {place.path.empty() ? key : absl::StrCat(place.path, ".", key), node};
}

absl::Status Unknown(const Place& place, absl::string_view known) {
  return Wrong(place, absl::StrCat("is not known; known: ", known));
}

// Calls `read(key, place)` for each entry that has a value.
template <typename Read>
absl::Status ForEach(const Place& map, Read read) {
  if (map.node.kind == YamlNode::kNull) return absl::OkStatus();
  if (map.node.kind != YamlNode::kMap) {
    return Wrong(map, "must be a map of keys and values");
  }
  for (const auto& [key, node] : map.node.entries) {
    ASSAY_RETURN_IF_ERROR(read(key, Below(map, key, node)));
  }
  return absl::OkStatus();
}

absl::Status ReadLayer(const Place& layer, v1::EvaluationConfig& config) {
  LayerReader reader(config);
  return ForEach(layer, [&](const std::string& key, const Place& place) {
    if (key == "extra") {
      return ForEach(place, [&](const std::string& name, const Place& at) {
        const absl::StatusOr<bool> read = reader.ReadExtra(name, at);
        if (!read.ok()) return read.status();
        return *read ? absl::OkStatus() : Unknown(at, kExtraKeys);
      });
    }
    const absl::StatusOr<bool> read = reader.Read(key, place);
    if (!read.ok()) return read.status();
    return *read ? absl::OkStatus() : Unknown(place, kLayerKeys);
  });
}

absl::Status ReadLayers(const Place& layers,
                        std::map<std::string, v1::EvaluationConfig>& configs) {
  return ForEach(layers, [&](const std::string& key, const Place& place) {
    return ReadLayer(place, configs[key]);
  });
}

absl::Status ReadSystem(const std::string& key, const Place& place,
                        EvalConfig& config, bool& known) {
  known = true;
  if (key == "use_isolated_runner" || key == "log_dir") {
    config.ignored.push_back(key);
  } else if (key == "definitions" || key == "solutions") {
    if (place.node.kind == YamlNode::kNull) return absl::OkStatus();
    return Wrong(place,
                 absl::StrCat("choose on the command line, with --", key));
  } else if (key == "timeout_seconds") {
    if (place.node.kind == YamlNode::kNull) return absl::OkStatus();
    ASSAY_ASSIGN_OR_RETURN(const int32_t seconds, Int(place, 1, 86'400));
    config.all.mutable_run_timeout()->set_seconds(seconds);
  } else if (key == "profile_baseline") {
    if (place.node.kind == YamlNode::kNull) return absl::OkStatus();
    ASSAY_ASSIGN_OR_RETURN(const bool is_timed, Bool(place));
    config.all.set_time_reference(is_timed);
  } else if (key == "op_type_config") {
    return ReadLayers(place, config.op_types);
  } else if (key == "definition_config") {
    return ReadLayers(place, config.definitions);
  } else {
    known = false;
  }
  return absl::OkStatus();
}

absl::Status ReadAll(const std::string& key, const Place& place,
                     EvalConfig& config) {
  bool known = false;
  ASSAY_RETURN_IF_ERROR(ReadSystem(key, place, config, known));
  if (known) return absl::OkStatus();
  LayerReader reader(config.all);
  ASSAY_ASSIGN_OR_RETURN(known, reader.Read(key, place));
  if (known) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(known, reader.ReadExtra(key, place));
  if (known) return absl::OkStatus();
  return Unknown(place, absl::StrCat(kSystemKeys, ", ", kLayerKeys));
}

}  // namespace

v1::EvaluationConfig EvalConfig::For(absl::string_view definition,
                                     absl::string_view op_type) const {
  v1::EvaluationConfig config = all;
  const auto of_op_type = op_types.find(std::string(op_type));
  if (of_op_type != op_types.end()) config.MergeFrom(of_op_type->second);
  const auto own = definitions.find(std::string(definition));
  if (own != definitions.end()) config.MergeFrom(own->second);
  return config;
}

absl::StatusOr<EvalConfig> ParseEvalConfig(absl::string_view text) {
  ASSAY_ASSIGN_OR_RETURN(const YamlNode root, ParseYaml(text));
  if (root.kind != YamlNode::kNull && root.kind != YamlNode::kMap) {
    return absl::InvalidArgumentError(absl::StrCat(
        "line ", root.line, ": the file must be a map of keys and values"));
  }
  EvalConfig config;
  ASSAY_RETURN_IF_ERROR(ForEach(
      {"", root}, [&config](const std::string& key, const Place& place) {
        return ReadAll(key, place, config);
      }));
  return config;
}

}  // namespace assay
