#include "client/export.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <memory>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "base/fd.h"
#include "base/file.h"
#include "base/status_macros.h"
#include "client/blob_files.h"
#include "schema/trace_set_writer.h"

namespace assay {
namespace {

// Name of the file that a blob is downloaded to.
constexpr char kDownload[] = "blob";

class Exporter {
 public:
  Exporter(Client& client, TraceSetWriter& writer, TempDir download_dir,
           const ExportOptions& options)
      : client_(client),
        writer_(writer),
        download_dir_(std::move(download_dir)),
        options_(options) {}

  absl::StatusOr<ExportReport> Run() {
    Say("writing definitions");
    ASSAY_RETURN_IF_ERROR(AddDefinitions());
    Say("writing solutions");
    for (const std::string& name : definitions_) {
      ASSAY_RETURN_IF_ERROR(AddSolutions(name));
    }
    Say("writing workloads");
    for (const std::string& name : definitions_) {
      ASSAY_RETURN_IF_ERROR(AddWorkloads(name));
    }
    Say("writing traces");
    for (const std::string& name : definitions_) {
      ASSAY_RETURN_IF_ERROR(AddTraces(name));
    }
    return report_;
  }

 private:
  void Say(absl::string_view what) {
    if (options_.on_progress) options_.on_progress(what);
  }

  absl::Status AddDefinition(const v1::Definition& definition) {
    definitions_.push_back(definition.name());
    ++report_.definitions;
    return writer_.AddDefinition(definition);
  }

  absl::Status AddDefinitions() {
    for (const std::string& name : options_.definitions) {
      ASSAY_ASSIGN_OR_RETURN(const v1::DefinitionRecord record,
                             client_.GetDefinition(name));
      ASSAY_RETURN_IF_ERROR(AddDefinition(record.definition()));
    }
    if (!options_.definitions.empty()) return absl::OkStatus();
    ASSAY_ASSIGN_OR_RETURN(const auto records,
                           client_.ListDefinitions().Collect());
    for (const v1::DefinitionRecord& record : records) {
      ASSAY_RETURN_IF_ERROR(AddDefinition(record.definition()));
    }
    return absl::OkStatus();
  }

  absl::Status AddSolutions(const std::string& definition) {
    v1::ListSolutionsRequest filter;
    filter.set_definition(definition);
    ASSAY_ASSIGN_OR_RETURN(const auto records,
                           client_.ListSolutions(filter).Collect());
    for (const v1::SolutionRecord& listed : records) {
      // Lists leave out the sources.
      ASSAY_ASSIGN_OR_RETURN(const v1::SolutionRecord record,
                             client_.GetSolution(listed.solution().name()));
      ASSAY_RETURN_IF_ERROR(writer_.AddSolution(record.solution()));
      solution_digests_[record.solution().name()] = record.digest();
      ++report_.solutions;
    }
    return absl::OkStatus();
  }

  absl::Status AddWorkloads(const std::string& definition) {
    v1::ListWorkloadsRequest filter;
    filter.set_definition(definition);
    ASSAY_ASSIGN_OR_RETURN(auto records,
                           client_.ListWorkloads(filter).Collect());
    for (v1::WorkloadRecord& record : records) {
      ASSAY_RETURN_IF_ERROR(
          AddBlobs(*record.mutable_workload(), IfLost::kFail));
      ASSAY_RETURN_IF_ERROR(writer_.AddWorkload(definition, record.workload()));
      ++report_.workloads;
    }
    return absl::OkStatus();
  }

  absl::Status AddTraces(const std::string& definition) {
    v1::ListTracesRequest filter;
    filter.set_definition(definition);
    absl::Status written;
    ASSAY_RETURN_IF_ERROR(
        client_.ListTraces(filter).ForEach([&](v1::TraceRecord& record) {
          written = AddTrace(record);
          return written.ok();
        }));
    return written;
  }

