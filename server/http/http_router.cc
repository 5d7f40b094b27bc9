#include "server/http/http_router.h"

#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace assay {

HttpRouter::HttpRouter(std::vector<HttpRoute> routes)
    : routes_(std::move(routes)) {}

void HttpRouter::Handle(const HttpRequest& request, HttpRespond respond) const {
  std::vector<std::string> methods;
  for (const HttpRoute& route : routes_) {
    if (route.path != request.path) continue;
    if (route.method == request.method) {
      route.handler(request, std::move(respond));
      return;
    }
    methods.push_back(route.method);
  }
  HttpResponse response;
  if (methods.empty()) {
    response.status = 404;
    response.body = "there is nothing at this path\n";
  } else {
    response.status = 405;
    const std::string allowed = absl::StrJoin(methods, ", ");
    response.body = absl::StrCat("this path takes ", allowed, "\n");
    response.headers.emplace_back("Allow", allowed);
  }
  respond(std::move(response));
}

}  // namespace assay
