#include "server/auth/token_text.h"

#include <array>
#include <cstddef>
#include <cstdint>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "base/random_id.h"
#include "base/sha256.h"

namespace assay {
namespace {

constexpr size_t kSecretDigits = 64;
constexpr size_t kMaxIdBytes = 40;

std::string DrawSecret() {
  std::string secret;
  for (int half = 0; half < 2; ++half) {
    for (const uint32_t bits : RandomBits128()) {
      absl::StrAppend(&secret, absl::Hex(bits, absl::kZeroPad8));
    }
  }
  return secret;
}

}  // namespace

TokenText DrawTokenText() { return {RandomId("tok-"), DrawSecret()}; }

absl::optional<TokenText> ParseBearer(absl::string_view header) {
  constexpr size_t kSchemeBytes = 7;
  // The scheme is written in any case, RFC 7235 says.
  if (!absl::StartsWithIgnoreCase(header, "bearer ")) return absl::nullopt;
  const absl::string_view text =
      absl::StripAsciiWhitespace(header.substr(kSchemeBytes));
  const size_t dot = text.find('.');
  if (dot == absl::string_view::npos || dot > kMaxIdBytes ||
      !absl::StartsWith(text, "tok-") ||
      text.size() - dot - 1 != kSecretDigits) {
    return absl::nullopt;
  }
  return TokenText{std::string(text.substr(0, dot)),
                   std::string(text.substr(dot + 1))};
}

std::string SecretDigest(absl::string_view secret) {
  return FieldDigest("assay.token.v1").Text(secret).Hex();
}

bool EqualInConstantTime(absl::string_view a, absl::string_view b) {
  if (a.size() != b.size()) return false;
  // Volatile: else the loop may end at the first difference.
  volatile unsigned char difference = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    difference = static_cast<unsigned char>(
        difference |
        (static_cast<unsigned char>(a[i]) ^ static_cast<unsigned char>(b[i])));
  }
  return difference == 0;
}

}  // namespace assay
