// The schema's dtypes as the measuring kernels know them.

#ifndef ASSAY_WORKER_DEVICE_ELEMENT_TYPE_H_
#define ASSAY_WORKER_DEVICE_ELEMENT_TYPE_H_

#include "absl/status/statusor.h"
#include "assay/v1/definition.pb.h"
#include "kernels/measure/element_type.h"

namespace assay {

// INVALID_ARGUMENT for a dtype that the schema does not define.
absl::StatusOr<measure::ElementType> ToElementType(v1::DType dtype);

}  // namespace assay

#endif  // ASSAY_WORKER_DEVICE_ELEMENT_TYPE_H_
