#include "kernels/measure/random_chunk.h"

#include "kernels/measure/attributes.h"

namespace assay::measure {

ASSAY_VECTOR_CLONES
void RandomChunk(const RandomStream& stream, uint64_t chunk, uint32_t* words) {
  constexpr size_t kBlocks = kChunkWords / 4;
  const RandomStream local = stream;
  // A chunk is aligned, so the upper half of the block number is the same for
  // all of it.
  const uint64_t first = chunk * kBlocks;
  for (size_t i = 0; i < kBlocks; ++i) {
    local.Block(first + i, words + 4 * i);
  }
}

}  // namespace assay::measure
