#include "kernels/measure/compare_testing.h"

#include <cmath>
#include <cstdint>
#include <iterator>
#include <limits>
#include <sstream>

#include "kernels/measure/generate.h"
#include "kernels/measure/minifloat.h"
#include "kernels/measure/philox.h"
#include "kernels/measure/poison.h"

namespace assay::measure {
namespace {

constexpr Key kKey = {{11, 22, 33, 44}};

uint32_t RandomWord(uint64_t index) {
  uint32_t words[4];
  MakeStream(kKey, Domain::kPattern, 7).Block(index, words);
  return words[0];
}

// Of one element in `every`.
void FlipLastBits(ElementType type, uint32_t every,
                  std::vector<unsigned char>* data) {
  // Little endian: the first byte of an element has its last bit.
  const size_t size = ElementBytes(type);
  for (size_t i = 0; i < data->size() / size; ++i) {
    if (RandomWord(i) % every == 0) (*data)[i * size] ^= 1;
  }
}

void StoreSpecials(ElementType type, uint64_t salt,
                   std::vector<unsigned char>* data) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  constexpr double kSpecials[] = {
      0.0,        -0.0,     1.0,     1.0 + 0x1p-7, -1.0,      kInfinity,
      -kInfinity, NAN,      1.7e308, -1.7e308,     3.4e38,    -3.4e38,
      65504,      0x1p-149, 0x1p-24, 5e-324,       0x1p-1022, 448,
  };
  const size_t values =
      data->size() / ElementBytes(type) * ValuesPerElement(type);
  for (size_t i = 0; i < values; ++i) {
    const size_t pick = RandomWord(i + salt) % std::size(kSpecials);
    StoreFromDouble(type, kSpecials[pick], data->data(), i);
  }
}

void AddDifference(const char* name, uint64_t a, uint64_t b,
                   std::ostringstream* out) {
  if (a != b) *out << name << " is " << a << " against " << b << "; ";
}

void AddDifference(const char* name, double a, double b,
                   std::ostringstream* out) {
  // Which NaN it is does not matter.
  if (std::isnan(a) && std::isnan(b)) return;
  if (BitCast<uint64_t>(a) == BitCast<uint64_t>(b)) return;
  *out << name << " is " << a << " against " << b << "; ";
}

}  // namespace

const char* PairKindName(PairKind kind) {
  switch (kind) {
    case PairKind::kEqual:
      return "equal";
    case PairKind::kUnrelated:
      return "unrelated";
    case PairKind::kLastBits:
      return "last bits";
    case PairKind::kAllLastBits:
      return "all last bits";
    case PairKind::kOnePlace:
      return "one place";
    case PairKind::kAnyBits:
      return "any bits";
    case PairKind::kSpecials:
      return "specials";
  }
  return "";
}

TensorPair MakePair(ElementType type, PairKind kind, size_t count) {
  const size_t bytes = count * ElementBytes(type);
  TensorPair pair = {std::vector<unsigned char>(bytes),
                     std::vector<unsigned char>(bytes)};
  Generate(type, pair.want.data(), count, kKey, 0);
  pair.got = pair.want;
  switch (kind) {
    case PairKind::kEqual:
      break;
    case PairKind::kUnrelated:
      Generate(type, pair.got.data(), count, kKey, 1);
      break;
    case PairKind::kLastBits:
      FlipLastBits(type, 10, &pair.got);
      break;
    case PairKind::kAllLastBits:
      FlipLastBits(type, 1, &pair.got);
      break;
    case PairKind::kOnePlace:
      if (bytes > 0) pair.got[bytes / 2] ^= 0x5A;
      break;
    case PairKind::kAnyBits:
      FillPattern(pair.got.data(), bytes, kKey, 2);
      FillPattern(pair.want.data(), bytes, kKey, 3);
      break;
    case PairKind::kSpecials:
      StoreSpecials(type, 0, &pair.got);
      StoreSpecials(type, uint64_t{1} << 40, &pair.want);
      break;
  }
  return pair;
}

std::string Difference(const CompareResult& a, const CompareResult& b) {
  std::ostringstream out;
  out.precision(17);
  AddDifference("count", a.count, b.count, &out);
  AddDifference("wrong", a.wrong, b.wrong, &out);
  AddDifference("nonfinite_mismatches", a.nonfinite_mismatches,
                b.nonfinite_mismatches, &out);
  AddDifference("max_abs_error", a.max_abs_error, b.max_abs_error, &out);
  AddDifference("max_rel_error", a.max_rel_error, b.max_rel_error, &out);
  AddDifference("worst_index", a.worst_index, b.worst_index, &out);
  AddDifference("worst_got", a.worst_got, b.worst_got, &out);
  AddDifference("worst_want", a.worst_want, b.worst_want, &out);
  return out.str();
}

}  // namespace assay::measure