  absl::Status AddTrace(v1::TraceRecord& record) {
    v1::Trace& trace = *record.mutable_trace();
    // A trace names its solution by name alone: beside another revision it
    // would tell of sources that it never measured.
    if (!record.imported() &&
        record.solution_digest() != solution_digests_[trace.solution()]) {
      ++report_.traces_of_other_revisions;
      return absl::OkStatus();
    }
    ASSAY_RETURN_IF_ERROR(
        AddBlobs(*trace.mutable_workload(), IfLost::kLeaveOut));
    ASSAY_RETURN_IF_ERROR(writer_.AddTrace(trace));
    ++report_.traces;
    return absl::OkStatus();
  }

  // What to do about a file that the coordinator does not have any more. A
  // workload is of no use without; a trace has its results all the same.
  enum class IfLost { kFail, kLeaveOut };

  // Writes the files that the workload names, once each. Where two imports
  // brought different files of one name, the later one gets another name.
  absl::Status AddBlobs(v1::Workload& workload, IfLost if_lost) {
    for (v1::WorkloadInput& input : *workload.mutable_inputs()) {
      if (!input.has_safetensors()) continue;
      v1::SafetensorsInput& tensor = *input.mutable_safetensors();
      if (tensor.sha256().empty()) continue;
      auto [place, is_new] = digests_.emplace(tensor.path(), tensor.sha256());
      if (!is_new && place->second != tensor.sha256()) {
        tensor.set_path(
            absl::StrCat("blob/workloads/", tensor.sha256(), ".safetensors"));
        is_new = digests_.emplace(tensor.path(), tensor.sha256()).second;
      }
      if (is_new) {
        const absl::Status status = Download(tensor);
        if (!absl::IsNotFound(status) || if_lost == IfLost::kFail) {
          ASSAY_RETURN_IF_ERROR(status);
        } else {
          lost_.insert(tensor.sha256());
          report_.blobs_missing = static_cast<int64_t>(lost_.size());
        }
      }
      if (lost_.count(tensor.sha256()) > 0) tensor.clear_sha256();
    }
    return absl::OkStatus();
  }

  absl::Status Download(const v1::SafetensorsInput& tensor) {
    Say(absl::StrCat("downloading ", tensor.path()));
    const std::string file = absl::StrCat(download_dir_.path(), "/", kDownload);
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    ASSAY_RETURN_IF_ERROR(Annotate(
        client_.GetBlob(tensor.sha256(),
                        [&out, &file](absl::string_view chunk) -> absl::Status {
                          out.write(chunk.data(),
                                    static_cast<std::streamsize>(chunk.size()));
                          if (out.good()) return absl::OkStatus();
                          return absl::DataLossError(absl::StrCat(
                              "cannot write ", file, "; is the disk full?"));
                        }),
        absl::StrCat("downloading ", tensor.path())));
    out.close();
    if (out.fail()) {
      return absl::DataLossError(
          absl::StrCat("cannot write ", file, "; is the disk full?"));
    }
    ++report_.blobs;
    ASSAY_ASSIGN_OR_RETURN(const Mapping content,
                           BlobFiles(download_dir_.path()).Map(kDownload));
    return writer_.AddBlob(tensor.path(), content.view());
  }

  Client& client_;
  TraceSetWriter& writer_;
  const TempDir download_dir_;
  const ExportOptions& options_;
  ExportReport report_;
  std::vector<std::string> definitions_;
  // Of the solutions written, by name.
  std::map<std::string, std::string> solution_digests_;
  // Of the files written or lost, by path.
  std::map<std::string, std::string> digests_;
  // Digests of the files that are lost.
  std::set<std::string> lost_;
};

}  // namespace

absl::StatusOr<ExportReport> ExportTraceSet(Client& client,
                                            const std::string& root,
                                            const ExportOptions& options) {
  ASSAY_ASSIGN_OR_RETURN(TempDir download_dir,
                         TempDir::Create("assay-export-"));
  ASSAY_ASSIGN_OR_RETURN(const std::unique_ptr<TraceSetWriter> writer,
                         TraceSetWriter::Create(root));
  return Exporter(client, *writer, std::move(download_dir), options).Run();
}

}  // namespace assay
