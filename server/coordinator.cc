#include "server/coordinator.h"

#include <grpc/support/log.h>
#include <grpcpp/ext/proto_server_reflection_plugin.h>
#include <grpcpp/grpcpp.h>
#include <grpcpp/health_check_service_interface.h>

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "absl/synchronization/notification.h"
#include "base/log.h"
#include "base/random_id.h"
#include "base/status_macros.h"
#include "base/version.h"
#include "schema/validate.h"
#include "server/auth/call_check.h"
#include "server/auth/token_keeper.h"
#include "server/blob/blob_store.h"
#include "server/blob/file_threads.h"
#include "server/evaluation/event_hub.h"
#include "server/evaluation/queue_view.h"
#include "server/http/http_server.h"
#include "server/http/operation_routes.h"
#include "server/leaderboard/board_cache.h"
#include "server/lease/admissions.h"
#include "server/lease/lease_monitor.h"
#include "server/lease/leases.h"
#include "server/lease/parking.h"
#include "server/lease/presence.h"
#include "server/listen_address.h"
#include "server/metrics/call_observer.h"
#include "server/metrics/metrics.h"
#include "server/readiness.h"
#include "server/retention/retention.h"
#include "server/rpc/open_calls.h"
#include "server/rpc/server_limits.h"
#include "server/service/admin_service.h"
#include "server/service/blob_service.h"
#include "server/service/catalog_service.h"
#include "server/service/evaluation_service.h"
#include "server/service/leaderboard_service.h"
#include "server/service/lease_context.h"
#include "server/service/token_service.h"
#include "server/service/worker_service.h"
#include "server/store/migrations.h"
#include "server/store/store.h"

namespace assay {
namespace {

constexpr int kFileThreads = 2;
constexpr absl::Duration kMaxPoll = absl::Seconds(20);
constexpr absl::Duration kShowQueueEvery = absl::Seconds(2);

// What health checks name to ask whether the process lives; without a name they
// ask whether it is ready.
constexpr char kLiveness[] = "liveness";

// gRPC's own lines do not follow the form of our log.
void SendGrpcLogToOurs() {
  gpr_set_log_function([](gpr_log_func_args* line) {
    LogDebug("grpc", {{"message", line->message}});
  });
}

v1::ServerInfo MakeServerInfo() {
  v1::ServerInfo info;
  info.set_version(kVersion);
  info.set_api("assay.v1");
  info.set_store_version(static_cast<int>(BuiltInMigrations().size()));
  info.set_max_message_bytes(Coordinator::kMaxMessageBytes);
  info.set_max_sources_bytes(kMaxSourcesBytes);
  info.set_instance_id(RandomId("ins-"));
  return info;
}

}  // namespace

class Coordinator::Impl {
 public:
  explicit Impl(Options options)
      : options_(std::move(options)),
        presence_(*options_.clock, options_.lease_ttl),
        monitor_(*options_.clock, options_.lease_ttl),
        queue_views_(*options_.clock, presence_),
        readiness_(*options_.clock, [this](Readiness::Done done) {
          ProbeStore(std::move(done));
        }) {}
  ~Impl() { Stop(); }

  absl::Status Start();
  void Tick();
  void Stop();
  const std::string& address() const { return address_; }
  std::string http_address() const {
    return http_ == nullptr ? "" : http_->address();
  }

 private:
  absl::Status CheckHttp() const;
  absl::Status CheckEncryption(const ListenAddress& listen) const;
  absl::Status CheckTokens(const ListenAddress& listen) const;
  absl::Status Recover();
  absl::Status Listen(const ListenAddress& listen);
  absl::Status ListenHttp();
  void ProbeStore(Readiness::Done done);
  void OnCommit(Effects effects);
  void ShowQueue();
  void TickLoop();

  const Options options_;
  std::string address_;
  Presence presence_;
  LeaseMonitor monitor_;
  QueueViews queue_views_;
  // When the queue was shown last; only Tick touches it.
  absl::Duration queue_shown_;
  Metrics metrics_;
  Readiness readiness_;
  Parking parking_;
  EventHub hub_;
  BoardCache boards_;
  OpenCalls open_calls_;
  std::unique_ptr<BlobStore> blobs_;
  std::unique_ptr<FileThreads> files_;
  std::unique_ptr<Store> store_;
  std::unique_ptr<TokenKeeper> tokens_;
  std::unique_ptr<Retention> retention_;

