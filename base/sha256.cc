#include "base/sha256.h"

#include <openssl/evp.h>

#include <cstring>

#include "absl/strings/escaping.h"
#include "absl/strings/str_cat.h"

namespace assay {

struct Sha256::State {
  State() : context(EVP_MD_CTX_new()) {
    EVP_DigestInit_ex(context, EVP_sha256(), nullptr);
  }
  ~State() { EVP_MD_CTX_free(context); }
  EVP_MD_CTX* context;
};

Sha256::Sha256() : state_(std::make_unique<State>()) {}
Sha256::~Sha256() = default;
Sha256::Sha256(Sha256&&) noexcept = default;
Sha256& Sha256::operator=(Sha256&&) noexcept = default;

void Sha256::Update(absl::string_view data) {
  EVP_DigestUpdate(state_->context, data.data(), data.size());
}

std::string Sha256::HexDigest() {
  unsigned char bytes[EVP_MAX_MD_SIZE];
  unsigned int size = 0;
  EVP_DigestFinal_ex(state_->context, bytes, &size);
  return absl::BytesToHexString(
      absl::string_view(reinterpret_cast<const char*>(bytes), size));
}

std::string Sha256Hex(absl::string_view data) {
  Sha256 hash;
  hash.Update(data);
  return hash.HexDigest();
}

FieldDigest::FieldDigest(absl::string_view domain) { Text(domain); }

FieldDigest& FieldDigest::Text(absl::string_view value) {
  hash_.Update(absl::StrCat("s", value.size(), ":"));
  hash_.Update(value);
  return *this;
}

FieldDigest& FieldDigest::Int(int64_t value) {
  hash_.Update(absl::StrCat("i", value, ";"));
  return *this;
}

FieldDigest& FieldDigest::Double(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof(bits));
  hash_.Update(absl::StrCat("d", bits, ";"));
  return *this;
}

std::string FieldDigest::Hex() { return hash_.HexDigest(); }

}  // namespace assay
