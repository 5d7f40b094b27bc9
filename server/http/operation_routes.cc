#include "server/http/operation_routes.h"

#include <sys/statvfs.h>

#include <string>
#include <utility>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "base/status_macros.h"
#include "server/metrics/own_process.h"

namespace assay {
namespace {

constexpr char kMetricsType[] = "text/plain; version=0.0.4; charset=utf-8";

HttpResponse Text(int status, const std::string& text) {
  HttpResponse response;
  response.status = status;
  response.body = absl::StrCat(text, "\n");
  response.headers.emplace_back("Cache-Control", "no-store");
  return response;
}

int64_t FreeBytes(const std::string& path) {
  struct statvfs status;
  if (statvfs(path.c_str(), &status) != 0) return 0;
  return static_cast<int64_t>(status.f_bavail) *
         static_cast<int64_t>(status.f_frsize);
}

// What the store knows of the moment.
absl::StatusOr<CoordinatorState> ReadState(Session& session,
                                           const Presence& presence) {
  CoordinatorState state;
  ASSAY_ASSIGN_OR_RETURN(state.jobs_waiting, session.jobs().CountWaiting());
  ASSAY_ASSIGN_OR_RETURN(state.jobs_running, session.jobs().CountHeld());
  ASSAY_ASSIGN_OR_RETURN(std::vector<WorkerRow> workers,
                         session.workers().All());
  for (WorkerRow& worker : workers) {
    presence.Complete(worker.record);
    ++state.workers[worker.record.state()];
  }
  return state;
}

HttpResponse Scrape(const OperationContext& context, CoordinatorState state) {
  const Store::Waiting waiting = context.store.waiting();
  state.writes_waiting = static_cast<int64_t>(waiting.writes);
  state.reads_waiting = static_cast<int64_t>(waiting.reads);
  state.leases_active = static_cast<int64_t>(context.monitor.size());
  state.store_bytes = context.store.bytes();
  state.free_bytes = FreeBytes(context.store.path());
  state.is_ready = context.readiness.Check().ok();
  state.process = ReadOwnProcess();
  HttpResponse response;
  response.content_type = kMetricsType;
  response.body = context.metrics.Text(state);
  return response;
}

void AnswerMetrics(const OperationContext& context,
                   const HttpRespond& respond) {
  context.store.Read<CoordinatorState>(
      [&presence = context.presence](Session& session) {
        return ReadState(session, presence);
      },
      [context, respond](absl::StatusOr<CoordinatorState> state) {
        respond(state.ok() ? Scrape(context, *std::move(state))
                           : Text(503, std::string(state.status().message())));
      });
}

}  // namespace

std::vector<HttpRoute> OperationRoutes(const OperationContext& context) {
  return {
      {"GET", "/healthz",
       [](const HttpRequest&, const HttpRespond& respond) {
         respond(Text(200, "ok"));
       }},
      {"GET", "/readyz",
       [&readiness = context.readiness](const HttpRequest&,
                                        const HttpRespond& respond) {
         const absl::Status status = readiness.Check();
         respond(status.ok() ? Text(200, "ok")
                             : Text(503, std::string(status.message())));
       }},
      {"GET", "/metrics",
       [context](const HttpRequest&, const HttpRespond& respond) {
         AnswerMetrics(context, respond);
       }},
  };
}

}  // namespace assay
