#include "client/import.h"

#include <deque>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "client/blob_files.h"

namespace assay {
namespace {

void Reject(const std::string& origin, const absl::Status& why,
            v1::ImportTraceSetResponse& response) {
  auto* rejection = response.add_rejections();
  rejection->set_origin(origin);
  rejection->set_message(std::string(why.message()));
  response.set_rejected(response.rejected() + 1);
}

absl::Status UploadMissing(Client& client, const BlobFiles& files,
                           const ImportOptions& options, ImportReport& report) {
  std::vector<std::string> digests;
  for (const auto& [sha256, path] : files.paths()) digests.push_back(sha256);
  if (digests.empty()) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(const std::vector<std::string> missing,
                         client.FindMissingBlobs(digests));
  for (const std::string& sha256 : missing) {
    const auto found = files.paths().find(sha256);
    if (found == files.paths().end()) {
      return absl::InternalError(absl::StrCat(
          "the coordinator misses blob ", sha256, ", which was not offered"));
    }
    if (options.on_progress) {
      options.on_progress(absl::StrCat("uploading blob ",
                                       report.blobs_uploaded + 1, " of ",
                                       missing.size()));
    }
    const std::string& path = found->second;
    ASSAY_ASSIGN_OR_RETURN(const Mapping mapping, files.Map(path));
    ASSAY_RETURN_IF_ERROR(Annotate(client.PutBlob(sha256, mapping.view()),
                                   absl::StrCat("uploading ", path)));
    ++report.blobs_uploaded;
    report.bytes_uploaded += static_cast<int64_t>(mapping.size());
  }
  return absl::OkStatus();
}

// The items in the order in which the coordinator wants them.
std::deque<v1::ImportTraceSetRequest> Items(TraceSet set, BlobFiles& files,
                                            ImportReport& report) {
  std::deque<v1::ImportTraceSetRequest> items;
  const auto add =
      [&items](const std::string& origin) -> v1::ImportTraceSetRequest& {
    items.emplace_back().set_origin(origin);
    return items.back();
  };
  for (auto& [origin, definition] : set.definitions) {
    *add(origin).mutable_definition() = std::move(definition);
  }
  for (auto& [origin, trace] : set.workloads) {
    if (absl::Status filled = files.FillIn(*trace.mutable_workload());
        !filled.ok()) {
      Reject(origin, filled, report.response);
      continue;
    }
    *add(origin).mutable_trace() = std::move(trace);
  }
  for (auto& [origin, solution] : set.solutions) {
    *add(origin).mutable_solution() = std::move(solution);
  }
  for (auto& [origin, trace] : set.traces) {
    // A record of what was measured elsewhere is worth keeping even where the
    // tensors behind it are gone.
    files.FillIn(*trace.mutable_workload()).IgnoreError();
    *add(origin).mutable_trace() = std::move(trace);
  }
  return items;
}

}  // namespace

absl::StatusOr<ImportReport> ImportTraceSet(Client& client, TraceSet set,
                                            const ImportOptions& options) {
  ImportReport report;
  BlobFiles files(set.root);
  std::deque<v1::ImportTraceSetRequest> items =
      Items(std::move(set), files, report);
  ASSAY_RETURN_IF_ERROR(UploadMissing(client, files, options, report));
  if (options.on_progress) {
    options.on_progress(absl::StrCat("importing ", items.size(), " items"));
  }
  ASSAY_ASSIGN_OR_RETURN(
      v1::ImportTraceSetResponse response,
      client.ImportTraceSet([&items](v1::ImportTraceSetRequest& request) {
        if (items.empty()) return false;
        request = std::move(items.front());
        items.pop_front();
        return true;
      }));
  response.set_rejected(response.rejected() + report.response.rejected());
  response.mutable_rejections()->MergeFrom(report.response.rejections());
  report.response = std::move(response);
  return report;
}

}  // namespace assay
