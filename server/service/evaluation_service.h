// EvaluationService over the store.

#ifndef ASSAY_SERVER_SERVICE_EVALUATION_SERVICE_H_
#define ASSAY_SERVER_SERVICE_EVALUATION_SERVICE_H_

#include "assay/v1/evaluation_service.grpc.pb.h"
#include "server/auth/token_keeper.h"
#include "server/evaluation/event_hub.h"
#include "server/evaluation/queue_view.h"
#include "server/lease/presence.h"
#include "server/rpc/byte_budget.h"
#include "server/rpc/open_calls.h"
#include "server/store/store.h"

namespace assay {

// What it refers to outlives it. Thread-safe.
class EvaluationServiceImpl final
    : public v1::EvaluationService::CallbackService {
 public:
  EvaluationServiceImpl(Store& store, EventHub& hub, const Presence& presence,
                        QueueViews& queue_views, OpenCalls& open_calls,
                        TokenKeeper& tokens)
      : store_(store),
        hub_(hub),
        presence_(presence),
        queue_views_(queue_views),
        open_calls_(open_calls),
        tokens_(tokens) {}

  grpc::ServerUnaryReactor* CreateSubmission(
      grpc::CallbackServerContext* context,
      const v1::CreateSubmissionRequest* request,
      v1::Submission* response) override;
  grpc::ServerUnaryReactor* GetSubmission(
      grpc::CallbackServerContext* context,
      const v1::GetSubmissionRequest* request,
      v1::Submission* response) override;
  grpc::ServerUnaryReactor* ListSubmissions(
      grpc::CallbackServerContext* context,
      const v1::ListSubmissionsRequest* request,
      v1::ListSubmissionsResponse* response) override;
  grpc::ServerUnaryReactor* ListJobs(grpc::CallbackServerContext* context,
                                     const v1::ListJobsRequest* request,
                                     v1::ListJobsResponse* response) override;
  grpc::ServerWriteReactor<v1::SubmissionEvent>* WatchSubmissions(
      grpc::CallbackServerContext* context,
      const v1::WatchSubmissionsRequest* request) override;
  grpc::ServerUnaryReactor* CancelSubmission(
      grpc::CallbackServerContext* context,
      const v1::CancelSubmissionRequest* request,
      v1::Submission* response) override;
  grpc::ServerUnaryReactor* ListTraces(
      grpc::CallbackServerContext* context,
      const v1::ListTracesRequest* request,
      v1::ListTracesResponse* response) override;
  grpc::ServerUnaryReactor* GetTrace(grpc::CallbackServerContext* context,
                                     const v1::GetTraceRequest* request,
                                     v1::TraceRecord* response) override;
  grpc::ServerUnaryReactor* ReviewTrace(grpc::CallbackServerContext* context,
                                        const v1::ReviewTraceRequest* request,
                                        v1::TraceRecord* response) override;

 private:
  Store& store_;
  EventHub& hub_;
  const Presence& presence_;
  QueueViews& queue_views_;
  OpenCalls& open_calls_;
  TokenKeeper& tokens_;
  ByteBudget budget_{kMaxRequestBytes};
};

}  // namespace assay

#endif  // ASSAY_SERVER_SERVICE_EVALUATION_SERVICE_H_
