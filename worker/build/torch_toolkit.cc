#include "worker/build/torch_toolkit.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/time/time.h"
#include "base/status_macros.h"

namespace assay {
namespace {

constexpr absl::Duration kProbeTimeout = absl::Seconds(60);

// Importing torch takes seconds, and none of this needs it. Which ABI torch has
// shows in the name of a function that takes a std::string.
constexpr char kProbe[] = R"(
import importlib.util, json, os, re, sysconfig

def text(path):
    try:
        with open(path, "rb") as file:
            return file.read().decode("latin-1")
    except OSError:
        return ""

def first(pattern, where):
    match = re.search(pattern, where, re.MULTILINE)
    return match.group(1) if match else ""

facts = {}
spec = importlib.util.find_spec("torch")
if spec is not None and spec.submodule_search_locations:
    root = os.path.realpath(spec.submodule_search_locations[0])
    version = text(root + "/version.py")
    include = root + "/include"
    library = root + "/lib"
    facts = {
        "version": first(r"^__version__\b[^=]*= *'([^']*)'", version),
        "cuda": first(r"^cuda\b[^=]*= *'([^']*)'", version),
        "include": include,
        "has_headers": os.path.exists(include + "/torch/extension.h"),
        "library": library,
        "has_library": os.path.exists(library + "/libc10.so"),
        "cxx11_abi": "_ZN3c105ErrorC1ENS_14SourceLocationENSt7__cxx11"
                     in text(library + "/libc10.so"),
        "python_include": sysconfig.get_paths()["include"],
    }
    facts["has_python_headers"] = os.path.exists(
        facts["python_include"] + "/Python.h")
print(json.dumps(facts))
)";

std::string TextOf(const nlohmann::json& facts, const char* name) {
  const auto it = facts.find(name);
  return it != facts.end() && it->is_string() ? it->get<std::string>() : "";
}

bool IsTrue(const nlohmann::json& facts, const char* name) {
  const auto it = facts.find(name);
  return it != facts.end() && it->is_boolean() && it->get<bool>();
}

// The last line: an interpreter may print warnings before it.
absl::StatusOr<nlohmann::json> ParseFacts(absl::string_view output,
                                          const std::string& python) {
  const std::vector<absl::string_view> lines =
      absl::StrSplit(absl::StripTrailingAsciiWhitespace(output), '\n');
  const std::string line(lines.back());
  nlohmann::json facts = nlohmann::json::parse(line, nullptr, false);
  if (facts.is_object()) return facts;
  return absl::FailedPreconditionError(absl::StrCat(
      "the interpreter \"", python,
      "\" does not answer questions about torch, but says: ", output));
}

absl::Status CheckFacts(const nlohmann::json& facts,
                        const std::string& python) {
  if (facts.empty()) {
    return absl::FailedPreconditionError(
        absl::StrCat("the interpreter \"", python,
                     "\" has no torch; install it there, or name another "
                     "interpreter with --python"));
  }
  const std::string torch =
      absl::StrCat("torch ", TextOf(facts, "version"), " of \"", python, "\"");
  if (!IsTrue(facts, "has_headers")) {
    return absl::FailedPreconditionError(absl::StrCat(
        torch, " has no headers (looked for \"", TextOf(facts, "include"),
        "/torch/extension.h\"); install torch from PyPI, or the package "
        "libtorch-dev"));
  }
  if (!IsTrue(facts, "has_library")) {
    return absl::FailedPreconditionError(absl::StrCat(
        torch, " has no libraries to link (looked for \"",
        TextOf(facts, "library"), "/libc10.so\"); install torch from PyPI"));
  }
  if (!IsTrue(facts, "has_python_headers")) {
    return absl::FailedPreconditionError(
        absl::StrCat("there is no \"", TextOf(facts, "python_include"),
                     "/Python.h\", which extensions of ", torch,
                     " need; install the package python3-dev"));
  }
  return absl::OkStatus();
}

}  // namespace

std::vector<std::string> TorchToolkit::Libraries() const {
  std::vector<std::string> libraries = {"c10", "torch_cpu", "torch",
                                        "torch_python"};
  if (has_cuda) {
    libraries.insert(libraries.end(), {"c10_cuda", "torch_cuda"});
  }
  return libraries;
}

absl::StatusOr<TorchToolkit> FindTorchToolkit(
    Launcher& launcher, const Sandbox& sandbox, const std::string& python,
    const std::vector<std::string>& readable_paths) {
  SandboxProfile profile;
  profile.environment = {"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8"};
  profile.readable_paths = readable_paths;
  // -I: the current folder and the environment have no say.
  ASSAY_ASSIGN_OR_RETURN(
      const SandboxRun run,
      sandbox.Run(launcher, profile, {python, "-I", "-c", kProbe},
                  kProbeTimeout));
  if (run.timed_out || !run.exit.success()) {
    return absl::FailedPreconditionError(absl::StrCat(
        "the interpreter \"", python, "\" does not work: ",
        run.timed_out ? "it does not end" : sandbox.DescribeExit(run.exit),
        ": ", run.log));
  }
  ASSAY_ASSIGN_OR_RETURN(const nlohmann::json facts,
                         ParseFacts(run.log, python));
  ASSAY_RETURN_IF_ERROR(CheckFacts(facts, python));
  TorchToolkit toolkit;
  toolkit.version = TextOf(facts, "version");
  toolkit.has_cuda = !TextOf(facts, "cuda").empty();
  toolkit.cxx11_abi = IsTrue(facts, "cxx11_abi");
  toolkit.python_include = TextOf(facts, "python_include");
  const std::string include = TextOf(facts, "include");
  toolkit.include_dirs = {include,
                          absl::StrCat(include, "/torch/csrc/api/include")};
  toolkit.library_dirs = {TextOf(facts, "library")};
  return toolkit;
}

}  // namespace assay
