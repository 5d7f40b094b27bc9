#include <algorithm>
#include <utility>

#include "assay/v1/admin_service.grpc.pb.h"
#include "assay/v1/blob_service.grpc.pb.h"
#include "assay/v1/catalog_service.grpc.pb.h"
#include "base/sha256.h"
#include "client/fake_shared.h"

namespace assay {
namespace {

class Admin final : public v1::AdminService::Service {
 public:
  explicit Admin(FakeShared& shared) : shared_(shared) {}
  grpc::Status GetServerInfo(grpc::ServerContext*,
                             const v1::GetServerInfoRequest*,
                             v1::ServerInfo* response) override {
    ASSAY_FAKE_ENTER(GetServerInfo);
    *response = state.info;
    return grpc::Status::OK;
  }

  grpc::Status BackUp(grpc::ServerContext*, const v1::BackUpRequest*,
                      grpc::ServerWriter<v1::BackUpResponse>* writer) override {
    ASSAY_FAKE_ENTER(BackUp);
    const size_t chunk_bytes = state.database.size() / 3 + 1;
    v1::BackUpResponse part;
    part.mutable_header()->set_database_bytes(state.announced_bytes.value_or(
        static_cast<int64_t>(state.database.size())));
    writer->Write(part);
    for (size_t i = 0; i < state.database.size(); i += chunk_bytes) {
      part.set_database(state.database.substr(i, chunk_bytes));
      writer->Write(part);
    }
    for (const auto& [sha256, content] : state.blobs) {
      part.mutable_blobs()->Clear();
      v1::BackUpResponse::Blob* blob = part.mutable_blobs()->add_blobs();
      blob->set_sha256(sha256);
      blob->set_size_bytes(static_cast<int64_t>(content.size()));
      writer->Write(part);
    }
    return grpc::Status::OK;
  }

 private:
  FakeShared& shared_;
};

class Blob final : public v1::BlobService::Service {
 public:
  explicit Blob(FakeShared& shared) : shared_(shared) {}
  grpc::Status FindMissingBlobs(
      grpc::ServerContext*, const v1::FindMissingBlobsRequest* request,
      v1::FindMissingBlobsResponse* response) override {
    ASSAY_FAKE_ENTER(FindMissingBlobs);
    for (const std::string& sha256 : request->sha256()) {
      if (state.blobs.count(sha256) == 0) {
        response->add_missing_sha256(sha256);
      }
    }
    return grpc::Status::OK;
  }

  grpc::Status PutBlob(grpc::ServerContext*,
                       grpc::ServerReader<v1::PutBlobRequest>* reader,
                       v1::PutBlobResponse* response) override {
    v1::PutBlobRequest first;
    if (!reader->Read(&first)) {
      return {grpc::StatusCode::INVALID_ARGUMENT, "no message"};
    }
    std::string content = first.data();
    v1::PutBlobRequest next;
    while (reader->Read(&next)) content += next.data();
    ASSAY_FAKE_ENTER(PutBlob);
    if (static_cast<int64_t>(content.size()) != first.size_bytes() ||
        Sha256Hex(content) != first.sha256()) {
      return {grpc::StatusCode::INVALID_ARGUMENT, "not as announced"};
    }
    response->set_size_bytes(first.size_bytes());
    state.blobs[first.sha256()] = std::move(content);
    return grpc::Status::OK;
  }

  grpc::Status GetBlob(
      grpc::ServerContext*, const v1::GetBlobRequest* request,
      grpc::ServerWriter<v1::GetBlobResponse>* writer) override {
    ASSAY_FAKE_ENTER(GetBlob);
    const auto found = state.blobs.find(request->sha256());
    if (found == state.blobs.end()) return NotFound("blob", request->sha256());
    constexpr size_t kChunkBytes = 1 << 20;
    for (size_t at = 0; at < found->second.size(); at += kChunkBytes) {
      v1::GetBlobResponse response;
      response.set_data(found->second.substr(at, kChunkBytes));
      writer->Write(response);
    }
    return grpc::Status::OK;
  }

 private:
  FakeShared& shared_;
};

class Catalog final : public v1::CatalogService::Service {
 public:
  explicit Catalog(FakeShared& shared) : shared_(shared) {}

  grpc::Status GetDefinition(grpc::ServerContext*,
                             const v1::GetDefinitionRequest* request,
                             v1::DefinitionRecord* response) override {
    ASSAY_FAKE_ENTER(GetDefinition);
    for (const v1::DefinitionRecord& record : state.definitions) {
      if (record.definition().name() != request->name()) continue;
      *response = record;
      return grpc::Status::OK;
    }
    return NotFound("definition", request->name());
  }

