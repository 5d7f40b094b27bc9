#include "server/auth/access_rules.h"

#include "absl/container/flat_hash_map.h"
#include "absl/strings/ascii.h"

namespace assay {
namespace {

using Rules = absl::flat_hash_map<absl::string_view, Access>;

const Rules& AllRules() {
  static const Rules& rules = *new Rules{
      {"/assay.v1.AdminService/BackUp", Access::kAdmin},
      {"/assay.v1.AdminService/DrainWorker", Access::kAdmin},
      {"/assay.v1.AdminService/GetServerInfo", Access::kAnyToken},
      {"/assay.v1.AdminService/QuarantineWorker", Access::kAdmin},
      {"/assay.v1.AdminService/ReleaseWorker", Access::kAdmin},
      {"/assay.v1.AdminService/UndrainWorker", Access::kAdmin},

      // Workers fetch tensors, and may put artifacts and logs.
      {"/assay.v1.BlobService/FindMissingBlobs", Access::kAnyToken},
      {"/assay.v1.BlobService/GetBlob", Access::kAnyToken},
      {"/assay.v1.BlobService/PutBlob", Access::kAnyToken},

      {"/assay.v1.CatalogService/CreateDefinition", Access::kSubmit},
      {"/assay.v1.CatalogService/CreateSolution", Access::kSubmit},
      {"/assay.v1.CatalogService/CreateWorkload", Access::kSubmit},
      {"/assay.v1.CatalogService/GetDefinition", Access::kSubmit},
      {"/assay.v1.CatalogService/GetSolution", Access::kSubmit},
      {"/assay.v1.CatalogService/GetWorkload", Access::kSubmit},
      {"/assay.v1.CatalogService/ImportTraceSet", Access::kSubmit},
      {"/assay.v1.CatalogService/ListDefinitions", Access::kSubmit},
      {"/assay.v1.CatalogService/ListSolutions", Access::kSubmit},
      {"/assay.v1.CatalogService/ListWorkloads", Access::kSubmit},

      {"/assay.v1.EvaluationService/CancelSubmission", Access::kSubmit},
      {"/assay.v1.EvaluationService/CreateSubmission", Access::kSubmit},
      {"/assay.v1.EvaluationService/GetSubmission", Access::kSubmit},
      {"/assay.v1.EvaluationService/GetTrace", Access::kSubmit},
      {"/assay.v1.EvaluationService/ListJobs", Access::kSubmit},
      {"/assay.v1.EvaluationService/ListSubmissions", Access::kSubmit},
      {"/assay.v1.EvaluationService/ListTraces", Access::kSubmit},
      {"/assay.v1.EvaluationService/WatchSubmissions", Access::kSubmit},
      // Decides what ranks.
      {"/assay.v1.EvaluationService/ReviewTrace", Access::kAdmin},

      {"/assay.v1.LeaderboardService/GetLeaderboard", Access::kSubmit},
      {"/assay.v1.LeaderboardService/ListLeaderboards", Access::kSubmit},

      {"/assay.v1.TokenService/CreateToken", Access::kAdmin},
      {"/assay.v1.TokenService/ListTokens", Access::kAdmin},
      {"/assay.v1.TokenService/RevokeToken", Access::kAdmin},

      {"/assay.v1.WorkerService/AcquireLease", Access::kWorker},
      {"/assay.v1.WorkerService/RegisterWorker", Access::kWorker},
      {"/assay.v1.WorkerService/RunLease", Access::kWorker},
      {"/assay.v1.WorkerService/GetWorker", Access::kAnyToken},
      {"/assay.v1.WorkerService/ListWorkers", Access::kAnyToken},

      // Load balancers and probes have no token, and learn no more than whether
      // it serves. A watch would stay open for as long as a stranger likes.
      {"/grpc.health.v1.Health/Check", Access::kPublic},
      {"/grpc.health.v1.Health/Watch", Access::kAnyToken},
      {"/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
       Access::kAnyToken},
  };
  return rules;
}

}  // namespace

Access AccessOf(absl::string_view method) {
  const auto found = AllRules().find(method);
  return found == AllRules().end() ? Access::kNoRule : found->second;
}

bool Allows(Access access, v1::TokenRole role) {
  switch (access) {
    case Access::kPublic:
    case Access::kAnyToken:
      return true;
    case Access::kSubmit:
      return role == v1::SUBMIT || role == v1::ADMIN;
    case Access::kWorker:
      return role == v1::WORKER || role == v1::ADMIN;
    case Access::kAdmin:
      return role == v1::ADMIN;
    case Access::kNoRule:
      return false;
  }
  return false;
}

std::string RoleWord(v1::TokenRole role) {
  return absl::AsciiStrToLower(v1::TokenRole_Name(role));
}

std::string NeededFor(Access access) {
  switch (access) {
    case Access::kSubmit:
      return "a token with the role \"submit\"";
    case Access::kWorker:
      return "a token with the role \"worker\"";
    case Access::kAdmin:
      return "a token with the role \"admin\"";
    default:
      return "a token";
  }
}

}  // namespace assay
