// TokenService over the store.

#ifndef ASSAY_SERVER_SERVICE_TOKEN_SERVICE_H_
#define ASSAY_SERVER_SERVICE_TOKEN_SERVICE_H_

#include "assay/v1/token_service.grpc.pb.h"
#include "server/auth/token_keeper.h"
#include "server/store/store.h"

namespace assay {

// What it refers to outlives it. Thread-safe.
class TokenServiceImpl final : public v1::TokenService::CallbackService {
 public:
  TokenServiceImpl(Store& store, TokenKeeper& keeper)
      : store_(store), keeper_(keeper) {}

  grpc::ServerUnaryReactor* CreateToken(
      grpc::CallbackServerContext* context,
      const v1::CreateTokenRequest* request,
      v1::CreateTokenResponse* response) override;
  grpc::ServerUnaryReactor* ListTokens(
      grpc::CallbackServerContext* context,
      const v1::ListTokensRequest* request,
      v1::ListTokensResponse* response) override;
  grpc::ServerUnaryReactor* RevokeToken(grpc::CallbackServerContext* context,
                                        const v1::RevokeTokenRequest* request,
                                        v1::Token* response) override;

 private:
  Store& store_;
  TokenKeeper& keeper_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_SERVICE_TOKEN_SERVICE_H_
