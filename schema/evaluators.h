// Evaluators by name: who judges the outputs of a definition's solutions. What
// each of them does is the worker's affair, see worker/evaluate/evaluators/;
// here is who may be asked for, and who is when nobody asks.
//
//   ChooseEvaluator(definition);  // "sampling"
//
// Thread-safe.

#ifndef ASSAY_SCHEMA_EVALUATORS_H_
#define ASSAY_SCHEMA_EVALUATORS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "assay/v1/definition.pb.h"

namespace assay {

// Element by element, against the reference.
inline constexpr char kDefaultEvaluator[] = "default";
// The same, but some elements may be wrong, and none may be NaN or infinite.
inline constexpr char kLowBitEvaluator[] = "lowbit";
// Random tokens: their support, and how often they come.
inline constexpr char kSamplingEvaluator[] = "sampling";
// Indices of the largest scores, in any order.
inline constexpr char kTopKIndexEvaluator[] = "dsa_topk_indexer";
// As default, but the second output need not be there.
inline constexpr char kSparseAttentionEvaluator[] = "dsa_sparse_attention";

// All of them, for messages: "default, lowbit, ...".
std::string EvaluatorNames();

// INVALID_ARGUMENT, with the known ones, unless there is one of the name.
absl::Status CheckEvaluatorName(absl::string_view name);

// INVALID_ARGUMENT, and why, unless the evaluator can judge the definition.
absl::Status CheckEvaluator(absl::string_view name,
                            const v1::Definition& definition);

// Who judges the definition when nobody else is named; it can.
std::string ChooseEvaluator(const v1::Definition& definition);

}  // namespace assay

#endif  // ASSAY_SCHEMA_EVALUATORS_H_
