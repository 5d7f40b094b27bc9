#include "server/store/paging.h"

#include <algorithm>

#include "absl/strings/escaping.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "base/sha256.h"

namespace assay {
namespace {

constexpr size_t kHashLength = 12;

}  // namespace

absl::StatusOr<Paging> Paging::Parse(
    int32_t page_size, absl::string_view page_token,
    std::initializer_list<absl::string_view> query) {
  if (page_size < 0) {
    return absl::InvalidArgumentError(
        absl::StrCat("page_size \"", page_size,
                     "\" is negative: use 0 for the default, or up to 1000"));
  }
  Paging paging;
  if (page_size > 0) paging.size_ = std::min(page_size, kMaxSize);
  FieldDigest digest("assay.page.v1");
  for (const absl::string_view part : query) digest.Text(part);
  paging.query_hash_ = digest.Hex().substr(0, kHashLength);
  if (page_token.empty()) return paging;
  std::string token;
  if (!absl::WebSafeBase64Unescape(page_token, &token) ||
      token.size() <= kHashLength ||
      token.substr(0, kHashLength) != paging.query_hash_) {
    return absl::InvalidArgumentError(absl::StrCat(
        "page_token \"", page_token.substr(0, 100),
        "\" does not belong to this query: pass the next_page_token of the "
        "answer before, with the same filter"));
  }
  paging.after_ = token.substr(kHashLength);
  // Text keys leave it 0, and nobody asks.
  if (!absl::SimpleAtoi(paging.after_, &paging.after_number_)) {
    paging.after_number_ = 0;
  }
  return paging;
}

bool Paging::Take(int64_t bytes) {
  if (taken_ >= size_ || (taken_ > 0 && bytes_ + bytes > kMaxBytes)) {
    return false;
  }
  ++taken_;
  bytes_ += bytes;
  return true;
}

std::string Paging::Token(absl::string_view last_key) const {
  return absl::WebSafeBase64Escape(absl::StrCat(query_hash_, last_key));
}

}  // namespace assay
