// SHA-256, and digests over structured data.

#ifndef ASSAY_BASE_SHA256_H_
#define ASSAY_BASE_SHA256_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/strings/string_view.h"

namespace assay {

// Incremental SHA-256. Not thread-safe.
class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(Sha256&&) noexcept;
  Sha256& operator=(Sha256&&) noexcept;

  void Update(absl::string_view data);

  // 64 lower-case hex digits. Call once, last.
  std::string HexDigest();

 private:
  struct State;
  std::unique_ptr<State> state_;
};

// 64 lower-case hex digits of the SHA-256 of `data`.
std::string Sha256Hex(absl::string_view data);

// Digest of a sequence of fields. Each value is preceded by its length, so that
// no two different sequences feed the same bytes to the hash.
//
//   FieldDigest digest("assay.definition.v1");
//   digest.Text(name).Int(axes.size());
class FieldDigest {
 public:
  // `domain` keeps digests of different kinds of object apart.
  explicit FieldDigest(absl::string_view domain);

  FieldDigest& Text(absl::string_view value);
  FieldDigest& Int(int64_t value);
  // By its bits: 0.0 and -0.0 differ, a NaN equals itself.
  FieldDigest& Double(double value);

  std::string Hex();

 private:
  Sha256 hash_;
};

}  // namespace assay

#endif  // ASSAY_BASE_SHA256_H_
