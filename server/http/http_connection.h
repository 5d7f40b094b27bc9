// One connection of an HttpServer: reads a request, waits for its answer, sends
// it, and starts over.

#ifndef ASSAY_SERVER_HTTP_HTTP_CONNECTION_H_
#define ASSAY_SERVER_HTTP_HTTP_CONNECTION_H_

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <boost/optional.hpp>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <utility>

#include "absl/base/thread_annotations.h"
#include "absl/container/flat_hash_set.h"
#include "absl/synchronization/mutex.h"
#include "server/http/http_message.h"
#include "server/http/http_router.h"

namespace assay {

class HttpConnection;

// What the connections of one server share; lives as long as any of them, since
// an answer may come when the server has gone. Thread-safe.
class HttpContext {
 public:
  struct Limits {
    uint32_t max_header_bytes;
    uint64_t max_body_bytes;
    std::chrono::milliseconds timeout;
  };

  HttpContext(HttpRouter router, const Limits& limits)
      : router_(std::move(router)), limits_(limits) {}

  const HttpRouter& router() const { return router_; }
  const Limits& limits() const { return limits_; }
  boost::asio::io_context& io() { return io_; }

  void Add(HttpConnection* connection);
  void Remove(HttpConnection* connection);
  size_t connections() const;

  // Runs the step on the connection's strand, unless the server has stopped:
  // then nobody would, and the step would keep what keeps it.
  void Post(HttpConnection& connection, std::function<void()> step);
  // Closes the connections, and each that comes later.
  void Stop();

 private:
  const HttpRouter router_;
  const Limits limits_;
  boost::asio::io_context io_;
  mutable absl::Mutex mutex_;
  bool stopped_ ABSL_GUARDED_BY(mutex_) = false;
  absl::flat_hash_set<HttpConnection*> connections_ ABSL_GUARDED_BY(mutex_);
};

// Kept by the operation, or the answer, that it waits for. Its steps follow one
// another on one strand.
class HttpConnection : public std::enable_shared_from_this<HttpConnection> {
 public:
  HttpConnection(std::shared_ptr<HttpContext> context,
                 boost::asio::ip::tcp::socket socket);
  ~HttpConnection();

  void Start();
  void Close();
  boost::beast::tcp_stream::executor_type executor() {
    return stream_.get_executor();
  }

 private:
  using Request =
      boost::beast::http::request_parser<boost::beast::http::string_body>;
  using Response =
      boost::beast::http::response<boost::beast::http::string_body>;

  void Read();
  void OnRead(boost::beast::error_code error);
  void Dispatch();
  void Refuse(boost::beast::error_code error);
  void Send(HttpResponse response);
  void OnSent(boost::beast::error_code error);

  // Destroyed last: the socket belongs to its io.
  const std::shared_ptr<HttpContext> context_;
  boost::beast::tcp_stream stream_;
  boost::beast::flat_buffer buffer_;
  boost::optional<Request> request_;
  Response response_;
  bool is_head_ = false;
  bool keep_alive_ = false;
};

}  // namespace assay

#endif  // ASSAY_SERVER_HTTP_HTTP_CONNECTION_H_
