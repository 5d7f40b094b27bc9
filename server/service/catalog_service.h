// CatalogService over the store.

#ifndef ASSAY_SERVER_SERVICE_CATALOG_SERVICE_H_
#define ASSAY_SERVER_SERVICE_CATALOG_SERVICE_H_

#include "assay/v1/catalog_service.grpc.pb.h"
#include "server/blob/blob_store.h"
#include "server/rpc/byte_budget.h"
#include "server/rpc/open_calls.h"
#include "server/store/store.h"

namespace assay {

// What it refers to outlives it. Thread-safe.
class CatalogServiceImpl final : public v1::CatalogService::CallbackService {
 public:
  CatalogServiceImpl(Store& store, const BlobStore& blobs,
                     OpenCalls& open_calls)
      : store_(store), blobs_(blobs), open_calls_(open_calls) {}

  grpc::ServerUnaryReactor* CreateDefinition(
      grpc::CallbackServerContext* context,
      const v1::CreateDefinitionRequest* request,
      v1::DefinitionRecord* response) override;
  grpc::ServerUnaryReactor* GetDefinition(
      grpc::CallbackServerContext* context,
      const v1::GetDefinitionRequest* request,
      v1::DefinitionRecord* response) override;
  grpc::ServerUnaryReactor* ListDefinitions(
      grpc::CallbackServerContext* context,
      const v1::ListDefinitionsRequest* request,
      v1::ListDefinitionsResponse* response) override;

  grpc::ServerUnaryReactor* CreateSolution(
      grpc::CallbackServerContext* context,
      const v1::CreateSolutionRequest* request,
      v1::SolutionRecord* response) override;
  grpc::ServerUnaryReactor* GetSolution(grpc::CallbackServerContext* context,
                                        const v1::GetSolutionRequest* request,
                                        v1::SolutionRecord* response) override;
  grpc::ServerUnaryReactor* ListSolutions(
      grpc::CallbackServerContext* context,
      const v1::ListSolutionsRequest* request,
      v1::ListSolutionsResponse* response) override;

  grpc::ServerUnaryReactor* CreateWorkload(
      grpc::CallbackServerContext* context,
      const v1::CreateWorkloadRequest* request,
      v1::WorkloadRecord* response) override;
  grpc::ServerUnaryReactor* GetWorkload(grpc::CallbackServerContext* context,
                                        const v1::GetWorkloadRequest* request,
                                        v1::WorkloadRecord* response) override;
  grpc::ServerUnaryReactor* ListWorkloads(
      grpc::CallbackServerContext* context,
      const v1::ListWorkloadsRequest* request,
      v1::ListWorkloadsResponse* response) override;

  grpc::ServerReadReactor<v1::ImportTraceSetRequest>* ImportTraceSet(
      grpc::CallbackServerContext* context,
      v1::ImportTraceSetResponse* response) override;

 private:
  Store& store_;
  const BlobStore& blobs_;
  OpenCalls& open_calls_;
  ByteBudget budget_{kMaxRequestBytes};
};

}  // namespace assay

#endif  // ASSAY_SERVER_SERVICE_CATALOG_SERVICE_H_
