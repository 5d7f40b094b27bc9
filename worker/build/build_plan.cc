#include "worker/build/build_plan.h"

#include <algorithm>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "base/status_macros.h"
#include "schema/binding.h"
#include "schema/relative_path.h"
#include "schema/signature.h"
#include "worker/build/c_binding.h"
#include "worker/build/compile_options.h"
#include "worker/build/cuda_dependencies.h"
#include "worker/build/nvcc_options.h"
#include "worker/runner/c_entry.h"
#include "worker/runner/torch_extension.h"

namespace assay {
namespace {

// What differs between the compiled languages.
struct LanguageRules {
  absl::string_view name;
  // Of files to compile.
  std::vector<absl::string_view> endings;
  // Of a file that is generated.
  absl::string_view generated_name;
  absl::Status (*check_option)(absl::string_view option);
  absl::Status (*check_dependency)(absl::string_view name);
};

absl::Status RefuseDependency(absl::string_view name) {
  return absl::InvalidArgumentError(
      absl::StrCat("dependency \"", name,
                   "\" is not known for language cpp; remove it, or put its "
                   "code among the sources"));
}

const LanguageRules& RulesOf(v1::BuildSpec::Language language) {
  static const LanguageRules& cpp = *new LanguageRules{"cpp",
                                                       {".cpp", ".cc", ".cxx"},
                                                       "assay_c_binding.cc",
                                                       CheckCompileOption,
                                                       RefuseDependency};
  static const LanguageRules& cuda =
      *new LanguageRules{"cuda",
                         {".cu", ".cpp", ".cc", ".cxx"},
                         "assay_c_binding.cu",
                         CheckNvccOption,
                         CheckCudaDependency};
  return language == v1::BuildSpec::CUDA ? cuda : cpp;
}

bool IsUnit(const LanguageRules& rules, absl::string_view path) {
  const auto ends_path = [path](absl::string_view ending) {
    return absl::EndsWith(path, ending);
  };
  return std::any_of(rules.endings.begin(), rules.endings.end(), ends_path);
}

bool IsIdentifier(absl::string_view name) {
  const auto is_word = [](char c) {
    return absl::ascii_isalnum(static_cast<unsigned char>(c)) || c == '_';
  };
  return !name.empty() && std::all_of(name.begin(), name.end(), is_word) &&
         !absl::ascii_isdigit(static_cast<unsigned char>(name[0]));
}

// A compiler passes the bare file name of a unit on to its parts, and these
// take one that starts with "@" for a file of options.
absl::Status CheckUnitName(const LanguageRules& rules, absl::string_view path) {
  if (!IsUnit(rules, path)) return absl::OkStatus();
  if (absl::StartsWith(path.substr(path.rfind('/') + 1), "@")) {
    return absl::InvalidArgumentError(
        absl::StrCat("source \"", path,
                     "\" cannot be compiled, because compilers read options "
                     "from a file whose name starts with \"@\"; rename it"));
  }
  if (rules.name == "cuda" && !IsSafeForNvcc(path)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "source \"", path,
        "\" cannot be compiled for language cuda, because its name has a "
        "quote, \"$\", \"\\\" or an invisible character; rename it"));
  }
  return absl::OkStatus();
}

// Paths are checked again although the catalog did: what is written below is
// the worker's own disk.
absl::Status AddSources(const LanguageRules& rules,
                        const v1::Solution& solution, BuildPlan& plan) {
  std::set<absl::string_view> paths;
  for (const v1::SourceFile& source : solution.sources()) {
    ASSAY_RETURN_IF_ERROR(CheckRelativePath(source.path()));
    ASSAY_RETURN_IF_ERROR(CheckUnitName(rules, source.path()));
    if (!paths.insert(source.path()).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("source \"", source.path(), "\" is given twice"));
    }
    plan.files.push_back({source.path(), source.content()});
  }
  for (absl::string_view path : paths) {
    for (size_t slash = path.find('/'); slash != absl::string_view::npos;
         slash = path.find('/', slash + 1)) {
      if (paths.count(path.substr(0, slash)) == 0) continue;
      return absl::InvalidArgumentError(
          absl::StrCat("source \"", path.substr(0, slash),
                       "\" is a file and the folder of \"", path, "\""));
    }
  }
  return absl::OkStatus();
}

absl::Status CheckEntryPoint(const LanguageRules& rules,
                             const v1::BuildSpec& spec, const BuildPlan& plan) {
  const EntryPoint entry = ParseEntryPoint(spec.entry_point());
  if (!IsIdentifier(entry.symbol)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "entry point \"", spec.entry_point(),
        R"(" must be "file::symbol" with a plain C++ name as the symbol)"));
  }
  const auto is_entry_file = [&entry](const BuildPlan::File& file) {
    return entry.file == file.path;
  };
  if (std::none_of(plan.files.begin(), plan.files.end(), is_entry_file)) {
    return absl::InvalidArgumentError(
        absl::StrCat("entry point \"", spec.entry_point(),
                     "\" names a file that is not among the sources"));
  }
  if (!IsUnit(rules, entry.file)) {
    return absl::InvalidArgumentError(absl::StrCat(
        "entry file \"", entry.file, "\" must end in ",
        absl::StrJoin(rules.endings, ", "), " for language ", rules.name));
  }
  return absl::OkStatus();
}

