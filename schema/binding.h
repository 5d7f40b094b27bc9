// Language and binding of a solution, by the words of the schema.

#ifndef ASSAY_SCHEMA_BINDING_H_
#define ASSAY_SCHEMA_BINDING_H_

#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "assay/v1/solution.pb.h"

namespace assay {

// "python", "triton", "cpp", "cuda", "tilelang"; "unspecified" otherwise.
absl::string_view LanguageName(v1::BuildSpec::Language language);
absl::optional<v1::BuildSpec::Language> ParseLanguage(absl::string_view name);

// "tvm-ffi", "torch", "c"; "unspecified" otherwise.
absl::string_view BindingName(v1::BuildSpec::Binding binding);
absl::optional<v1::BuildSpec::Binding> ParseBinding(absl::string_view name);

// True for languages whose solutions are built into a library.
bool IsCompiled(v1::BuildSpec::Language language);

// The binding in force: TVM_FFI for a compiled language that names none,
// unspecified for the others, which have none.
v1::BuildSpec::Binding EffectiveBinding(const v1::BuildSpec& spec);

// The parts of an entry point `file::symbol`; both empty when it has another
// form.
struct EntryPoint {
  absl::string_view file;
  absl::string_view symbol;
};
EntryPoint ParseEntryPoint(absl::string_view entry_point);

}  // namespace assay

#endif  // ASSAY_SCHEMA_BINDING_H_
