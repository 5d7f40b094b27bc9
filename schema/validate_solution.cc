#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "schema/binding.h"
#include "schema/json_path.h"
#include "schema/lint_solutions.h"
#include "schema/names.h"
#include "schema/problem_list.h"
#include "schema/python_scan.h"
#include "schema/relative_path.h"
#include "schema/signature.h"
#include "schema/validate.h"

namespace assay {
namespace {

using google::protobuf::RepeatedPtrField;

constexpr int kMaxSources = 1000;

std::vector<absl::string_view> SuffixesOf(v1::BuildSpec::Language language) {
  switch (language) {
    case v1::BuildSpec::CPP:
      return {".cpp", ".cc", ".cxx", ".c"};
    case v1::BuildSpec::CUDA:
      return {".cu", ".cpp", ".cc", ".cxx"};
    default:
      return {".py"};
  }
}

class SolutionCheck {
 public:
  explicit SolutionCheck(const v1::Solution& solution)
      : solution_(solution), spec_(solution.spec()) {}

  std::vector<Problem> Run() && {
    CheckFault("$.name", solution_.name(), NameFault(solution_.name()));
    CheckReservedName();
    CheckFault("$.definition", solution_.definition(),
               NameFault(solution_.definition()));
    CheckFault("$.author", solution_.author(), AuthorFault());
    CheckSpec();
    CheckSources();
    CheckEntryPoint();
    return std::move(problems_).Release();
  }

 private:
  void CheckFault(const std::string& path, const std::string& value,
                  const std::string& fault) {
    if (fault.empty()) return;
    problems_.Error(path, absl::StrCat(Quoted(value), " ", fault));
  }

  void CheckReservedName() {
    const bool name = IsLintSolution(solution_.name());
    const bool author = solution_.author() == kLintAuthor;
    constexpr char kKept[] =
        ", which is kept for the probes of assay lint, choose another";
    if (name && !author) {
      problems_.Error("$.name",
                      absl::StrCat(Quoted(solution_.name()), " begins with ",
                                   Quoted(kLintPrefix), kKept));
    } else if (author && !name) {
      problems_.Error("$.author",
                      absl::StrCat("is ", Quoted(kLintAuthor), kKept));
    }
  }

  // The author becomes the name of a folder.
  std::string AuthorFault() const {
    const std::string& author = solution_.author();
    if (std::string fault = LineFault(author); !fault.empty()) return fault;
    if (author.front() == '.') return "starts with \".\", start with a letter";
    return author.find_first_of("/\\") == std::string::npos
               ? ""
               : "contains a slash, choose another name";
  }

  void CheckWords(absl::string_view member,
                  const RepeatedPtrField<std::string>& words) {
    for (int i = 0; i < words.size(); ++i) {
      CheckFault(
          ElementPath(MemberPath("$.spec", member), static_cast<size_t>(i)),
          words.Get(i), LineFault(words.Get(i)));
    }
  }

  void CheckSpec() {
    if (LanguageName(spec_.language()) == "unspecified") {
      problems_.Error("$.spec.language",
                      "is not set, use one of: python, triton, cpp, cuda, "
                      "tilelang");
    } else {
      CheckBinding();
    }
    if (spec_.target_hardware().empty()) {
      problems_.Error("$.spec.target_hardware",
                      "is empty, name where the solution runs, e.g. \"cpu\", "
                      "\"cuda\" or \"NVIDIA_H200\"");
    }
    CheckWords("target_hardware", spec_.target_hardware());
    CheckWords("dependencies", spec_.dependencies());
    CheckWords("compile_options", spec_.compile_options());
  }

  void CheckBinding() {
    if (!IsCompiled(spec_.language())) {
      if (spec_.binding() != v1::BuildSpec::BINDING_UNSPECIFIED) {
        problems_.Warning(
            "$.spec.binding",
            absl::StrCat("is ignored for the language \"",
                         LanguageName(spec_.language()), "\", leave it out"));
      }
      return;
    }
    if (spec_.binding() == v1::BuildSpec::C &&
        !spec_.destination_passing_style()) {
      problems_.Error("$.spec.destination_passing_style",
                      "is false, the binding \"c\" needs true: outputs are "
                      "arguments to fill");
    }
  }

  void CheckSources() {
    if (solution_.sources().empty()) {
      problems_.Error("$.sources", "is empty, add at least one file");
    }
    if (solution_.sources_size() > kMaxSources) {
      problems_.Error("$.sources",
                      absl::StrCat("has ", solution_.sources_size(),
                                   " files, use at most ", kMaxSources));
      return;
    }
    int64_t bytes = 0;
    for (int i = 0; i < solution_.sources_size(); ++i) {
      CheckSource(solution_.sources(i),
                  ElementPath("$.sources", static_cast<size_t>(i)));
      bytes += static_cast<int64_t>(solution_.sources(i).content().size());
    }
    if (bytes > kMaxSourcesBytes) {
      problems_.Error("$.sources",
                      absl::StrCat("has ", bytes, " bytes in all, use at most ",
                                   kMaxSourcesBytes));
    }
    CheckFolders();
  }