  std::unique_ptr<CatalogServiceImpl> catalog_;
  std::unique_ptr<EvaluationServiceImpl> evaluation_;
  std::unique_ptr<LeaderboardServiceImpl> leaderboard_;
  std::unique_ptr<WorkerServiceImpl> worker_;
  std::unique_ptr<BlobServiceImpl> blob_;
  std::unique_ptr<AdminServiceImpl> admin_;
  std::unique_ptr<TokenServiceImpl> token_;
  std::unique_ptr<grpc::Server> server_;
  std::unique_ptr<HttpServer> http_;

  absl::Notification stopping_;
  std::thread ticker_;
  absl::Mutex stop_mutex_;
  bool stopped_ ABSL_GUARDED_BY(stop_mutex_) = false;
};

// Nobody who asks for metrics has to say who they are.
absl::Status Coordinator::Impl::CheckHttp() const {
  if (options_.http_listen.empty()) return absl::OkStatus();
  ASSAY_ASSIGN_OR_RETURN(const ListenAddress listen,
                         ParseListenAddress(options_.http_listen));
  if (listen.IsLoopback() || options_.http_insecure || options_.insecure) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "--http \"", options_.http_listen,
      "\" can be reached from other machines, without encryption and login: "
      "use 127.0.0.1, or add --http-insecure to let everybody read health and "
      "metrics"));
}

absl::Status Coordinator::Impl::CheckEncryption(
    const ListenAddress& listen) const {
  ASSAY_RETURN_IF_ERROR(CheckTlsFiles(options_.tls));
  if (listen.IsLoopback() || options_.tls.enabled() || options_.insecure) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "--listen \"", options_.listen,
      "\" can be reached from other machines: encrypt with --tls-cert and "
      "--tls-key, use 127.0.0.1, or add --insecure to accept that everybody "
      "can read along"));
}

absl::Status Coordinator::Impl::CheckTokens(const ListenAddress& listen) const {
  if (listen.IsLoopback() || tokens_->required() || options_.insecure) {
    return absl::OkStatus();
  }
  return absl::FailedPreconditionError(absl::StrCat(
      "--listen \"", options_.listen,
      "\" can be reached from other machines, and the store \"",
      options_.store_path,
      "\" has no token yet: create one with `assay-coordinator create-token "
      "--role admin --name NAME --store ",
      options_.store_path, "`, or add --insecure to let everybody in"));
}

absl::Status Coordinator::Impl::Start() {
  ASSAY_ASSIGN_OR_RETURN(const ListenAddress listen,
                         ParseListenAddress(options_.listen));
  ASSAY_RETURN_IF_ERROR(CheckEncryption(listen));
  ASSAY_RETURN_IF_ERROR(CheckHttp());
  ASSAY_RETURN_IF_ERROR(CheckCanListen(listen));
  Store::Options store;
  store.path = options_.store_path;
  store.clock = options_.clock;
  store.on_commit = [this](Effects effects) { OnCommit(std::move(effects)); };
  store.on_group = [this](const StoreGroup& group) {
    metrics_.OnTransaction(group.tasks, group.duration, group.status);
  };
  ASSAY_ASSIGN_OR_RETURN(store_, Store::Open(std::move(store)));
  ASSAY_ASSIGN_OR_RETURN(blobs_, BlobStore::Open(store_->path() + ".blobs"));
  files_ = std::make_unique<FileThreads>(kFileThreads);
  ASSAY_RETURN_IF_ERROR(Recover());
  tokens_ =
      std::make_unique<TokenKeeper>(*store_, open_calls_, *options_.clock);
  ASSAY_RETURN_IF_ERROR(tokens_->Load());
  ASSAY_RETURN_IF_ERROR(CheckTokens(listen));
  ASSAY_RETURN_IF_ERROR(Listen(listen));
  ASSAY_RETURN_IF_ERROR(ListenHttp());
  Retention::Options retention;
  retention.keep_logs = options_.keep_logs;
  retention.keep_unused_blobs = options_.keep_unused_blobs;
  retention.clock = options_.clock;
  retention_ = std::make_unique<Retention>(retention, *store_, *blobs_);
  if (options_.tick != absl::InfiniteDuration()) {
    retention_->Start();
    ticker_ = std::thread([this] { TickLoop(); });
  }
  return absl::OkStatus();
}

