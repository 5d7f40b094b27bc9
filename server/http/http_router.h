// Which handler answers a request.

#ifndef ASSAY_SERVER_HTTP_HTTP_ROUTER_H_
#define ASSAY_SERVER_HTTP_HTTP_ROUTER_H_

#include <vector>

#include "server/http/http_message.h"

namespace assay {

// Not changed once made; thread-safe.
class HttpRouter {
 public:
  explicit HttpRouter(std::vector<HttpRoute> routes);

  // Hands the request to its handler, or answers 404 for an unknown path, and
  // 405 with the methods that it has for a known one.
  void Handle(const HttpRequest& request, HttpRespond respond) const;

 private:
  std::vector<HttpRoute> routes_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_HTTP_HTTP_ROUTER_H_
