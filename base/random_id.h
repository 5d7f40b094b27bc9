// Unpredictable bytes and ids, from the kernel.

#ifndef ASSAY_BASE_RANDOM_ID_H_
#define ASSAY_BASE_RANDOM_ID_H_

#include <array>
#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace assay {

// 128 bits from getrandom(2).
std::array<uint32_t, 4> RandomBits128();

// `prefix` and 24 lower-case hex digits (96 bits), e.g. "sub-1f…".
std::string RandomId(absl::string_view prefix);

// The same form, for rows of a store: 11 digits count the milliseconds since
// the Unix epoch, 13 are random. Rows that are made one after the other lie
// beside each other in an index, where those of RandomId would each change a
// page of their own.
std::string SortableId(absl::string_view prefix);

}  // namespace assay

#endif  // ASSAY_BASE_RANDOM_ID_H_
