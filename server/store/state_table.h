// What the coordinator notes of itself: one value a name.

#ifndef ASSAY_SERVER_STORE_STATE_TABLE_H_
#define ASSAY_SERVER_STORE_STATE_TABLE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/optional.h"
#include "server/store/sqlite.h"

namespace assay {

class StateTable {
 public:
  explicit StateTable(Database& database) : database_(database) {}

  // In place of what the name had.
  absl::Status Put(absl::string_view name, absl::string_view value);
  absl::StatusOr<absl::optional<std::string>> Find(absl::string_view name);

 private:
  Database& database_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_STATE_TABLE_H_
