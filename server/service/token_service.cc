#include "server/service/token_service.h"

#include <utility>

#include "base/log.h"
#include "server/auth/access_rules.h"
#include "server/auth/tokens.h"
#include "server/rpc/unary.h"
#include "server/store/paging.h"

namespace assay {

grpc::ServerUnaryReactor* TokenServiceImpl::CreateToken(
    grpc::CallbackServerContext* context, const v1::CreateTokenRequest* request,
    v1::CreateTokenResponse* response) {
  const absl::Status valid = CheckCreateToken(*request);
  if (!valid.ok()) return Refuse(context, valid);
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Write<v1::CreateTokenResponse>(
      [request](Session& session) {
        return assay::CreateToken(session, *request);
      },
      [this, answer = Answer(reactor, response)](
          absl::StatusOr<v1::CreateTokenResponse> created) {
        if (created.ok()) {
          const v1::Token& token = created->token();
          LogInfo("token created", {{"id", token.id()},
                                    {"name", token.name()},
                                    {"role", RoleWord(token.role())}});
          keeper_.Refresh();
        }
        answer(std::move(created));
      });
  return reactor;
}

grpc::ServerUnaryReactor* TokenServiceImpl::ListTokens(
    grpc::CallbackServerContext* context, const v1::ListTokensRequest* request,
    v1::ListTokensResponse* response) {
  const absl::StatusOr<Paging> paging =
      Paging::Parse(request->page_size(), request->page_token(), {"tokens"});
  if (!paging.ok()) return Refuse(context, paging.status());
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Read<v1::ListTokensResponse>(
      [paging = *paging](Session& session) {
        return session.tokens().List(paging);
      },
      Answer(reactor, response));
  return reactor;
}

grpc::ServerUnaryReactor* TokenServiceImpl::RevokeToken(
    grpc::CallbackServerContext* context, const v1::RevokeTokenRequest* request,
    v1::Token* response) {
  grpc::ServerUnaryReactor* reactor = context->DefaultReactor();
  store_.Write<v1::Token>(
      [request](Session& session) {
        return assay::RevokeToken(session, request->id());
      },
      [this,
       answer = Answer(reactor, response)](absl::StatusOr<v1::Token> token) {
        if (token.ok()) {
          LogInfo("token revoked",
                  {{"id", token->id()}, {"name", token->name()}});
          keeper_.Refresh();
        }
        answer(std::move(token));
      });
  return reactor;
}

}  // namespace assay
