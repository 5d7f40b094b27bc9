#include "server/metrics/call_observer.h"

#include "absl/status/status.h"

namespace assay {
namespace {

using grpc::experimental::InterceptionHookPoints;
using grpc::experimental::Interceptor;
using grpc::experimental::InterceptorBatchMethods;
using grpc::experimental::ServerRpcInfo;

// Of one call: lives as long as it does.
class CallObserver final : public Interceptor {
 public:
  CallObserver(Metrics& metrics, Clock& clock, const char* method)
      : metrics_(metrics),
        clock_(clock),
        method_(method),
        start_(clock.Monotonic()) {
    metrics_.OnCallStarted(method_);
  }
  ~CallObserver() override {
    metrics_.OnCallEnded(method_, code_, clock_.Monotonic() - start_);
  }

  void Intercept(InterceptorBatchMethods* methods) override {
    if (methods->QueryInterceptionHookPoint(
            InterceptionHookPoints::PRE_SEND_STATUS)) {
      // gRPC's codes are Abseil's.
      code_ =
          static_cast<absl::StatusCode>(methods->GetSendStatus().error_code());
    }
    methods->Proceed();
  }

 private:
  Metrics& metrics_;
  Clock& clock_;
  const char* const method_;
  const absl::Duration start_;
  // A call that ends without a status was given up by the client.
  absl::StatusCode code_ = absl::StatusCode::kCancelled;
};

class Factory final
    : public grpc::experimental::ServerInterceptorFactoryInterface {
 public:
  Factory(Metrics& metrics, Clock& clock) : metrics_(metrics), clock_(clock) {}

  Interceptor* CreateServerInterceptor(ServerRpcInfo* info) override {
    return new CallObserver(metrics_, clock_, info->method());
  }

 private:
  Metrics& metrics_;
  Clock& clock_;
};

}  // namespace

std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>
MakeCallObserver(Metrics& metrics, Clock& clock) {
  return std::make_unique<Factory>(metrics, clock);
}

}  // namespace assay