  void CheckSource(const v1::SourceFile& source, const std::string& path) {
    const std::string path_member = MemberPath(path, "path");
    const absl::Status status = CheckRelativePath(source.path());
    if (!status.ok()) {
      problems_.Error(path_member, absl::StrCat(Quoted(source.path()), " ",
                                                status.message()));
    } else if (!paths_.insert(source.path()).second) {
      problems_.Error(path_member, absl::StrCat(Quoted(source.path()),
                                                " is given twice, remove one"));
    }
    const std::string content_member = MemberPath(path, "content");
    if (source.content().empty()) {
      problems_.Warning(content_member,
                        absl::StrCat("of ", Quoted(source.path()),
                                     " is empty, which FlashInfer-Bench does "
                                     "not accept"));
    } else if (source.content().find('\0') != std::string::npos) {
      problems_.Error(content_member,
                      "contains a NUL character, sources are text");
    }
  }

  // `a` cannot be a file and, because of `a/b`, a folder.
  void CheckFolders() {
    for (const std::string& path : paths_) {
      for (size_t slash = path.find('/'); slash != std::string::npos;
           slash = path.find('/', slash + 1)) {
        const std::string folder = path.substr(0, slash);
        if (paths_.count(folder) == 0) continue;
        problems_.Error("$.sources",
                        absl::StrCat(Quoted(folder),
                                     " is a file and the "
                                     "folder of ",
                                     Quoted(path), ", rename one"));
      }
    }
  }

  void CheckEntryPoint() {
    const std::string path = "$.spec.entry_point";
    const EntryPoint entry = ParseEntryPoint(spec_.entry_point());
    if (entry.file.empty()) {
      problems_.Error(
          path, absl::StrCat(Quoted(spec_.entry_point()),
                             " is not of the form "
                             "\"file::symbol\", e.g. \"kernel",
                             SuffixesOf(spec_.language()).front(), "::run\""));
      return;
    }
    if (!IsIdentifier(entry.symbol)) {
      problems_.Error(path, absl::StrCat("symbol ", Quoted(entry.symbol),
                                         " is no identifier, name a function"));
    }
    if (paths_.count(std::string(entry.file)) == 0) {
      problems_.Error(path, absl::StrCat("file ", Quoted(entry.file),
                                         " is not among the sources, add it or "
                                         "use one of: ",
                                         absl::StrJoin(paths_, ", ")));
    }
    CheckSuffix(entry.file, path);
    CheckEntryContent(entry.file);
  }

  void CheckSuffix(absl::string_view file, const std::string& path) {
    if (LanguageName(spec_.language()) == "unspecified") return;
    const auto suffixes = SuffixesOf(spec_.language());
    if (std::any_of(suffixes.begin(), suffixes.end(),
                    [&](absl::string_view suffix) {
                      return absl::EndsWith(file, suffix);
                    })) {
      return;
    }
    problems_.Error(
        path, absl::StrCat("file ", Quoted(file), " does not fit the language ",
                           Quoted(LanguageName(spec_.language())),
                           ", use one of: ", absl::StrJoin(suffixes, ", ")));
  }

  void CheckEntryContent(absl::string_view file) {
    for (const v1::SourceFile& source : solution_.sources()) {
      if (source.path() != file || !source.content().empty()) continue;
      problems_.Error("$.spec.entry_point",
                      absl::StrCat("file ", Quoted(file),
                                   " is empty, write the kernel there"));
    }
  }

  const v1::Solution& solution_;
  const v1::BuildSpec& spec_;
  ProblemList problems_;
  // The good ones.
  std::set<std::string> paths_;
};

// Checks the entry point of a Python solution where its source shows it.
void CheckPythonArity(const v1::Solution& solution,
                      const v1::Definition& definition, ProblemList& problems) {
  const EntryPoint entry = ParseEntryPoint(solution.spec().entry_point());
  for (const v1::SourceFile& source : solution.sources()) {
    if (source.path() != entry.file) continue;
    const PythonScan scan = ScanPython(source.content(), entry.symbol);
    if (!scan.is_sound || !scan.function.has_value()) continue;
    int wanted = definition.inputs_size();
    if (solution.spec().destination_passing_style()) {
      wanted += definition.outputs_size();
    }
    const int given = static_cast<int>(scan.function->parameters.size());
    if (scan.function->required <= wanted &&
        (given >= wanted || scan.function->takes_more)) {
      continue;
    }
    problems.Error(
        "$.spec.entry_point",
        absl::StrCat(Quoted(entry.symbol), " in ", Quoted(entry.file),
                     " takes ", given, " parameters, the definition ",
                     Quoted(definition.name()), " wants ", wanted, ": ",
                     EntrySignature(solution, definition)));
  }
}

}  // namespace

std::vector<Problem> ValidateSolution(const v1::Solution& solution) {
  return SolutionCheck(solution).Run();
}

std::vector<Problem> ValidateSolutionFor(const v1::Solution& solution,
                                         const v1::Definition& definition) {
  ProblemList problems;
  if (solution.definition() != definition.name()) {
    problems.Error(
        "$.definition",
        absl::StrCat(Quoted(solution.definition()), " is not the definition ",
                     Quoted(definition.name()), ", correct it"));
  }
  if (!IsCompiled(solution.spec().language())) {
    CheckPythonArity(solution, definition, problems);
  } else if (EffectiveBinding(solution.spec()) == v1::BuildSpec::C) {
    for (const v1::TensorSpec& output : definition.outputs()) {
      if (!output.is_scalar()) continue;
      problems.Warning("$.spec.binding",
                       absl::StrCat("the scalar output ", Quoted(output.name()),
                                    " is passed to a \"c\" function as a 0-D "
                                    "tensor to fill"));
    }
  }
  return std::move(problems).Release();
}

}  // namespace assay
