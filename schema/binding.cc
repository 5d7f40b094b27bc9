#include "schema/binding.h"

namespace assay {
namespace {

using Spec = v1::BuildSpec;

struct LanguageInfo {
  Spec::Language language;
  absl::string_view name;
  bool is_compiled;
};

constexpr LanguageInfo kLanguages[] = {
    {Spec::PYTHON, "python", false},
    {Spec::TRITON, "triton", false},
    {Spec::CPP, "cpp", true},
    {Spec::CUDA, "cuda", true},
    {Spec::TILELANG, "tilelang", false},
};

struct BindingInfo {
  Spec::Binding binding;
  absl::string_view name;
};

constexpr BindingInfo kBindings[] = {
    {Spec::TVM_FFI, "tvm-ffi"}, {Spec::TORCH, "torch"}, {Spec::C, "c"}};

}  // namespace

absl::string_view LanguageName(Spec::Language language) {
  for (const LanguageInfo& info : kLanguages) {
    if (info.language == language) return info.name;
  }
  return "unspecified";
}

absl::optional<Spec::Language> ParseLanguage(absl::string_view name) {
  for (const LanguageInfo& info : kLanguages) {
    if (info.name == name) return info.language;
  }
  return absl::nullopt;
}

absl::string_view BindingName(Spec::Binding binding) {
  for (const BindingInfo& info : kBindings) {
    if (info.binding == binding) return info.name;
  }
  return "unspecified";
}

absl::optional<Spec::Binding> ParseBinding(absl::string_view name) {
  for (const BindingInfo& info : kBindings) {
    if (info.name == name) return info.binding;
  }
  return absl::nullopt;
}

bool IsCompiled(Spec::Language language) {
  for (const LanguageInfo& info : kLanguages) {
    if (info.language == language) return info.is_compiled;
  }
  return false;
}

Spec::Binding EffectiveBinding(const Spec& spec) {
  if (!IsCompiled(spec.language())) return Spec::BINDING_UNSPECIFIED;
  return spec.binding() == Spec::BINDING_UNSPECIFIED ? Spec::TVM_FFI
                                                     : spec.binding();
}

EntryPoint ParseEntryPoint(absl::string_view entry_point) {
  const size_t separator = entry_point.find("::");
  if (separator == absl::string_view::npos) return {};
  EntryPoint result{entry_point.substr(0, separator),
                    entry_point.substr(separator + 2)};
  if (result.file.empty() || result.symbol.empty()) return {};
  return result;
}

}  // namespace assay
