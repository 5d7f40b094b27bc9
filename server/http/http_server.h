// A small HTTP/1.1 server, on Boost.Beast.
//
//   HttpServer::Options options;
//   options.listen = "127.0.0.1:0";
//   ASSAY_ASSIGN_OR_RETURN(
//       const std::unique_ptr<HttpServer> server,
//       HttpServer::Start(options, {{"GET", "/healthz", handler}}));
//
// No connection holds a thread, however long its answer takes. Connections that
// are idle, slow or too many are closed; what is too large is refused.

#ifndef ASSAY_SERVER_HTTP_HTTP_SERVER_H_
#define ASSAY_SERVER_HTTP_HTTP_SERVER_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "server/http/http_message.h"

namespace assay {

// Thread-safe.
class HttpServer {
 public:
  struct Options {
    // `HOST:PORT`; port 0 picks one.
    std::string listen;
    int threads = 2;
    // One more is closed at once.
    size_t max_connections = 1024;
    uint32_t max_header_bytes = 16 << 10;
    uint64_t max_body_bytes = 1 << 20;
    // A request that has not come whole, or an answer that has not been taken,
    // after this long ends the connection; so does silence between requests.
    absl::Duration timeout = absl::Seconds(30);
  };

  // INVALID_ARGUMENT for an address that is none, FAILED_PRECONDITION when it
  // cannot be listened on.
  static absl::StatusOr<std::unique_ptr<HttpServer>> Start(
      const Options& options, std::vector<HttpRoute> routes);
  // Stops.
  ~HttpServer();

  // `HOST:PORT` with the port that was picked.
  const std::string& address() const;

  // Closes everything. Answers that come later are dropped.
  void Stop();

 private:
  class Impl;
  explicit HttpServer(std::unique_ptr<Impl> impl);

  std::unique_ptr<Impl> impl_;
};

}  // namespace assay

#endif  // ASSAY_SERVER_HTTP_HTTP_SERVER_H_
