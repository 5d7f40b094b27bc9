// A request and its answer, as handlers see them.

#ifndef ASSAY_SERVER_HTTP_HTTP_MESSAGE_H_
#define ASSAY_SERVER_HTTP_HTTP_MESSAGE_H_

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace assay {

struct HttpRequest {
  // Upper case, e.g. `GET`. A HEAD request comes as GET.
  std::string method;
  // As sent, without the query, e.g. `/metrics`.
  std::string path;
  // What follows the question mark; empty when there is none.
  std::string query;
  std::string body;
};

struct HttpResponse {
  int status = 200;
  std::string content_type = "text/plain; charset=utf-8";
  std::string body;
  // Beside those of content, e.g. {"Allow", "GET"}.
  std::vector<std::pair<std::string, std::string>> headers;
};

// Sends the answer. Called once, on any thread, at any time; the connection
// waits for it.
using HttpRespond = std::function<void(HttpResponse)>;

// Must not block: it runs on the threads that serve all connections.
using HttpHandler = std::function<void(const HttpRequest&, HttpRespond)>;

struct HttpRoute {
  // Upper case.
  std::string method;
  // The whole path.
  std::string path;
  HttpHandler handler;
};

}  // namespace assay

#endif  // ASSAY_SERVER_HTTP_HTTP_MESSAGE_H_
