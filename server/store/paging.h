// Keyset paging: a page begins after the last key of the page before. The token
// holds that key and a hash of the filter, so that a token cannot be used with
// another query.
//
//   ASSAY_ASSIGN_OR_RETURN(Paging paging,
//                          Paging::Parse(request.page_size(),
//                                        request.page_token(),
//                                        {"definitions", request.op_type()}));
//   while (there is a row) {
//     if (!paging.Take(row.ByteSizeLong())) {
//       response.set_next_page_token(paging.Token(last_key));
//       break;
//     }
//     last_key = …
//   }

#ifndef ASSAY_SERVER_STORE_PAGING_H_
#define ASSAY_SERVER_STORE_PAGING_H_

#include <cstdint>
#include <initializer_list>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace assay {

// Where a page begins and how large it may get. A value type.
class Paging {
 public:
  static constexpr int kDefaultSize = 50;
  static constexpr int kMaxSize = 1000;
  // A page ends early when its rows exceed this; a message may hold four times
  // as much.
  static constexpr int64_t kMaxBytes = int64_t{16} << 20;

  // `query` is what the list is of, and the values of its filters.
  // INVALID_ARGUMENT for a negative size or a token of another query.
  static absl::StatusOr<Paging> Parse(
      int32_t page_size, absl::string_view page_token,
      std::initializer_list<absl::string_view> query);

  // The key that the page begins after; empty, or 0, for the first page.
  const std::string& after() const { return after_; }
  int64_t after_number() const { return after_number_; }
  // True on the first page.
  bool first() const { return after_.empty(); }

  // Counts one row of `bytes` bytes. False: it does not fit any more; the
  // page ends before it. The first row always fits.
  bool Take(int64_t bytes);

  // Token of the page after the one that ends with `last_key`.
  std::string Token(absl::string_view last_key) const;

 private:
  Paging() = default;

  int size_ = kDefaultSize;
  int taken_ = 0;
  int64_t bytes_ = 0;
  std::string after_;
  int64_t after_number_ = 0;
  // Start of the hash over the query.
  std::string query_hash_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_PAGING_H_
