#include "server/store/workload_table.h"

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"

namespace assay {
namespace {

constexpr char kInsertWorkloadSql[] =
    "INSERT INTO workloads (uuid, definition, digest, content, create_time_us)"
    " VALUES (?, ?, ?, ?, ?)";
constexpr char kSelectWorkloadSql[] =
    "SELECT content, definition, digest, create_time_us, seq FROM workloads"
    " WHERE uuid = ?";
constexpr char kListWorkloadsSql[] =
    "SELECT content, definition, digest, create_time_us, seq FROM workloads"
    " WHERE seq > ? ORDER BY seq";
constexpr char kListWorkloadsOfSql[] =
    "SELECT content, definition, digest, create_time_us, seq FROM workloads"
    " WHERE seq > ? AND definition = ? ORDER BY seq";

absl::StatusOr<v1::WorkloadRecord> ReadRecord(const Statement& row) {
  v1::WorkloadRecord record;
  ASSAY_RETURN_IF_ERROR(row.Message(0, *record.mutable_workload()));
  record.set_definition(row.String(1));
  record.set_digest(row.String(2));
  record.set_create_time_us(row.Int(3));
  return record;
}

}  // namespace

absl::Status WorkloadTable::Insert(const v1::WorkloadRecord& record) {
  changes_.effects().ChangeBoards(record.definition());
  Statement statement = database_.Prepare(kInsertWorkloadSql);
  statement.Bind(record.workload().uuid())
      .Bind(record.definition())
      .Bind(record.digest())
      .Bind(record.workload())
      .Bind(record.create_time_us());
  return statement.Run();
}

absl::StatusOr<absl::optional<v1::WorkloadRecord>> WorkloadTable::Find(
    absl::string_view uuid) {
  Statement statement = database_.Prepare(kSelectWorkloadSql);
  statement.Bind(uuid);
  ASSAY_ASSIGN_OR_RETURN(const bool found, statement.Step());
  if (!found) return absl::optional<v1::WorkloadRecord>();
  ASSAY_ASSIGN_OR_RETURN(v1::WorkloadRecord record, ReadRecord(statement));
  return absl::make_optional(std::move(record));
}

absl::StatusOr<v1::WorkloadRecord> WorkloadTable::Get(absl::string_view uuid) {
  ASSAY_ASSIGN_OR_RETURN(absl::optional<v1::WorkloadRecord> record, Find(uuid));
  if (record.has_value()) return *std::move(record);
  return absl::NotFoundError(absl::StrCat(
      "there is no workload \"", uuid.substr(0, 200),
      "\": create it first, or list the workloads for the right uuid"));
}

absl::StatusOr<v1::ListWorkloadsResponse> WorkloadTable::List(
    absl::string_view definition, Paging paging) {
  v1::ListWorkloadsResponse response;
  Statement statement = database_.Prepare(
      definition.empty() ? kListWorkloadsSql : kListWorkloadsOfSql);
  statement.Bind(paging.after_number());
  if (!definition.empty()) statement.Bind(definition);
  int64_t last = 0;
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool row, statement.Step());
    if (!row) return response;
    ASSAY_ASSIGN_OR_RETURN(v1::WorkloadRecord record, ReadRecord(statement));
    if (!paging.Take(record.ByteSizeLong())) break;
    last = statement.Int(4);
    *response.add_workloads() = std::move(record);
  }
  response.set_next_page_token(paging.Token(absl::StrCat(last)));
  return response;
}

absl::StatusOr<std::vector<v1::WorkloadRecord>> WorkloadTable::AllOf(
    absl::string_view definition) {
  std::vector<v1::WorkloadRecord> records;
  Statement statement = database_.Prepare(kListWorkloadsOfSql);
  statement.Bind(0).Bind(definition);
  while (true) {
    ASSAY_ASSIGN_OR_RETURN(const bool row, statement.Step());
    if (!row) return records;
    ASSAY_ASSIGN_OR_RETURN(v1::WorkloadRecord record, ReadRecord(statement));
    records.push_back(std::move(record));
  }
}

absl::StatusOr<WorkloadBlobs> WorkloadTable::BlobsAfter(int64_t seq,
                                                        int limit) {
  WorkloadBlobs blobs;
  blobs.last_seq = seq;
  Statement statement = database_.Prepare(kListWorkloadsSql);
  statement.Bind(seq);
  for (int i = 0; i < limit; ++i) {
    ASSAY_ASSIGN_OR_RETURN(const bool row, statement.Step());
    if (!row) break;
    ASSAY_ASSIGN_OR_RETURN(const v1::WorkloadRecord record,
                           ReadRecord(statement));
    blobs.last_seq = statement.Int(4);
    for (const v1::WorkloadInput& input : record.workload().inputs()) {
      if (!input.safetensors().sha256().empty()) {
        blobs.sha256.push_back(input.safetensors().sha256());
      }
    }
  }
  return blobs;
}

}  // namespace assay
