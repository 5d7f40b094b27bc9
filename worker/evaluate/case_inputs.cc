#include "worker/evaluate/case_inputs.h"

#include <memory>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "base/status_macros.h"
#include "kernels/measure/element_type.h"
#include "schema/dtype.h"
#include "schema/safetensors.h"
#include "worker/device/element_type.h"

namespace assay {
namespace {

std::string Describe(v1::DType dtype, const std::vector<int64_t>& shape) {
  return absl::StrCat(DTypeName(dtype), "[", absl::StrJoin(shape, ", "), "]");
}

absl::Status UploadSafetensors(Device& device, const ResolvedTensor& input,
                               const v1::SafetensorsInput& where,
                               BlobSource& blobs, const Region& region) {
  ASSAY_ASSIGN_OR_RETURN(const std::string path, blobs.Fetch(where));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<SafetensorsFile> file,
                         SafetensorsFile::Open(path));
  ASSAY_ASSIGN_OR_RETURN(const SafetensorsFile::Tensor tensor,
                         file->Find(where.tensor_key()));
  if (tensor.dtype != input.dtype || tensor.shape != input.dims) {
    return absl::InvalidArgumentError(absl::StrCat(
        "tensor \"", where.tensor_key(), "\" is ",
        Describe(tensor.dtype, tensor.shape), " and the definition wants ",
        Describe(input.dtype, input.dims)));
  }
  return device.Upload(region, tensor.data);
}

// A 0-D tensor may be given as a scalar.
absl::Status UploadScalar(Device& device, const ResolvedTensor& input,
                          const v1::ScalarInput& scalar, const Region& region) {
  ASSAY_ASSIGN_OR_RETURN(const measure::ElementType type,
                         ToElementType(input.dtype));
  double value = scalar.float_value();
  if (scalar.has_int_value()) value = static_cast<double>(scalar.int_value());
  if (scalar.has_bool_value()) value = scalar.bool_value() ? 1 : 0;
  std::string bytes(measure::ElementBytes(type), '\0');
  measure::StoreFromDouble(type, value, bytes.data(), 0);
  return device.Upload(region, bytes);
}

const v1::WorkloadInput* FindInput(const v1::Workload& workload,
                                   const std::string& name) {
  for (const v1::WorkloadInput& input : workload.inputs()) {
    if (input.name() == name) return &input;
  }
  return nullptr;
}

// Of the draw's random streams, one for each input.
uint32_t FirstStream(const ResolvedCase& sizes, int number) {
  return static_cast<uint32_t>(number) *
         static_cast<uint32_t>(sizes.inputs.size());
}

// As FlashInfer-Bench has it: the probabilities of sampling operators are a
// distribution over the last axis.
bool IsDistribution(const v1::Definition& definition,
                    const ResolvedTensor& input) {
  return definition.op_type() == "sampling" && input.name == "probs" &&
         !input.dims.empty() && IsFloatDType(input.dtype);
}

}  // namespace

absl::Status UploadFixedInputs(Device& device, const ResolvedCase& sizes,
                               const v1::Workload& workload, BlobSource& blobs,
                               const CaseMemory& memory) {
  for (size_t i = 0; i < sizes.inputs.size(); ++i) {
    const ResolvedTensor& input = sizes.inputs[i];
    const v1::WorkloadInput* given = FindInput(workload, input.name);
    if (given == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the workload says nothing about input \"", input.name, "\""));
    }
    if (input.is_scalar) continue;
    const Region region = memory.Stored(static_cast<int>(i));
    absl::Status status;
    if (given->has_safetensors()) {
      status =
          UploadSafetensors(device, input, given->safetensors(), blobs, region);
    } else if (given->has_scalar()) {
      status = UploadScalar(device, input, given->scalar(), region);
    }
    ASSAY_RETURN_IF_ERROR(
        Annotate(status, absl::StrCat("input \"", input.name, "\"")));
  }
  return device.Copy(memory.Given(), memory.GivenCopy());
}

absl::Status StageUnvaried(Device& device, const CaseMemory& memory) {
  return device.Copy(memory.Unvaried(), memory.Staged());
}

absl::Status StageVaried(Device& device, const ResolvedCase& sizes,
                         const measure::Key& key, int number,
                         const CaseMemory& memory) {
  const uint32_t first_stream = FirstStream(sizes, number);
  for (size_t i = 0; i < sizes.inputs.size(); ++i) {
    const Region stored = memory.Stored(static_cast<int>(i));
    const Region staged = memory.Input(static_cast<int>(i));
    if (stored.offset == staged.offset) continue;
    ASSAY_RETURN_IF_ERROR(device.Vary(stored, staged, sizes.inputs[i].dtype,
                                      key,
                                      first_stream + static_cast<uint32_t>(i)));
  }
  return absl::OkStatus();
}

absl::Status DrawRandomInputs(Device& device, const v1::Definition& definition,
                              const ResolvedCase& sizes,
                              const v1::Workload& workload,
                              const measure::Key& key, int number,
                              const CaseMemory& memory) {
  const uint32_t first_stream = FirstStream(sizes, number);
  for (size_t i = 0; i < sizes.inputs.size(); ++i) {
    const ResolvedTensor& input = sizes.inputs[i];
    const v1::WorkloadInput* given = FindInput(workload, input.name);
    if (input.is_scalar || given == nullptr || !given->has_random()) continue;
    const Region region = memory.Input(static_cast<int>(i));
    ASSAY_RETURN_IF_ERROR(device.Generate(
        region, input.dtype, key, first_stream + static_cast<uint32_t>(i)));
    if (IsDistribution(definition, input)) {
      ASSAY_RETURN_IF_ERROR(
          device.SoftmaxRows(region, input.dtype, input.dims.back()));
    }
  }
  return absl::OkStatus();
}

absl::Status DeliverInputs(Device& device, const CaseMemory& memory,
                           int place) {
  ASSAY_RETURN_IF_ERROR(device.EvictFromCaches(memory.GivenCopy()));
  return device.Copy(memory.Staged(), memory.Place(place));
}

}  // namespace assay
