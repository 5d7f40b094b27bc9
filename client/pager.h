// Walks the pages of a List call item by item.
//
//   Pager<v1::Job> jobs = client.ListJobs(request);
//   ASSAY_RETURN_IF_ERROR(jobs.ForEach([](const v1::Job& job) {
//     Print(job);
//     return true;
//   }));
//
// Thread-compatible. The client outlives it.

#ifndef ASSAY_CLIENT_PAGER_H_
#define ASSAY_CLIENT_PAGER_H_

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace assay {

// One page, and the token of the one after it; empty at the end.
template <typename Item>
struct Page {
  std::vector<Item> items;
  std::string next_token;
};

template <typename Item>
class Pager {
 public:
  using Fetch = std::function<absl::StatusOr<Page<Item>>(const std::string&)>;

  explicit Pager(Fetch fetch) : fetch_(std::move(fetch)) {}

  // The next item; nothing at the end. Fetches a page when it needs one.
  absl::StatusOr<std::optional<Item>> Next() {
    while (next_ == page_.items.size()) {
      if (started_ && page_.next_token.empty()) return std::nullopt;
      const std::string token = page_.next_token;
      ASSAY_ASSIGN_OR_RETURN(page_, fetch_(token));
      // A server that does not move on would keep the client for ever.
      if (started_ && page_.next_token == token) {
        return absl::InternalError(absl::StrCat(
            "the coordinator answered page token \"", token, "\" with itself"));
      }
      started_ = true;
      next_ = 0;
    }
    return std::optional<Item>(std::move(page_.items[next_++]));
  }

  // Calls `visit` with each item until it returns false.
  absl::Status ForEach(const std::function<bool(Item&)>& visit) {
    while (true) {
      ASSAY_ASSIGN_OR_RETURN(std::optional<Item> item, Next());
      if (!item.has_value() || !visit(*item)) {
        return absl::OkStatus();
      }
    }
  }

  // The items that are left, at most `limit`.
  absl::StatusOr<std::vector<Item>> Collect(
      size_t limit = static_cast<size_t>(-1)) {
    std::vector<Item> items;
    while (items.size() < limit) {
      ASSAY_ASSIGN_OR_RETURN(std::optional<Item> item, Next());
      if (!item.has_value()) break;
      items.push_back(*std::move(item));
    }
    return items;
  }

 private:
  Fetch fetch_;
  Page<Item> page_;
  size_t next_ = 0;
  bool started_ = false;
};

}  // namespace assay

#endif  // ASSAY_CLIENT_PAGER_H_