absl::Status CheckSpec(const LanguageRules& rules, const v1::BuildSpec& spec,
                       BuildPlan& plan) {
  for (const std::string& option : spec.compile_options()) {
    ASSAY_RETURN_IF_ERROR(rules.check_option(option));
    plan.options.push_back(option);
  }
  for (const std::string& name : spec.dependencies()) {
    // The binding itself brings it.
    if (name == "torch" && plan.binding == v1::BuildSpec::TORCH) continue;
    ASSAY_RETURN_IF_ERROR(rules.check_dependency(name));
    plan.dependencies.push_back(name);
  }
  if (plan.binding == v1::BuildSpec::C && !spec.destination_passing_style()) {
    return absl::InvalidArgumentError(
        "binding \"c\" cannot return tensors; set destination_passing_style to "
        "true and take the outputs as parameters");
  }
  return absl::OkStatus();
}

// A name that no source has.
std::string GeneratedName(const LanguageRules& rules, const BuildPlan& plan) {
  std::string name(rules.generated_name);
  const auto is_taken = [&name](const BuildPlan::File& file) {
    return file.path == name;
  };
  while (std::any_of(plan.files.begin(), plan.files.end(), is_taken)) {
    name = absl::StrCat("_", name);
  }
  return name;
}

std::string ExportedSymbol(v1::BuildSpec::Binding binding,
                           absl::string_view symbol) {
  switch (binding) {
    case v1::BuildSpec::C:
      return kCEntrySymbol;
    case v1::BuildSpec::TORCH:
      return absl::StrCat("PyInit_", kTorchExtensionName);
    default:
      return absl::StrCat("__tvm_ffi_", symbol);
  }
}

void PlanUnits(const LanguageRules& rules, const v1::Definition& definition,
               absl::string_view entry_file, BuildPlan& plan) {
  const bool is_c = plan.binding == v1::BuildSpec::C;
  for (const BuildPlan::File& file : plan.files) {
    // For binding `c` the generated unit includes it.
    if (is_c && entry_file == file.path) continue;
    if (IsUnit(rules, file.path)) plan.units.push_back(file.path);
  }
  if (!is_c) return;
  plan.generated_unit = GeneratedName(rules, plan);
  plan.files.push_back(
      {plan.generated_unit,
       CBindingUnit(definition, entry_file, plan.symbol, plan.entry_advice)});
  plan.units.push_back(plan.generated_unit);
}

// The compilers write "unit:12:5: error: ..." or "unit(12): error: ...".
bool IsErrorIn(absl::string_view unit, absl::string_view line) {
  return absl::ConsumePrefix(&line, "./") && absl::ConsumePrefix(&line, unit) &&
         (absl::StartsWith(line, ":") || absl::StartsWith(line, "(")) &&
         absl::StrContains(line, ": error: ");
}

bool IsAboutEntryPoint(const BuildPlan& plan, absl::string_view log) {
  if (absl::StrContains(log,
                        absl::StrCat("`", plan.exported_symbol, "' not def")) ||
      absl::StrContains(log,
                        absl::StrCat("reference to `", plan.symbol, "'"))) {
    return true;
  }
  if (plan.generated_unit.empty()) return false;
  for (absl::string_view line : absl::StrSplit(log, '\n')) {
    if (IsErrorIn(plan.generated_unit, line)) return true;
  }
  return false;
}

}  // namespace

absl::StatusOr<BuildPlan> PlanBuild(const v1::Definition& definition,
                                    const v1::Solution& solution) {
  const v1::BuildSpec& spec = solution.spec();
  const LanguageRules& rules = RulesOf(spec.language());
  const EntryPoint entry = ParseEntryPoint(spec.entry_point());
  BuildPlan plan;
  plan.binding = EffectiveBinding(spec);
  ASSAY_RETURN_IF_ERROR(AddSources(rules, solution, plan));
  ASSAY_RETURN_IF_ERROR(CheckEntryPoint(rules, spec, plan));
  ASSAY_RETURN_IF_ERROR(CheckSpec(rules, spec, plan));
  plan.symbol = std::string(entry.symbol);
  plan.exported_symbol = ExportedSymbol(plan.binding, plan.symbol);
  plan.entry_advice =
      absl::StrCat("entry point \"", plan.symbol,
                   "\" must be: ", EntrySignature(solution, definition));
  PlanUnits(rules, definition, entry.file, plan);
  return plan;
}

std::string ExplainFailure(const BuildPlan& plan, absl::string_view log) {
  if (!IsAboutEntryPoint(plan, log)) return std::string(log);
  std::string advice = plan.entry_advice;
  if (plan.binding == v1::BuildSpec::TVM_FFI) {
    absl::StrAppend(&advice, ", exported by TVM_FFI_DLL_EXPORT_TYPED_FUNC(",
                    plan.symbol, ", ...)");
  } else if (plan.binding == v1::BuildSpec::TORCH) {
    absl::StrAppend(&advice, ", bound by m.def(\"", plan.symbol,
                    "\", ...) in PYBIND11_MODULE(TORCH_EXTENSION_NAME, m)");
  }
  return absl::StrCat(absl::StripTrailingAsciiWhitespace(log),
                      "\nassay: ", advice, "\n");
}

}  // namespace assay
