#include "schema/digest.h"

#include <algorithm>
#include <vector>

#include "base/sha256.h"
#include "schema/binding.h"
#include "schema/relative_path.h"

namespace assay {
namespace {

using google::protobuf::RepeatedPtrField;

// The domains carry the version of the rule: a change of what is hashed takes a
// new domain, so that old and new digests never meet.
constexpr char kDefinitionDomain[] = "assay.definition.v1";
constexpr char kSolutionDomain[] = "assay.solution.v1";
constexpr char kWorkloadDomain[] = "assay.workload.v1";

void AddTexts(const RepeatedPtrField<std::string>& texts, FieldDigest& digest) {
  digest.Int(texts.size());
  for (const std::string& text : texts) digest.Text(text);
}

void AddTensors(const RepeatedPtrField<v1::TensorSpec>& tensors,
                FieldDigest& digest) {
  digest.Int(tensors.size());
  for (const v1::TensorSpec& tensor : tensors) {
    digest.Text(tensor.name()).Int(tensor.is_scalar()).Int(tensor.dtype());
    AddTexts(tensor.shape(), digest);
  }
}

void AddScalar(const v1::ScalarInput& scalar, FieldDigest& digest) {
  digest.Int(scalar.value_case());
  switch (scalar.value_case()) {
    case v1::ScalarInput::kIntValue:
      digest.Int(scalar.int_value());
      break;
    case v1::ScalarInput::kFloatValue:
      digest.Double(scalar.float_value());
      break;
    case v1::ScalarInput::kBoolValue:
      digest.Int(scalar.bool_value());
      break;
    case v1::ScalarInput::VALUE_NOT_SET:
      break;
  }
}

void AddFile(const v1::SafetensorsInput& file, FieldDigest& digest) {
  const bool known = !file.sha256().empty();
  const absl::string_view path = WithoutDotSlash(file.path());
  digest.Int(known).Text(known ? absl::string_view(file.sha256()) : path);
  digest.Text(file.tensor_key());
}

// Pointers to the elements, ordered by name.
template <typename T>
std::vector<const T*> ByName(const RepeatedPtrField<T>& elements) {
  std::vector<const T*> result;
  for (const T& element : elements) result.push_back(&element);
  std::stable_sort(result.begin(), result.end(), [](const T* a, const T* b) {
    return a->name() < b->name();
  });
  return result;
}

}  // namespace

std::string DefinitionDigest(const v1::Definition& definition) {
  FieldDigest digest(kDefinitionDomain);
  digest.Text(definition.name()).Text(definition.op_type());
  digest.Int(definition.axes_size());
  for (const v1::Axis* axis : ByName(definition.axes())) {
    digest.Text(axis->name()).Int(axis->kind()).Int(axis->value());
  }
  AddTensors(definition.inputs(), digest);
  AddTensors(definition.outputs(), digest);
  digest.Text(definition.reference());
  AddTexts(definition.constraints(), digest);
  return digest.Hex();
}

std::string SolutionDigest(const v1::Solution& solution) {
  FieldDigest digest(kSolutionDomain);
  digest.Text(solution.name())
      .Text(solution.definition())
      .Text(solution.author());
  const v1::BuildSpec& spec = solution.spec();
  digest.Int(spec.language()).Int(EffectiveBinding(spec));
  digest.Text(spec.entry_point()).Int(spec.destination_passing_style());
  AddTexts(spec.target_hardware(), digest);
  AddTexts(spec.dependencies(), digest);
  AddTexts(spec.compile_options(), digest);

  std::vector<const v1::SourceFile*> sources;
  for (const v1::SourceFile& source : solution.sources()) {
    sources.push_back(&source);
  }
  std::stable_sort(sources.begin(), sources.end(),
                   [](const v1::SourceFile* a, const v1::SourceFile* b) {
                     return a->path() < b->path();
                   });
  digest.Int(static_cast<int64_t>(sources.size()));
  for (const v1::SourceFile* source : sources) {
    digest.Text(source->path()).Text(source->content());
  }
  return digest.Hex();
}

std::string WorkloadDigest(const v1::Workload& workload) {
  FieldDigest digest(kWorkloadDomain);
  digest.Int(workload.axes_size());
  for (const v1::AxisValue* axis : ByName(workload.axes())) {
    digest.Text(axis->name()).Int(axis->value());
  }
  digest.Int(workload.inputs_size());
  for (const v1::WorkloadInput* input : ByName(workload.inputs())) {
    digest.Text(input->name()).Int(input->kind_case());
    if (input->has_scalar()) AddScalar(input->scalar(), digest);
    if (input->has_safetensors()) AddFile(input->safetensors(), digest);
  }
  return digest.Hex();
}

}  // namespace assay
