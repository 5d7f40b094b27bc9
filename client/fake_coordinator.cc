#include "client/fake_coordinator.h"

#include <grpcpp/server.h>
#include <grpcpp/server_builder.h>

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "client/fake_shared.h"

namespace assay {

class FakeCoordinator::Server {
 public:
  Server() {
    grpc::ServerBuilder builder;
    builder.AddListeningPort("127.0.0.1:0", grpc::InsecureServerCredentials(),
                             &port);
    for (const auto& service : catalog) builder.RegisterService(service.get());
    for (const auto& service : evaluation) {
      builder.RegisterService(service.get());
    }
    server = builder.BuildAndStart();
    if (server == nullptr) std::abort();
  }

  ~Server() {
    {
      absl::MutexLock lock(&shared.mutex);
      shared.state.hold_watch = false;
    }
    server->Shutdown();
  }

  FakeShared shared;
  const std::vector<std::unique_ptr<grpc::Service>> catalog =
      MakeFakeCatalogServices(shared);
  const std::vector<std::unique_ptr<grpc::Service>> evaluation =
      MakeFakeEvaluationServices(shared);
  int port = 0;
  std::unique_ptr<grpc::Server> server;
};

FakeCoordinator::State::State() {
  info.set_version("0.1.0");
  info.set_api("assay.v1");
}

FakeCoordinator::FakeCoordinator()
    : server_(std::make_unique<Server>()),
      address_(absl::StrCat("127.0.0.1:", server_->port)) {}

FakeCoordinator::~FakeCoordinator() = default;

void FakeCoordinator::Edit(const std::function<void(State&)>& edit) {
  absl::MutexLock lock(&server_->shared.mutex);
  edit(server_->shared.state);
}

}  // namespace assay
