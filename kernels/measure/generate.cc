#include "kernels/measure/generate.h"

#include <algorithm>
#include <cstring>

#include "kernels/measure/attributes.h"
#include "kernels/measure/convert.h"
#include "kernels/measure/normal.h"
#include "kernels/measure/random_chunk.h"

namespace assay::measure {
namespace {

ASSAY_VECTOR_CLONES
void NormalsFromWords(const uint32_t* words, float* out) {
  for (size_t i = 0; i < kChunkWords; i += 2) {
    NormalPair(words[i], words[i + 1], out + i);
  }
}

ASSAY_VECTOR_CLONES
void ClampToTwo(float* values) {
  for (size_t i = 0; i < kChunkWords; ++i) {
    const float low = values[i] < -2.0F ? -2.0F : values[i];
    values[i] = low > 2.0F ? 2.0F : low;
  }
}

// Calls `fill(chunk, out, elements)` for run after run of `elements` elements,
// each but the last of them whole.
template <typename Fill>
void ForEachChunk(ElementType type, void* data, size_t count, Fill fill) {
  const size_t per_chunk = kChunkWords / ValuesPerElement(type);
  const size_t chunk_bytes = per_chunk * ElementBytes(type);
  auto* out = static_cast<char*>(data);
  for (uint64_t chunk = 0; count > 0; ++chunk) {
    const size_t elements = std::min(count, per_chunk);
    fill(chunk, out, elements);
    out += chunk_bytes;
    count -= elements;
  }
}

void GenerateFloats(ElementType type, void* data, size_t count,
                    const RandomStream& stream) {
  const bool clamped = ElementBytes(type) == 1;
  ForEachChunk(type, data, count,
               [&](uint64_t chunk, char* out, size_t elements) {
                 uint32_t words[kChunkWords];
                 float normals[kChunkWords];
                 RandomChunk(stream, chunk, words);
                 NormalsFromWords(words, normals);
                 if (clamped) ClampToTwo(normals);
                 FromFloats(type, normals, elements, out);
               });
}

void GenerateDoubles(void* data, size_t count, const RandomStream& stream,
                     const RandomStream& low_stream) {
  ForEachChunk(ElementType::kFloat64, data, count,
               [&](uint64_t chunk, char* out, size_t elements) {
                 uint32_t words[kChunkWords];
                 uint32_t low_words[kChunkWords];
                 float normals[kChunkWords];
                 double values[kChunkWords];
                 RandomChunk(stream, chunk, words);
                 RandomChunk(low_stream, chunk, low_words);
                 NormalsFromWords(words, normals);
                 for (size_t i = 0; i < kChunkWords; ++i) {
                   values[i] = WidenNormal(normals[i], low_words[i]);
                 }
                 std::memcpy(out, values, elements * sizeof(double));
               });
}

// Uniform in [low, low + 2^bits), from the upper bits of a word.
template <typename T>
void GenerateIntegers(ElementType type, void* data, size_t count,
                      const RandomStream& stream, int32_t low,
                      unsigned int bits) {
  ForEachChunk(
      type, data, count, [&](uint64_t chunk, char* out, size_t elements) {
        uint32_t words[kChunkWords];
        T values[kChunkWords];
        RandomChunk(stream, chunk, words);
        for (size_t i = 0; i < kChunkWords; ++i) {
          const auto steps = static_cast<int32_t>(words[i] >> (32 - bits));
          values[i] = static_cast<T>(low) + static_cast<T>(steps);
        }
        std::memcpy(out, values, elements * sizeof(T));
      });
}

}  // namespace

void Generate(ElementType type, void* data, size_t count, const Key& key,
              uint32_t stream) {
  const RandomStream words = MakeStream(key, Domain::kValues, stream);
  switch (type) {
    case ElementType::kFloat64:
      return GenerateDoubles(data, count, words,
                             MakeStream(key, Domain::kValuesLow, stream));
    case ElementType::kFloat32:
    case ElementType::kFloat16:
    case ElementType::kBFloat16:
    case ElementType::kFloat8E4M3FN:
    case ElementType::kFloat8E5M2:
    case ElementType::kFloat4E2M1FNx2:
      return GenerateFloats(type, data, count, words);
    case ElementType::kInt64:
      return GenerateIntegers<int64_t>(type, data, count, words, -1024, 11);
    case ElementType::kInt32:
      return GenerateIntegers<int32_t>(type, data, count, words, -1024, 11);
    case ElementType::kInt16:
      return GenerateIntegers<int16_t>(type, data, count, words, -1024, 11);
    case ElementType::kInt8:
      return GenerateIntegers<int8_t>(type, data, count, words, -128, 8);
    case ElementType::kUInt8:
      return GenerateIntegers<uint8_t>(type, data, count, words, 0, 8);
    case ElementType::kBool:
      return GenerateIntegers<uint8_t>(type, data, count, words, 0, 1);
  }
}

}  // namespace assay::measure
