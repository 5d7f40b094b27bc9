// Channels to a coordinator, by ChannelSecurity.

#ifndef ASSAY_BASE_SECURE_CHANNEL_H_
#define ASSAY_BASE_SECURE_CHANNEL_H_

#include <grpcpp/channel.h>
#include <grpcpp/support/channel_arguments.h>

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "base/channel_security.h"

namespace assay {

// Does not connect yet. Every call on the channel carries the token. Files with
// certificates are looked at again as time passes, so that they can be renewed.
// FAILED_PRECONDITION when the token would go without encryption to another
// machine.
absl::StatusOr<std::shared_ptr<grpc::Channel>> MakeChannel(
    const std::string& address, const ChannelSecurity& security,
    const grpc::ChannelArguments& arguments);

}  // namespace assay

#endif  // ASSAY_BASE_SECURE_CHANNEL_H_