  grpc::Status ListDefinitions(grpc::ServerContext*,
                               const v1::ListDefinitionsRequest* request,
                               v1::ListDefinitionsResponse* response) override {
    ASSAY_FAKE_ENTER(ListDefinitions);
    response->set_next_page_token(FillPage(
        state.definitions, *request,
        [request](const v1::DefinitionRecord& record) {
          return Accepts(request->op_type(), record.definition().op_type());
        },
        response->mutable_definitions()));
    return grpc::Status::OK;
  }

  grpc::Status GetSolution(grpc::ServerContext*,
                           const v1::GetSolutionRequest* request,
                           v1::SolutionRecord* response) override {
    ASSAY_FAKE_ENTER(GetSolution);
    for (const v1::SolutionRecord& record : state.solutions) {
      if (record.solution().name() != request->name()) continue;
      *response = record;
      return grpc::Status::OK;
    }
    return NotFound("solution", request->name());
  }

  grpc::Status ListSolutions(grpc::ServerContext*,
                             const v1::ListSolutionsRequest* request,
                             v1::ListSolutionsResponse* response) override {
    ASSAY_FAKE_ENTER(ListSolutions);
    response->set_next_page_token(FillPage(
        state.solutions, *request,
        [request](const v1::SolutionRecord& record) {
          return Accepts(request->definition(),
                         record.solution().definition()) &&
                 Accepts(request->author(), record.solution().author());
        },
        response->mutable_solutions()));
    for (v1::SolutionRecord& record : *response->mutable_solutions()) {
      for (auto& source : *record.mutable_solution()->mutable_sources()) {
        source.clear_content();
      }
    }
    return grpc::Status::OK;
  }

  grpc::Status GetWorkload(grpc::ServerContext*,
                           const v1::GetWorkloadRequest* request,
                           v1::WorkloadRecord* response) override {
    ASSAY_FAKE_ENTER(GetWorkload);
    for (const v1::WorkloadRecord& record : state.workloads) {
      if (record.workload().uuid() != request->uuid()) continue;
      *response = record;
      return grpc::Status::OK;
    }
    return NotFound("workload", request->uuid());
  }

  grpc::Status ListWorkloads(grpc::ServerContext*,
                             const v1::ListWorkloadsRequest* request,
                             v1::ListWorkloadsResponse* response) override {
    ASSAY_FAKE_ENTER(ListWorkloads);
    response->set_next_page_token(FillPage(
        state.workloads, *request,
        [request](const v1::WorkloadRecord& record) {
          return Accepts(request->definition(), record.definition());
        },
        response->mutable_workloads()));
    return grpc::Status::OK;
  }

  grpc::Status ImportTraceSet(
      grpc::ServerContext*,
      grpc::ServerReader<v1::ImportTraceSetRequest>* reader,
      v1::ImportTraceSetResponse* response) override {
    std::vector<v1::ImportTraceSetRequest> items;
    v1::ImportTraceSetRequest item;
    while (reader->Read(&item)) items.push_back(item);
    ASSAY_FAKE_ENTER(ImportTraceSet);
    *response = state.import_response;
    for (const v1::ImportTraceSetRequest& one : items) {
      Store(one, state, *response);
      state.imported.push_back(one);
    }
    return grpc::Status::OK;
  }

 private:
  static void Store(const v1::ImportTraceSetRequest& item,
                    FakeCoordinator::State& state,
                    v1::ImportTraceSetResponse& response) {
    if (item.has_definition()) {
      *state.definitions.emplace_back().mutable_definition() =
          item.definition();
      response.set_definitions_created(response.definitions_created() + 1);
    } else if (item.has_solution()) {
      *state.solutions.emplace_back().mutable_solution() = item.solution();
      response.set_solutions_created(response.solutions_created() + 1);
    } else if (item.trace().has_evaluation()) {
      v1::TraceRecord& record = state.traces.emplace_back();
      record.set_id(absl::StrCat("imported-", state.traces.size()));
      record.set_imported(true);
      *record.mutable_trace() = item.trace();
      response.set_traces_created(response.traces_created() + 1);
    } else {
      v1::WorkloadRecord& record = state.workloads.emplace_back();
      record.set_definition(item.trace().definition());
      *record.mutable_workload() = item.trace().workload();
      response.set_workloads_created(response.workloads_created() + 1);
    }
  }

  FakeShared& shared_;
};

}  // namespace

std::vector<std::unique_ptr<grpc::Service>> MakeFakeCatalogServices(
    FakeShared& shared) {
  std::vector<std::unique_ptr<grpc::Service>> services;
  services.push_back(std::make_unique<Admin>(shared));
  services.push_back(std::make_unique<Blob>(shared));
  services.push_back(std::make_unique<Catalog>(shared));
  return services;
}

}  // namespace assay
