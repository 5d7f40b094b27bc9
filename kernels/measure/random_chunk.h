// Random words in runs that become vector code. Internal to this folder.

#ifndef ASSAY_KERNELS_MEASURE_RANDOM_CHUNK_H_
#define ASSAY_KERNELS_MEASURE_RANDOM_CHUNK_H_

#include <cstddef>
#include <cstdint>

#include "kernels/measure/philox.h"

namespace assay::measure {

inline constexpr size_t kChunkWords = 256;

// Words [chunk * 256, chunk * 256 + 256) of the stream, where word i is word
// i % 4 of block i / 4.
void RandomChunk(const RandomStream& stream, uint64_t chunk, uint32_t* words);

}  // namespace assay::measure

#endif  // ASSAY_KERNELS_MEASURE_RANDOM_CHUNK_H_
