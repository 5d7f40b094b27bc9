// What the scenarios share of calling a coordinator.

#ifndef ASSAY_TESTS_LOAD_CALLS_H_
#define ASSAY_TESTS_LOAD_CALLS_H_

#include <grpcpp/grpcpp.h>

#include <chrono>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "base/grpc_status.h"

namespace assay::load {

// On a connection of its own, which gRPC would else share.
std::shared_ptr<grpc::Channel> Connect(const std::string& address);

// Calls a unary method and waits, for a minute at most:
//   Call(*stub, &v1::AdminService::Stub::GetServerInfo, request)
template <typename Stub, typename Request, typename Response>
absl::StatusOr<Response> Call(Stub& stub,
                              grpc::Status (Stub::*method)(grpc::ClientContext*,
                                                           const Request&,
                                                           Response*),
                              const Request& request) {
  grpc::ClientContext context;
  context.set_deadline(std::chrono::system_clock::now() +
                       std::chrono::minutes(1));
  Response response;
  const grpc::Status status = (stub.*method)(&context, request, &response);
  if (!status.ok()) return FromGrpcStatus(status);
  return response;
}

}  // namespace assay::load

#endif  // ASSAY_TESTS_LOAD_CALLS_H_
