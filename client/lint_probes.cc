#include "client/lint_probes.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_replace.h"
#include "base/sha256.h"
#include "schema/lint_solutions.h"

namespace assay {
namespace {

constexpr char kReferenceFile[] = "assay_lint_reference.py";
constexpr char kProbeFile[] = "probe.py";

// A constant must not come from the call that it is judged by: the mean of an
// output of one element is that element.
constexpr char kProbeSource[] =
    R"("""A probe of assay lint: one output is wrong on purpose."""
import torch

from assay_lint_reference import run as reference

INPUTS = $inputs
OUTPUTS = [$outputs]
WRONG = $wrong
KIND = "$kind"
SOURCE = $source

_constant = None


def run(*arguments):
    inputs, places = arguments[:INPUTS], arguments[INPUTS:]
    right = None
    if len(places) > 1 or KIND == "constant":
        right = _listed(reference(*inputs))
    for index, place in enumerate(places):
        if index != WRONG:
            _put(place, right[index])
        elif KIND == "zeros":
            _bytes(place).zero_()
        elif KIND == "ones":
            _fill(place, 1)
        elif KIND == "copy":
            _put(place, inputs[SOURCE])
        else:
            _fill(place, _constant_of(right[index]))


def _listed(returned):
    if isinstance(returned, dict):
        return [returned[name] for name in OUTPUTS]
    return returned if isinstance(returned, (tuple, list)) else [returned]


def _bytes(tensor):
    return tensor.reshape(-1).view(torch.uint8)


def _put(place, value):
    if place.numel() == 0:
        return
    if not isinstance(value, torch.Tensor):
        value = torch.tensor(value, dtype=place.dtype, device=place.device)
    _bytes(place).copy_(_bytes(value.contiguous()))


def _fill(place, value):
    if place.dtype == getattr(torch, "float4_e2m1fn_x2", None):
        _bytes(place).fill_(0x22)  # Two ones.
        return
    # Narrow types cannot be filled, only converted to.
    wide = torch.float64 if place.dtype.is_floating_point else torch.int64
    full = torch.full(place.shape, value, dtype=wide, device=place.device)
    _put(place, full.to(place.dtype))


def _constant_of(value):
    global _constant
    if _constant is None:
        value = torch.as_tensor(value).detach()
        if value.dtype.is_floating_point:
            wide = value.to(torch.float32).to(torch.float64).reshape(-1)
            wide = wide[torch.isfinite(wide)]
            _constant = wide.mean().item() if wide.numel() else 0.0
        else:
            values, counts = torch.unique(
                value.to(torch.int64), return_counts=True
            )
            _constant = values[counts.argmax()].item() if values.numel() else 0
    return _constant
)";

std::string Quoted(const std::string& name) {
  return absl::StrCat("\"", name, "\"");
}

bool CanBeCopied(const v1::TensorSpec& input, const v1::TensorSpec& output) {
  return !input.is_scalar() && !output.is_scalar() &&
         input.dtype() == output.dtype() &&
         std::equal(input.shape().begin(), input.shape().end(),
                    output.shape().begin(), output.shape().end());
}

class ProbeMaker {
 public:
  explicit ProbeMaker(const v1::Definition& definition)
      : definition_(definition) {}

  // `source`: number of the input to copy, or -1.
  Probe Make(int output, const std::string& kind, int source) const {
    Probe probe;
    probe.kind = source < 0 ? kind
                            : absl::StrCat("copy of ",
                                           definition_.inputs(source).name());
    probe.output = definition_.outputs(output).name();
    v1::Solution& solution = probe.solution;
    solution.set_name(Name(probe));
    solution.set_definition(definition_.name());
    solution.set_author(kLintAuthor);
    solution.set_description(absl::StrCat("Probe of assay lint: output ",
                                          probe.output, " is ", probe.kind));
    v1::BuildSpec& spec = *solution.mutable_spec();
    spec.set_language(v1::BuildSpec::PYTHON);
    spec.add_target_hardware("LOCAL");
    spec.set_entry_point(absl::StrCat(kProbeFile, "::run"));
    spec.set_destination_passing_style(true);
    AddSource(kProbeFile, Source(output, kind, source), solution);
    AddSource(kReferenceFile, definition_.reference(), solution);
    return probe;
  }

 private:
  static void AddSource(const char* path, std::string content,
                        v1::Solution& solution) {
    v1::SourceFile& file = *solution.add_sources();
    file.set_path(path);
    file.set_content(std::move(content));
  }

  // Names have a limit that the definition's may reach alone.
  std::string Name(const Probe& probe) const {
    constexpr size_t kDigits = 16;
    return absl::StrCat(kLintPrefix,
                        Sha256Hex(absl::StrCat(definition_.name(), "\n",
                                               probe.output, "\n", probe.kind))
                            .substr(0, kDigits));
  }

  std::string Source(int output, const std::string& kind, int source) const {
    const std::string outputs =
        absl::StrJoin(definition_.outputs(), ", ",
                      [](std::string* out, const v1::TensorSpec& spec) {
                        absl::StrAppend(out, Quoted(spec.name()));
                      });
    return absl::StrReplaceAll(
        kProbeSource, {{"$inputs", absl::StrCat(definition_.inputs_size())},
                       {"$outputs", outputs},
                       {"$wrong", absl::StrCat(output)},
                       {"$kind", kind},
                       {"$source", absl::StrCat(source)}});
  }

  const v1::Definition& definition_;
};

}  // namespace

std::vector<Probe> ProbesFor(const v1::Definition& definition) {
  const ProbeMaker maker(definition);
  std::vector<Probe> probes;
  for (int i = 0; i < definition.outputs_size(); ++i) {
    const v1::TensorSpec& output = definition.outputs(i);
    probes.push_back(maker.Make(i, "zeros", -1));
    probes.push_back(maker.Make(i, "ones", -1));
    // Pairs of four-bit values have no mean.
    if (output.dtype() != v1::DTYPE_FLOAT4_E2M1FN_X2) {
      probes.push_back(maker.Make(i, "constant", -1));
    }
    for (int input = 0; input < definition.inputs_size(); ++input) {
      if (CanBeCopied(definition.inputs(input), output)) {
        probes.push_back(maker.Make(i, "copy", input));
      }
    }
  }
  return probes;
}

}  // namespace assay
