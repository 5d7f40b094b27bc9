#include "server/auth/call_check.h"

#include <grpc/grpc_security.h>

#include <cstddef>
#include <map>
#include <utility>

#include "absl/types/optional.h"
#include "base/grpc_status.h"
#include "server/auth/token_text.h"

namespace assay {
namespace {

constexpr char kMethodKey[] = ":path";
constexpr char kAuthorizationKey[] = "authorization";

absl::string_view ToView(const grpc_slice& slice) {
  return absl::string_view(
      reinterpret_cast<const char*>(GRPC_SLICE_START_PTR(slice)),
      GRPC_SLICE_LENGTH(slice));
}

absl::string_view ToView(grpc::string_ref text) {
  return absl::string_view(text.data(), text.size());
}

// Collects what a check is asked with from the headers of a call.
class Headers {
 public:
  void Add(absl::string_view key, absl::string_view value) {
    if (key == kMethodKey) method_ = value;
    if (key != kAuthorizationKey) return;
    authorization_ = ++authorizations_ == 1 ? value : absl::string_view();
  }

  absl::Status Ask(const CallCheck& check) const {
    return check(method_, authorization_);
  }

 private:
  absl::string_view method_;
  absl::string_view authorization_;
  int authorizations_ = 0;
};

// For gRPC's C interface; `state` is the CallCheck.
void ProcessMetadata(void* state, grpc_auth_context*,
                     const grpc_metadata* metadata, size_t count,
                     grpc_process_auth_metadata_done_cb done, void* user_data) {
  Headers headers;
  for (size_t i = 0; i < count; ++i) {
    headers.Add(ToView(metadata[i].key), ToView(metadata[i].value));
  }
  const grpc::Status status =
      ToGrpcStatus(headers.Ask(*static_cast<const CallCheck*>(state)));
  done(user_data, nullptr, 0, nullptr, 0,
       static_cast<grpc_status_code>(status.error_code()),
       status.ok() ? nullptr : status.error_message().c_str());
}

void DestroyCheck(void* state) { delete static_cast<CallCheck*>(state); }

class CheckedClearText final : public grpc::ServerCredentials {
 public:
  explicit CheckedClearText(CallCheck check) : check_(std::move(check)) {}

  // The check is part of these credentials.
  void SetAuthMetadataProcessor(
      const std::shared_ptr<grpc::AuthMetadataProcessor>&) override {}

 private:
  int AddPortToServer(const std::string& address,
                      grpc_server* server) override {
    grpc_server_credentials* credentials =
        grpc_insecure_server_credentials_create();
    grpc_server_credentials_set_auth_metadata_processor(
        credentials, {&ProcessMetadata, &DestroyCheck, new CallCheck(check_)});
    const int port =
        grpc_server_add_http2_port(server, address.c_str(), credentials);
    grpc_server_credentials_release(credentials);
    return port;
  }

  const CallCheck check_;
};

class CallChecker final : public grpc::AuthMetadataProcessor {
 public:
  explicit CallChecker(CallCheck check) : check_(std::move(check)) {}

  // Else gRPC would start threads for it.
  bool IsBlocking() const override { return false; }

  grpc::Status Process(const InputMetadata& metadata, grpc::AuthContext*,
                       OutputMetadata*, OutputMetadata*) override {
    Headers headers;
    for (const auto& [key, value] : metadata) {
      headers.Add(ToView(key), ToView(value));
    }
    return ToGrpcStatus(headers.Ask(check_));
  }

 private:
  const CallCheck check_;
};

}  // namespace

std::shared_ptr<grpc::ServerCredentials> ClearTextCredentials(CallCheck check) {
  return std::make_shared<CheckedClearText>(std::move(check));
}

std::shared_ptr<grpc::AuthMetadataProcessor> MakeCallChecker(CallCheck check) {
  return std::make_shared<CallChecker>(std::move(check));
}

std::string TokenIdOf(const grpc::ServerContextBase& context) {
  const auto& metadata = context.client_metadata();
  const auto found = metadata.find(kAuthorizationKey);
  if (found == metadata.end()) return "";
  const absl::optional<TokenText> text = ParseBearer(ToView(found->second));
  return text.has_value() ? text->id : "";
}

}  // namespace assay
