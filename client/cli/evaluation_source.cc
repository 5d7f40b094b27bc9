#include "client/cli/evaluation_source.h"

#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/file.h"
#include "base/status_macros.h"

namespace assay {
namespace {

constexpr char kFileInSet[] = "eval_config.yaml";
// What people write is far below.
constexpr size_t kMaxBytes = size_t{1} << 20;

std::string FileInSet(const std::string& root) {
  if (root.empty()) return "";
  const std::filesystem::path path = std::filesystem::path(root) / kFileInSet;
  std::error_code ignored;
  return std::filesystem::exists(path, ignored) ? path.string() : "";
}

}  // namespace

absl::StatusOr<EvaluationSource> EvaluationSource::Open(
    const EvaluationFlags& flags, const std::string& root, Console& console) {
  EvaluationSource source;
  source.flags_ = flags.ToConfig();
  const bool is_named = !flags.config_file.empty();
  const std::string path = is_named ? flags.config_file : FileInSet(root);
  if (path.empty()) return source;
  ASSAY_ASSIGN_OR_RETURN(const std::string text, ReadFile(path, kMaxBytes));
  absl::StatusOr<EvalConfig> config = ParseEvalConfig(text);
  if (!config.ok()) return Annotate(config.status(), path);
  source.file_ = *std::move(config);
  if (!is_named) {
    console.Note(absl::StrCat("evaluations are carried out as ", path,
                              " says; name another file with --config"));
  }
  if (!source.file_.ignored.empty()) {
    console.Note(absl::StrCat(path, ": without meaning here: ",
                              absl::StrJoin(source.file_.ignored, ", ")));
  }
  return source;
}

absl::StatusOr<v1::EvaluationConfig> EvaluationSource::For(
    const std::string& definition, const OpTypeOf& op_type_of) const {
  std::string op_type;
  if (!file_.op_types.empty()) {
    ASSAY_ASSIGN_OR_RETURN(op_type, op_type_of(definition));
  }
  v1::EvaluationConfig config = file_.For(definition, op_type);
  config.MergeFrom(flags_);
  return config;
}

EvaluationSource::OpTypeOf FindOpType(const TraceSet& set, Client& client) {
  return
      [&set, &client](const std::string& name) -> absl::StatusOr<std::string> {
        for (const auto& definition : set.definitions) {
          if (definition.value.name() == name)
            return definition.value.op_type();
        }
        const absl::StatusOr<v1::DefinitionRecord> record =
            client.GetDefinition(name);
        // The submission says what is wrong.
        if (absl::IsNotFound(record.status())) return "";
        if (!record.ok()) return record.status();
        return record->definition().op_type();
      };
}

}  // namespace assay
