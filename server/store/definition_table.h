// Stored definitions. Functions work on the connection of the current unit of
// work; see session.h.

#ifndef ASSAY_SERVER_STORE_DEFINITION_TABLE_H_
#define ASSAY_SERVER_STORE_DEFINITION_TABLE_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "assay/v1/catalog_service.pb.h"
#include "server/store/paging.h"
#include "server/store/sqlite.h"

namespace assay {

class DefinitionTable {
 public:
  explicit DefinitionTable(Database& database) : database_(database) {}

  absl::Status Insert(const v1::DefinitionRecord& record);
  // NOT_FOUND names the definition.
  absl::StatusOr<v1::DefinitionRecord> Get(absl::string_view name);
  // DefinitionRecord.digest, without reading more. NOT_FOUND as Get.
  absl::StatusOr<std::string> Digest(absl::string_view name);
  // Ordered by name. `op_type` empty: all.
  absl::StatusOr<v1::ListDefinitionsResponse> List(absl::string_view op_type,
                                                   Paging paging);

 private:
  Database& database_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_STORE_DEFINITION_TABLE_H_