// Who had a lease when the coordinator stopped has a ttl to come back. An idle
// worker asks for work within moments, if it is still there.
absl::Status Coordinator::Impl::Recover() {
  return store_
      ->WriteAndWait<bool>([this](Session& session) -> absl::StatusOr<bool> {
        ASSAY_ASSIGN_OR_RETURN(const std::vector<LeaseRow> leases,
                               session.leases().AllActive());
        for (const LeaseRow& lease : leases) {
          presence_.Touch(lease.worker_id);
          monitor_.Start(lease.id);
        }
        return true;
      })
      .status();
}

absl::Status Coordinator::Impl::Listen(const ListenAddress& listen) {
  catalog_ =
      std::make_unique<CatalogServiceImpl>(*store_, *blobs_, open_calls_);
  evaluation_ = std::make_unique<EvaluationServiceImpl>(
      *store_, hub_, presence_, queue_views_, open_calls_, *tokens_);
  leaderboard_ = std::make_unique<LeaderboardServiceImpl>(*store_, boards_);
  // Three reports, or a poll and a half, fit in a ttl.
  const LeaseContext context{*store_,
                             presence_,
                             monitor_,
                             parking_,
                             open_calls_,
                             *options_.clock,
                             options_.lease_ttl,
                             options_.lease_ttl / 3,
                             std::min(kMaxPoll, options_.lease_ttl * 2 / 3),
                             options_.worker_stop_grace,
                             options_.spool_time};
  worker_ = std::make_unique<WorkerServiceImpl>(context);
  blob_ = std::make_unique<BlobServiceImpl>(*blobs_, *files_, open_calls_,
                                            *tokens_);
  admin_ = std::make_unique<AdminServiceImpl>(
      MakeServerInfo(), *store_, presence_, *blobs_, *files_, open_calls_);
  token_ = std::make_unique<TokenServiceImpl>(*store_, *tokens_);

  SendGrpcLogToOurs();
  grpc::EnableDefaultHealthCheckService(true);
  grpc::reflection::InitProtoReflectionServerBuilderPlugin();
  grpc::ServerBuilder builder;
  std::vector<
      std::unique_ptr<grpc::experimental::ServerInterceptorFactoryInterface>>
      interceptors;
  interceptors.push_back(MakeCallObserver(metrics_, Clock::Real()));
  builder.experimental().SetInterceptorCreators(std::move(interceptors));
  // Else a second coordinator would share the port with the first.
  builder.AddChannelArgument(GRPC_ARG_ALLOW_REUSEPORT, 0);
  LimitConnections(builder);
  builder.SetMaxReceiveMessageSize(kMaxMessageBytes);
  builder.SetMaxSendMessageSize(kMaxMessageBytes);
  int port = 0;
  builder.AddListeningPort(listen.text,
                           options_.tls.enabled()
                               ? TlsCredentials(options_.tls, tokens_->Check())
                               : ClearTextCredentials(tokens_->Check()),
                           &port);
  for (grpc::Service* service :
       {static_cast<grpc::Service*>(catalog_.get()),
        static_cast<grpc::Service*>(evaluation_.get()),
        static_cast<grpc::Service*>(leaderboard_.get()),
        static_cast<grpc::Service*>(worker_.get()),
        static_cast<grpc::Service*>(blob_.get()),
        static_cast<grpc::Service*>(admin_.get()),
        static_cast<grpc::Service*>(token_.get())}) {
    builder.RegisterService(service);
  }
  server_ = builder.BuildAndStart();
  if (server_ == nullptr || port == 0) {
    return absl::FailedPreconditionError(absl::StrCat(
        "cannot listen on ", listen.text, "; choose another --listen"));
  }
  address_ = listen.WithPort(port);
  server_->GetHealthCheckService()->SetServingStatus(kLiveness, true);
  return absl::OkStatus();
}

absl::Status Coordinator::Impl::ListenHttp() {
  if (options_.http_listen.empty()) return absl::OkStatus();
  HttpServer::Options options;
  options.listen = options_.http_listen;
  const OperationContext context{*store_, presence_, monitor_, readiness_,
                                 metrics_};
  ASSAY_ASSIGN_OR_RETURN(http_,
                         HttpServer::Start(options, OperationRoutes(context)));
  return absl::OkStatus();
}

