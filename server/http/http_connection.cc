#include "server/http/http_connection.h"

#include <boost/asio/post.hpp>
#include <boost/beast/http/error.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/write.hpp>
#include <string>
#include <utility>
#include <vector>

namespace assay {
namespace {

namespace beast = boost::beast;
namespace http = boost::beast::http;
using Tcp = boost::asio::ip::tcp;

std::string ToString(beast::string_view text) {
  return std::string(text.data(), text.size());
}

// The status that tells what was wrong with a request; 0 when nobody is there
// to be told.
int StatusOf(beast::error_code error) {
  if (error == http::error::body_limit) return 413;
  if (error == http::error::header_limit) return 431;
  // The other end closed, was too slow or is gone.
  if (error == http::error::end_of_stream ||
      error == http::error::partial_message || error == beast::error::timeout ||
      error.category() == boost::system::system_category() ||
      error.category() == boost::asio::error::get_misc_category()) {
    return 0;
  }
  return 400;
}

HttpRequest ToRequest(http::request<http::string_body> message) {
  HttpRequest request;
  request.method = ToString(message.method_string());
  if (request.method == "HEAD") request.method = "GET";
  const std::string target = ToString(message.target());
  const size_t mark = target.find('?');
  request.path = target.substr(0, mark);
  if (mark != std::string::npos) request.query = target.substr(mark + 1);
  request.body = std::move(message.body());
  return request;
}

}  // namespace

void HttpContext::Add(HttpConnection* connection) {
  absl::MutexLock lock(&mutex_);
  connections_.insert(connection);
}

void HttpContext::Remove(HttpConnection* connection) {
  absl::MutexLock lock(&mutex_);
  connections_.erase(connection);
}

size_t HttpContext::connections() const {
  absl::MutexLock lock(&mutex_);
  return connections_.size();
}

void HttpContext::Post(HttpConnection& connection, std::function<void()> step) {
  absl::MutexLock lock(&mutex_);
  if (!stopped_) boost::asio::post(connection.executor(), std::move(step));
}

void HttpContext::Stop() {
  // Released after the lock: the last one to let go of a connection removes it.
  std::vector<std::shared_ptr<HttpConnection>> open;
  absl::MutexLock lock(&mutex_);
  // A second time no thread is left that would run the step, which would keep
  // the connection, and that all of this.
  if (stopped_) return;
  stopped_ = true;
  for (HttpConnection* const connection : connections_) {
    std::shared_ptr<HttpConnection> kept = connection->weak_from_this().lock();
    if (kept == nullptr) continue;
    boost::asio::post(kept->executor(), [kept] { kept->Close(); });
    open.push_back(std::move(kept));
  }
}

HttpConnection::HttpConnection(std::shared_ptr<HttpContext> context,
                               Tcp::socket socket)
    : context_(std::move(context)), stream_(std::move(socket)) {
  context_->Add(this);
}

HttpConnection::~HttpConnection() { context_->Remove(this); }

void HttpConnection::Start() {
  context_->Post(*this, [self = shared_from_this()] { self->Read(); });
}

void HttpConnection::Read() {
  request_.emplace();
  request_->header_limit(context_->limits().max_header_bytes);
  request_->body_limit(context_->limits().max_body_bytes);
  stream_.expires_after(context_->limits().timeout);
  http::async_read(
      stream_, buffer_, *request_,
      [self = shared_from_this()](beast::error_code error, size_t) {
        self->OnRead(error);
      });
}

void HttpConnection::OnRead(beast::error_code error) {
  // The answer takes as long as it takes.
  stream_.expires_never();
  if (error) {
    Refuse(error);
  } else {
    Dispatch();
  }
}

void HttpConnection::Dispatch() {
  is_head_ = request_->get().method() == http::verb::head;
  keep_alive_ = request_->get().keep_alive();
  context_->router().Handle(
      ToRequest(request_->release()),
      [self = shared_from_this()](const HttpResponse& response) {
        self->context_->Post(*self, [self, response] { self->Send(response); });
      });
}

void HttpConnection::Refuse(beast::error_code error) {
  HttpResponse response;
  response.status = StatusOf(error);
  if (response.status == 0) {
    Close();
    return;
  }
  response.body = "the request was refused: " + error.message() + "\n";
  is_head_ = false;
  // Where the next request would begin is not known.
  keep_alive_ = false;
  Send(std::move(response));
}

void HttpConnection::Send(HttpResponse response) {
  response_ = Response(http::int_to_status(response.status), 11);
  response_.set(http::field::server, "assay");
  response_.set(http::field::content_type, response.content_type);
  response_.set("X-Content-Type-Options", "nosniff");
  for (const auto& [name, value] : response.headers) response_.set(name, value);
  response_.keep_alive(keep_alive_);
  const size_t bytes = response.body.size();
  if (!is_head_) response_.body() = std::move(response.body);
  response_.content_length(bytes);
  stream_.expires_after(context_->limits().timeout);
  const auto on_sent = [self = shared_from_this()](beast::error_code error,
                                                   size_t) {
    self->OnSent(error);
  };
  http::async_write(stream_, response_, on_sent);
}

void HttpConnection::OnSent(beast::error_code error) {
  if (error || !keep_alive_) {
    Close();
  } else {
    Read();
  }
}

void HttpConnection::Close() {
  beast::error_code ignored;
  stream_.socket().shutdown(Tcp::socket::shutdown_both, ignored);
  stream_.close();
}

}  // namespace assay
