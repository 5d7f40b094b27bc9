#include "worker/build/build_plan.h"

#include <algorithm>
#include <set>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "base/status_macros.h"
#include "schema/binding.h"
#include "schema/relative_path.h"
#include "schema/signature.h"
#include "worker/build/c_binding.h"
#include "worker/build/compile_options.h"
#include "worker/runner/c_entry.h"

namespace assay {
namespace {

bool IsUnit(absl::string_view path) {
  return absl::EndsWith(path, ".cpp") || absl::EndsWith(path, ".cc") ||
         absl::EndsWith(path, ".cxx");
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
absl::Status CheckUnitName(absl::string_view path) {
  const absl::string_view name = path.substr(path.rfind('/') + 1);
  if (!IsUnit(path) || !absl::StartsWith(name, "@")) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("source \"", path,
                   "\" cannot be compiled, because compilers read options "
                   "from a file whose name starts with \"@\"; rename it"));
}

// Paths are checked again although the catalog did: what is written below is
// the worker's own disk.
absl::Status AddSources(const v1::Solution& solution, BuildPlan& plan) {
  std::set<absl::string_view> paths;
  for (const v1::SourceFile& source : solution.sources()) {
    ASSAY_RETURN_IF_ERROR(CheckRelativePath(source.path()));
    ASSAY_RETURN_IF_ERROR(CheckUnitName(source.path()));
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

absl::Status CheckEntryPoint(const v1::BuildSpec& spec, const BuildPlan& plan) {
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
  if (!IsUnit(entry.file)) {
    return absl::InvalidArgumentError(
        absl::StrCat("entry file \"", entry.file,
                     "\" must end in .cpp, .cc or .cxx for language cpp"));
  }
  return absl::OkStatus();
}

absl::Status CheckSpec(const v1::BuildSpec& spec) {
  for (const std::string& option : spec.compile_options()) {
    ASSAY_RETURN_IF_ERROR(CheckCompileOption(option));
  }
  if (!spec.dependencies().empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "dependency \"", spec.dependencies(0),
        "\" is not known for language cpp; remove it, or put its code among "
        "the sources"));
  }
  if (EffectiveBinding(spec) == v1::BuildSpec::C &&
      !spec.destination_passing_style()) {
    return absl::InvalidArgumentError(
        "binding \"c\" cannot return tensors; set destination_passing_style to "
        "true and take the outputs as parameters");
  }
  return absl::OkStatus();
}

// A name that no source has.
std::string GeneratedName(const BuildPlan& plan) {
  std::string name = "assay_c_binding.cc";
  const auto is_taken = [&name](const BuildPlan::File& file) {
    return file.path == name;
  };
  while (std::any_of(plan.files.begin(), plan.files.end(), is_taken)) {
    name = absl::StrCat("_", name);
  }
  return name;
}

void PlanUnits(const v1::Definition& definition, const v1::BuildSpec& spec,
               BuildPlan& plan) {
  const EntryPoint entry = ParseEntryPoint(spec.entry_point());
  const bool is_c = EffectiveBinding(spec) == v1::BuildSpec::C;
  for (const BuildPlan::File& file : plan.files) {
    // For binding `c` the generated unit includes it.
    if (is_c && entry.file == file.path) continue;
    if (IsUnit(file.path)) plan.units.push_back(file.path);
  }
  if (is_c) {
    plan.generated_unit = GeneratedName(plan);
    plan.files.push_back(
        {plan.generated_unit, CBindingUnit(definition, entry.file, entry.symbol,
                                           plan.entry_advice)});
    plan.units.push_back(plan.generated_unit);
    plan.exported_symbol = kCEntrySymbol;
  } else {
    plan.uses_tvm_ffi = true;
    plan.exported_symbol = absl::StrCat("__tvm_ffi_", entry.symbol);
  }
}

bool IsAboutEntryPoint(const BuildPlan& plan, absl::string_view log) {
  if (absl::StrContains(log,
                        absl::StrCat("`", plan.exported_symbol, "' not def")) ||
      absl::StrContains(log,
                        absl::StrCat("reference to `", plan.symbol, "'"))) {
    return true;
  }
  if (plan.generated_unit.empty()) return false;
  const std::string start = absl::StrCat("./", plan.generated_unit, ":");
  for (absl::string_view line : absl::StrSplit(log, '\n')) {
    if (absl::StartsWith(line, start) && absl::StrContains(line, ": error: ")) {
      return true;
    }
  }
  return false;
}

}  // namespace

absl::StatusOr<BuildPlan> PlanBuild(const v1::Definition& definition,
                                    const v1::Solution& solution) {
  const v1::BuildSpec& spec = solution.spec();
  BuildPlan plan;
  ASSAY_RETURN_IF_ERROR(AddSources(solution, plan));
  ASSAY_RETURN_IF_ERROR(CheckEntryPoint(spec, plan));
  ASSAY_RETURN_IF_ERROR(CheckSpec(spec));
  plan.symbol = std::string(ParseEntryPoint(spec.entry_point()).symbol);
  plan.entry_advice =
      absl::StrCat("entry point \"", plan.symbol,
                   "\" must be: ", EntrySignature(solution, definition));
  plan.options.assign(spec.compile_options().begin(),
                      spec.compile_options().end());
  PlanUnits(definition, spec, plan);
  return plan;
}

std::string ExplainFailure(const BuildPlan& plan, absl::string_view log) {
  if (!IsAboutEntryPoint(plan, log)) return std::string(log);
  std::string advice = plan.entry_advice;
  if (plan.uses_tvm_ffi) {
    absl::StrAppend(&advice, ", exported by TVM_FFI_DLL_EXPORT_TYPED_FUNC(",
                    plan.symbol, ", ...)");
  }
  return absl::StrCat(absl::StripTrailingAsciiWhitespace(log),
                      "\nassay: ", advice, "\n");
}

}  // namespace assay
