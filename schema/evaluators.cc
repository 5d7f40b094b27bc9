#include "schema/evaluators.h"

#include <algorithm>
#include <iterator>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "schema/dtype.h"

namespace assay {
namespace {

constexpr const char* kNames[] = {kDefaultEvaluator, kLowBitEvaluator,
                                  kSamplingEvaluator, kTopKIndexEvaluator,
                                  kSparseAttentionEvaluator};

absl::Status CannotJudge(absl::string_view name,
                         const v1::Definition& definition,
                         absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("the evaluator \"", name, "\" cannot judge definition \"",
                   definition.name(), "\": ", why));
}

const v1::TensorSpec* FindInput(const v1::Definition& definition,
                                absl::string_view name) {
  for (const v1::TensorSpec& input : definition.inputs()) {
    if (input.name() == name) return &input;
  }
  return nullptr;
}

bool GivesIndices(const v1::Definition& definition) {
  return definition.outputs_size() == 1 &&
         (definition.outputs(0).dtype() == v1::DTYPE_INT32 ||
          definition.outputs(0).dtype() == v1::DTYPE_INT64);
}

constexpr char kWantsIndices[] = "it needs one output, of int32 or int64";

// An input of another name may be what the tokens follow from, as random
// numbers do: then there is one right answer.
absl::Status CheckSampling(const v1::Definition& definition) {
  const v1::TensorSpec* probs = FindInput(definition, "probs");
  if (probs == nullptr || !IsFloatDType(probs->dtype()) ||
      probs->shape().empty()) {
    return CannotJudge(kSamplingEvaluator, definition,
                       "it needs an input \"probs\" of floating-point numbers");
  }
  for (const v1::TensorSpec& input : definition.inputs()) {
    if (input.name() != "probs" && input.name() != "top_k" &&
        input.name() != "top_p" && input.name() != "min_p") {
      return CannotJudge(
          kSamplingEvaluator, definition,
          absl::StrCat("input \"", input.name(),
                       "\" is none of probs, top_k, top_p, min_p"));
    }
  }
  return GivesIndices(definition)
             ? absl::OkStatus()
             : CannotJudge(kSamplingEvaluator, definition, kWantsIndices);
}

absl::Status CheckTopKIndex(const v1::Definition& definition) {
  for (const char* name : {"q_index_fp8", "k_index_cache_fp8", "weights",
                           "seq_lens", "block_table"}) {
    if (FindInput(definition, name) == nullptr) {
      return CannotJudge(kTopKIndexEvaluator, definition,
                         absl::StrCat("it has no input \"", name, "\""));
    }
  }
  return GivesIndices(definition)
             ? absl::OkStatus()
             : CannotJudge(kTopKIndexEvaluator, definition, kWantsIndices);
}

absl::Status CheckSparseAttention(const v1::Definition& definition) {
  if (definition.outputs_size() == 2) return absl::OkStatus();
  return CannotJudge(kSparseAttentionEvaluator, definition,
                     "it needs two outputs, of which the second, the "
                     "logarithms of sums, is optional");
}

// As FlashInfer-Bench has it, by name, and by an op_type of the evaluator's.
bool Claims(absl::string_view evaluator, const v1::Definition& definition) {
  if (definition.op_type() == evaluator) return true;
  if (evaluator == kLowBitEvaluator) {
    return absl::StrContains(definition.name(), "moe_fp8_block_scale");
  }
  return (evaluator == kTopKIndexEvaluator ||
          evaluator == kSparseAttentionEvaluator) &&
         absl::StartsWith(definition.name(), evaluator);
}

}  // namespace

std::string EvaluatorNames() { return absl::StrJoin(kNames, ", "); }

absl::Status CheckEvaluatorName(absl::string_view name) {
  if (std::find(std::begin(kNames), std::end(kNames), name) !=
      std::end(kNames)) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat(
      "unknown evaluator \"", name, "\": use one of ", EvaluatorNames()));
}

absl::Status CheckEvaluator(absl::string_view name,
                            const v1::Definition& definition) {
  if (name == kSamplingEvaluator) return CheckSampling(definition);
  if (name == kTopKIndexEvaluator) return CheckTopKIndex(definition);
  if (name == kSparseAttentionEvaluator) {
    return CheckSparseAttention(definition);
  }
  return CheckEvaluatorName(name);
}

std::string ChooseEvaluator(const v1::Definition& definition) {
  for (const char* name : kNames) {
    if (Claims(name, definition) && CheckEvaluator(name, definition).ok()) {
      return name;
    }
  }
  return kDefaultEvaluator;
}

}  // namespace assay
