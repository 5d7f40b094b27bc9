// Which role a call needs: one rule for every RPC of the coordinator.

#ifndef ASSAY_SERVER_AUTH_ACCESS_RULES_H_
#define ASSAY_SERVER_AUTH_ACCESS_RULES_H_

#include <string>

#include "absl/strings/string_view.h"
#include "assay/v1/token_service.pb.h"

namespace assay {

enum class Access {
  // Needs no token.
  kPublic,
  // Any token that is valid.
  kAnyToken,
  kSubmit,
  kWorker,
  kAdmin,
  // There is no rule: nobody may call it.
  kNoRule,
};

// `method` as HTTP/2 has it: `/assay.v1.BlobService/GetBlob`.
Access AccessOf(absl::string_view method);

// Whether a token with the role satisfies the rule. ADMIN satisfies all.
bool Allows(Access access, v1::TokenRole role);

// `submit`, `worker`, `admin`; for messages.
std::string RoleWord(v1::TokenRole role);
// What the rule asks for: `a token with the role "submit"`.
std::string NeededFor(Access access);

}  // namespace assay

#endif  // ASSAY_SERVER_AUTH_ACCESS_RULES_H_
