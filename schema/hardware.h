// The words that say where solutions and workloads run.

#ifndef ASSAY_SCHEMA_HARDWARE_H_
#define ASSAY_SCHEMA_HARDWARE_H_

#include <google/protobuf/repeated_ptr_field.h>

#include <string>

#include "absl/strings/string_view.h"
#include "assay/v1/device.pb.h"

namespace assay {

// True when the word is the device's kind, model, architecture or one of its
// labels, or `LOCAL`. Case and the choice of ` `, `-` or `_` do not matter.
bool HardwareMatches(absl::string_view word, const v1::Device& device);

// True when one of the words matches, or when there are none.
bool AnyHardwareMatches(
    const google::protobuf::RepeatedPtrField<std::string>& words,
    const v1::Device& device);

// The kind of device that the word speaks of: "cpu", "cuda", or "" for `LOCAL`
// and words whose kind cannot be told.
std::string HardwareKind(absl::string_view word);

}  // namespace assay

#endif  // ASSAY_SCHEMA_HARDWARE_H_
