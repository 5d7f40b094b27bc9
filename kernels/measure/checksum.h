// A keyed checksum: have a tensor's bytes changed while others could write it?
//
//   const uint64_t before = Checksum(input, bytes, key);
//   ... the call ...
//   const bool changed = Checksum(input, bytes, key) != before;

#ifndef ASSAY_KERNELS_MEASURE_CHECKSUM_H_
#define ASSAY_KERNELS_MEASURE_CHECKSUM_H_

#include <cstddef>
#include <cstdint>

#include "kernels/measure/philox.h"

namespace assay::measure {

// 64 bits over the content, the position of every byte, and the length. Two
// buffers that differ only within one aligned group of 8 bytes never have the
// same checksum; any other two, by chance of about 2^-64 for who does not know
// the key. The terms are summed, so that a device can compute them in any
// order. `data` needs no alignment.
uint64_t Checksum(const void* data, size_t bytes, const Key& key);

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_CHECKSUM_H_
