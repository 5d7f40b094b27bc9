#include "server/service/catalog_service.h"

#include <utility>

#include "base/status_macros.h"
#include "schema/problem.h"
#include "schema/validate.h"
#include "server/auth/call_check.h"
#include "server/catalog/catalog.h"
#include "server/rpc/unary.h"
#include "server/service/import_call.h"
#include "server/store/paging.h"

namespace assay {
namespace {

template <typename Record>
absl::StatusOr<Record> RecordOf(absl::StatusOr<Stored<Record>> stored) {
  ASSAY_RETURN_IF_ERROR(stored.status());
  return std::move(stored->record);
}

}  // namespace

grpc::ServerUnaryReactor* CatalogServiceImpl::CreateDefinition(
    grpc::CallbackServerContext* context,
    const v1::CreateDefinitionRequest* request,
    v1::DefinitionRecord* response) {
  const absl::Status valid =
      ToStatus(ValidateDefinition(request->definition()));
  if (!valid.ok()) return Refuse(context, valid);
  auto bytes = budget_.Take(request->ByteSizeLong());
  if (bytes == nullptr) return RefuseFor(context, kBusy, kBusyDelay);
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Write<v1::DefinitionRecord>(
      [request](Session& session) {
        return RecordOf(
            assay::CreateDefinition(session, request->definition()));
      },
      [bytes, answer = Answer(reactor, response)](auto result) {
        answer(std::move(result));
      });
  return reactor;
}

grpc::ServerUnaryReactor* CatalogServiceImpl::GetDefinition(
    grpc::CallbackServerContext* context,
    const v1::GetDefinitionRequest* request, v1::DefinitionRecord* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Read<v1::DefinitionRecord>(
      [request](Session& session) {
        return session.definitions().Get(request->name());
      },
      Answer(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* CatalogServiceImpl::ListDefinitions(
    grpc::CallbackServerContext* context,
    const v1::ListDefinitionsRequest* request,
    v1::ListDefinitionsResponse* response) {
  const absl::StatusOr<Paging> paging =
      Paging::Parse(request->page_size(), request->page_token(),
                    {"definitions", request->op_type()});
  if (!paging.ok()) return Refuse(context, paging.status());
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Read<v1::ListDefinitionsResponse>(
      [request, paging = *paging](Session& session) {
        return session.definitions().List(request->op_type(), paging);
      },
      Answer(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* CatalogServiceImpl::CreateSolution(
    grpc::CallbackServerContext* context,
    const v1::CreateSolutionRequest* request, v1::SolutionRecord* response) {
  const absl::Status valid = ToStatus(ValidateSolution(request->solution()));
  if (!valid.ok()) return Refuse(context, valid);
  auto bytes = budget_.Take(request->ByteSizeLong());
  if (bytes == nullptr) return RefuseFor(context, kBusy, kBusyDelay);
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Write<v1::SolutionRecord>(
      [request](Session& session) {
        return RecordOf(assay::CreateSolution(session, request->solution()));
      },
      [bytes, answer = Answer(reactor, response)](auto result) {
        answer(std::move(result));
      });
  return reactor;
}

grpc::ServerUnaryReactor* CatalogServiceImpl::GetSolution(
    grpc::CallbackServerContext* context, const v1::GetSolutionRequest* request,
    v1::SolutionRecord* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Read<v1::SolutionRecord>(
      [request](Session& session) {
        return session.solutions().Get(request->name(), request->digest());
      },
      Answer(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* CatalogServiceImpl::ListSolutions(
    grpc::CallbackServerContext* context,
    const v1::ListSolutionsRequest* request,
    v1::ListSolutionsResponse* response) {
  const absl::StatusOr<Paging> paging =
      Paging::Parse(request->page_size(), request->page_token(),
                    {"solutions", request->definition(), request->author()});
  if (!paging.ok()) return Refuse(context, paging.status());
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Read<v1::ListSolutionsResponse>(
      [request, paging = *paging](Session& session) {
        return session.solutions().List(request->definition(),
                                        request->author(), paging);
      },
      Answer(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* CatalogServiceImpl::CreateWorkload(
    grpc::CallbackServerContext* context,
    const v1::CreateWorkloadRequest* request, v1::WorkloadRecord* response) {
  auto bytes = budget_.Take(request->ByteSizeLong());
  if (bytes == nullptr) return RefuseFor(context, kBusy, kBusyDelay);
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Write<v1::WorkloadRecord>(
      [this, request](Session& session) {
        return RecordOf(assay::CreateWorkload(session, request->definition(),
                                              request->workload(), blobs_));
      },
      [bytes, answer = Answer(reactor, response)](auto result) {
        answer(std::move(result));
      });
  return reactor;
}

grpc::ServerUnaryReactor* CatalogServiceImpl::GetWorkload(
    grpc::CallbackServerContext* context, const v1::GetWorkloadRequest* request,
    v1::WorkloadRecord* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Read<v1::WorkloadRecord>(
      [request](Session& session) {
        return session.workloads().Get(request->uuid());
      },
      Answer(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* CatalogServiceImpl::ListWorkloads(
    grpc::CallbackServerContext* context,
    const v1::ListWorkloadsRequest* request,
    v1::ListWorkloadsResponse* response) {
  const absl::StatusOr<Paging> paging =
      Paging::Parse(request->page_size(), request->page_token(),
                    {"workloads", request->definition()});
  if (!paging.ok()) return Refuse(context, paging.status());
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Read<v1::ListWorkloadsResponse>(
      [request, paging = *paging](Session& session) {
        return session.workloads().List(request->definition(), paging);
      },
      Answer(reactor, response));
  return reactor;
}

grpc::ServerReadReactor<v1::ImportTraceSetRequest>*
CatalogServiceImpl::ImportTraceSet(grpc::CallbackServerContext* context,
                                   v1::ImportTraceSetResponse* response) {
  return ImportCall::Start(store_, blobs_, open_calls_, response,
                           TokenIdOf(*context));
}

}  // namespace assay