void Coordinator::Impl::ProbeStore(Readiness::Done done) {
  store_->Write<bool>(
      [](Session& session) -> absl::StatusOr<bool> {
        ASSAY_RETURN_IF_ERROR(
            session.state().Put("probe", absl::StrCat(session.now_us())));
        return true;
      },
      [done = std::move(done)](const absl::StatusOr<bool>& written) {
        done(written.status());
      });
}

void Coordinator::Impl::OnCommit(Effects effects) {
  metrics_.OnCommit(effects);
  boards_.Forget(effects);
  queue_views_.OnCommit(effects);
  hub_.Publish(effects.changes);
  monitor_.Cancel(effects.cancelled);
  for (const std::string& lease : effects.revoked_leases) monitor_.Lose(lease);
  for (const std::string& lease : effects.drained_leases) monitor_.Drain(lease);
  if (effects.worker_admitted) parking_.WakeAll();
  if (effects.queue_grew) parking_.Wake();
}

void Coordinator::Impl::Tick() {
  ShowQueue();
  parking_.WakeDue(options_.clock->Monotonic());
  readiness_.Tick();
  server_->GetHealthCheckService()->SetServingStatus("",
                                                     readiness_.Check().ok());
  tokens_->Tick();
  for (const std::string& lease_id : monitor_.TakeExpired()) {
    LogWarning("lease expired", {{"id", lease_id}});
    metrics_.OnLeaseExpired();
    store_->Write<bool>(
        [this, lease_id](Session& session) {
          return ExpireLease(session, lease_id, presence_);
        },
        [this, lease_id](const absl::StatusOr<bool>& expired) {
          // It must not live on unwatched: the next tick tries again.
          if (!expired.ok()) monitor_.Start(lease_id);
        });
  }
  for (const LeaseMonitor::Cancelled& job : monitor_.TakeUnstopped()) {
    LogWarning("cancelled job was not stopped: its worker is quarantined",
               {{"lease", job.lease_id}, {"job", job.job_id}});
    store_->Write<bool>(
        [job](Session& session) {
          return QuarantineHolder(session, job.lease_id, job.job_id);
        },
        [this, job](const absl::StatusOr<bool>& done) {
          if (!done.ok()) monitor_.NoteTold(job.lease_id, job.job_id);
        });
  }
}

// Workers come and go, and others are served: who watches hears of it.
void Coordinator::Impl::ShowQueue() {
  const absl::Duration now = options_.clock->Monotonic();
  if (hub_.size() == 0 || now - queue_shown_ < kShowQueueEvery) return;
  queue_shown_ = now;
  store_->Read<QueueView>(
      [this](Session& session) { return queue_views_.Read(session); },
      [this](const absl::StatusOr<QueueView>& view) {
        if (view.ok()) hub_.PublishQueue(*view);
      });
}

void Coordinator::Impl::TickLoop() {
  while (!stopping_.WaitForNotificationWithTimeout(options_.tick)) Tick();
}

void Coordinator::Impl::Stop() {
  absl::MutexLock lock(&stop_mutex_);
  if (stopped_) return;
  stopped_ = true;
  stopping_.Notify();
  if (ticker_.joinable()) ticker_.join();
  if (retention_ != nullptr) retention_->Stop();
  if (server_ != nullptr) {
    server_->GetHealthCheckService()->SetServingStatus(false);
    // First, because Shutdown waits for every call to have been finished.
    open_calls_.Stop();
    server_->Shutdown(std::chrono::system_clock::now() +
                      absl::ToChronoMilliseconds(options_.stop_grace));
    server_->Wait();
  }
  if (http_ != nullptr) http_->Stop();
  files_.reset();
  if (store_ != nullptr) store_->Stop();
}

Coordinator::Coordinator(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

Coordinator::~Coordinator() = default;

absl::StatusOr<std::unique_ptr<Coordinator>> Coordinator::Start(
    Options options) {
  auto impl = std::make_unique<Impl>(std::move(options));
  ASSAY_RETURN_IF_ERROR(impl->Start());
  return std::unique_ptr<Coordinator>(new Coordinator(std::move(impl)));
}

const std::string& Coordinator::address() const { return impl_->address(); }

std::string Coordinator::http_address() const { return impl_->http_address(); }

void Coordinator::Tick() { impl_->Tick(); }

void Coordinator::Stop() { impl_->Stop(); }

}  // namespace assay
