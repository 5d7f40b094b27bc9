#include "schema/freshness.h"

#include "schema/dtype.h"

namespace assay {
namespace {

bool CanVaryAny(const ResolvedCase& sizes, const v1::WorkloadInput& given) {
  for (const ResolvedTensor& tensor : sizes.inputs) {
    if (tensor.name == given.name() && CanVary(tensor, given)) return true;
  }
  return false;
}

}  // namespace

bool CanVary(const ResolvedTensor& tensor, const v1::WorkloadInput& given) {
  return given.has_safetensors() && !tensor.is_scalar && tensor.bytes > 0 &&
         IsFloatDType(tensor.dtype) &&
         tensor.dtype != v1::DTYPE_FLOAT4_E2M1FN_X2;
}

Freshness FreshnessOf(const ResolvedCase& sizes, const v1::Workload& workload) {
  Freshness freshness = Freshness::kStored;
  for (const v1::WorkloadInput& given : workload.inputs()) {
    if (given.has_random()) return Freshness::kRandom;
    if (CanVaryAny(sizes, given)) freshness = Freshness::kVaried;
  }
  return freshness;
}

}  // namespace assay
