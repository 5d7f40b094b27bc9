#include "worker/build/c_binding.h"

#include <vector>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/substitute.h"
#include "schema/signature.h"
#include "worker/runner/c_entry.h"

namespace assay {
namespace {

// $0 entry file, $1 parameter types, $2 symbol, $3 message, $4 arguments,
// $5 name of the function, $6 what it returns after an exception.
//
// The check goes through an overload that only a function of the wanted type
// picks, so that `noexcept` and further overloads are fine. The cast keeps a
// wrong type from being reported a second time.
constexpr char kUnit[] = R"(#include "$0"

#include <dlpack/dlpack.h>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <type_traits>

namespace assay_c_binding {

using Wanted = int($1);

std::true_type Matches(Wanted*);
std::false_type Matches(...);
static_assert(decltype(Matches(&::$2))::value, "$3");

inline void CopyText(const char* text, char* to, std::size_t to_bytes) {
  std::size_t i = 0;
  for (; i + 1 < to_bytes && text[i] != '\0'; ++i) to[i] = text[i];
  to[i] = '\0';
}

}  // namespace assay_c_binding

extern "C" __attribute__((visibility("default"))) int $5(
    const void* const* args, void* stream, char* error,
    std::size_t error_bytes) {
  error[0] = '\0';
  const auto entry = reinterpret_cast<assay_c_binding::Wanted*>(&::$2);
#if defined(__cpp_exceptions)
  try {
    return entry($4);
  } catch (const std::exception& caught) {
    assay_c_binding::CopyText(caught.what(), error, error_bytes);
  } catch (...) {
    assay_c_binding::CopyText("an exception that is no std::exception", error,
                              error_bytes);
  }
  return $6;
#else
  return entry($4);
#endif
}
)";

std::string InputArgument(const v1::TensorSpec& input, int index) {
  const std::string type =
      input.is_scalar() ? std::string(CScalarType(input.dtype())) : "DLTensor";
  return absl::StrCat(input.is_scalar() ? "*" : "", "static_cast<const ", type,
                      "*>(args[", index, "])");
}

std::string OutputArgument(int index) {
  return absl::StrCat(
      "const_cast<DLTensor*>(static_cast<const DLTensor*>(args[", index, "]))");
}

}  // namespace

std::string CBindingUnit(const v1::Definition& definition,
                         absl::string_view entry_file, absl::string_view symbol,
                         absl::string_view message) {
  std::vector<std::string> types;
  std::vector<std::string> arguments;
  for (const v1::TensorSpec& input : definition.inputs()) {
    types.emplace_back(input.is_scalar() ? CScalarType(input.dtype())
                                         : "const DLTensor*");
    arguments.push_back(
        InputArgument(input, static_cast<int>(arguments.size())));
  }
  for (int i = 0; i < definition.outputs_size(); ++i) {
    types.emplace_back("DLTensor*");
    arguments.push_back(OutputArgument(static_cast<int>(arguments.size())));
  }
  types.emplace_back("void*");
  arguments.emplace_back("stream");
  return absl::Substitute(kUnit, entry_file, absl::StrJoin(types, ", "), symbol,
                          absl::CEscape(message),
                          absl::StrJoin(arguments, ", "), kCEntrySymbol,
                          kCEntryThrew);
}

}  // namespace assay
