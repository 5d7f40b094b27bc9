// The readers of FlashInfer-Trace objects. The first byte of an input chooses
// one, the rest is the text. What can be read can be validated, and is the same
// after it has been written and read again.

#include <cstddef>
#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "assay/v1/definition.pb.h"
#include "assay/v1/evaluation.pb.h"
#include "assay/v1/solution.pb.h"
#include "assay/v1/workload.pb.h"
#include "schema/json.h"
#include "schema/validate.h"
#include "tests/fuzz/fuzz_check.h"

namespace assay {
namespace {

template <typename Object>
using Reader = absl::StatusOr<Object> (*)(absl::string_view);
template <typename Object>
using JsonWriter = std::string (*)(const Object&, JsonStyle);

// Returns the object, or an empty one where the text is refused.
template <typename Object>
Object RoundTrip(absl::string_view text, Reader<Object> read,
                 JsonWriter<Object> write) {
  const absl::StatusOr<Object> object = read(text);
  if (!object.ok()) {
    FuzzCheck(!object.status().message().empty(),
              "an error says what is wrong");
    return Object();
  }
  const std::string written = write(*object, JsonStyle::kCompact);
  for (const JsonStyle style : {JsonStyle::kCompact, JsonStyle::kPretty}) {
    const absl::StatusOr<Object> again = read(write(*object, style));
    FuzzCheck(again.ok(), absl::StrCat("what is written can be read: ",
                                       again.status().ToString()));
    FuzzCheck(write(*again, JsonStyle::kCompact) == written,
              absl::StrCat("reading changes nothing: ", written));
  }
  return *object;
}

void Fuzz(uint8_t choice, absl::string_view text) {
  switch (choice % 5) {
    case 0:
      ValidateDefinition(
          RoundTrip(text, &DefinitionFromJson, &DefinitionToJson));
      break;
    case 1:
      ValidateSolution(RoundTrip(text, &SolutionFromJson, &SolutionToJson));
      break;
    case 2:
      RoundTrip(text, &WorkloadFromJson, &WorkloadToJson);
      break;
    case 3:
      RoundTrip(text, &EvaluationFromJson, &EvaluationToJson);
      break;
    default:
      ValidateTrace(RoundTrip(text, &TraceFromJson, &TraceToJson));
      break;
  }
}

}  // namespace
}  // namespace assay

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  assay::Fuzz(data[0], absl::string_view(
                           reinterpret_cast<const char*>(data) + 1, size - 1));
  return 0;
}
