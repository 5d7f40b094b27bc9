#include "server/auth/access_rules.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "assay/v1/admin_service.pb.h"
#include "assay/v1/blob_service.pb.h"
#include "assay/v1/catalog_service.pb.h"
#include "assay/v1/evaluation_service.pb.h"
#include "assay/v1/leaderboard_service.pb.h"
#include "assay/v1/token_service.pb.h"
#include "assay/v1/worker_service.pb.h"
#include "base/status_testing.h"
#include "google/protobuf/descriptor.h"

namespace assay {
namespace {

// The files of proto/assay/v1 that declare services, by their name. Messages of
// theirs are named so that they are linked.
std::map<std::string, const google::protobuf::FileDescriptor*> ServiceFiles() {
  std::map<std::string, const google::protobuf::FileDescriptor*> files;
  for (const google::protobuf::Descriptor* message :
       {v1::GetServerInfoRequest::descriptor(),
        v1::GetBlobRequest::descriptor(),
        v1::CreateDefinitionRequest::descriptor(),
        v1::CreateSubmissionRequest::descriptor(),
        v1::GetLeaderboardRequest::descriptor(),
        v1::CreateTokenRequest::descriptor(),
        v1::RegisterWorkerRequest::descriptor()}) {
    files[message->file()->name()] = message->file();
  }
  return files;
}

TEST(AccessRulesTest, EveryFileWithServicesIsLookedAt) {
  const auto files = ServiceFiles();
  int count = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator("proto/assay/v1")) {
    const std::string name = entry.path().filename().string();
    if (!absl::EndsWith(name, "_service.proto")) continue;
    ++count;
    EXPECT_EQ(files.count(absl::StrCat("assay/v1/", name)), 1)
        << name << ": add a message of it to ServiceFiles()";
  }
  EXPECT_GE(count, 7);
}

// Every RPC by its HTTP/2 path.
std::vector<std::string> AllMethods() {
  std::vector<std::string> methods;
  for (const auto& [name, file] : ServiceFiles()) {
    for (int s = 0; s < file->service_count(); ++s) {
      for (int m = 0; m < file->service(s)->method_count(); ++m) {
        methods.push_back(absl::StrCat("/", file->service(s)->full_name(), "/",
                                       file->service(s)->method(m)->name()));
      }
    }
  }
  return methods;
}

TEST(AccessRulesTest, EveryMethodHasARule) {
  const std::vector<std::string> methods = AllMethods();
  EXPECT_GE(methods.size(), 30);
  for (const std::string& method : methods) {
    EXPECT_NE(AccessOf(method), Access::kNoRule) << method;
    EXPECT_NE(AccessOf(method), Access::kPublic) << method;
  }
}

TEST(AccessRulesTest, WhatIsNotKnownIsNotAllowed) {
  const Access access = AccessOf("/assay.v1.BlobService/DeleteBlob");
  EXPECT_EQ(access, Access::kNoRule);
  EXPECT_FALSE(Allows(access, v1::ADMIN));
}

TEST(AccessRulesTest, RolesAllowWhatTheyAreFor) {
  EXPECT_TRUE(Allows(Access::kSubmit, v1::SUBMIT));
  EXPECT_FALSE(Allows(Access::kSubmit, v1::WORKER));
  EXPECT_TRUE(Allows(Access::kWorker, v1::WORKER));
  EXPECT_FALSE(Allows(Access::kWorker, v1::SUBMIT));
  EXPECT_FALSE(Allows(Access::kAdmin, v1::SUBMIT));
  EXPECT_FALSE(Allows(Access::kAdmin, v1::WORKER));
  for (const Access access :
       {Access::kPublic, Access::kAnyToken, Access::kSubmit, Access::kWorker,
        Access::kAdmin}) {
    EXPECT_TRUE(Allows(access, v1::ADMIN));
  }
}

TEST(AccessRulesTest, HealthChecksAloneArePublic) {
  EXPECT_EQ(AccessOf("/grpc.health.v1.Health/Check"), Access::kPublic);
  EXPECT_EQ(AccessOf("/grpc.health.v1.Health/Watch"), Access::kAnyToken);
}

}  // namespace
}  // namespace assay
