#include "server/http/http_server.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/base/thread_annotations.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/mutex.h"
#include "base/log.h"
#include "base/status_macros.h"
#include "server/http/http_connection.h"
#include "server/http/http_router.h"
#include "server/listen_address.h"

namespace assay {
namespace {

namespace asio = boost::asio;
using Tcp = asio::ip::tcp;
using ErrorCode = boost::system::error_code;

}  // namespace

class HttpServer::Impl {
 public:
  Impl(const Options& options, std::vector<HttpRoute> routes)
      : options_(options),
        context_(std::make_shared<HttpContext>(
            HttpRouter(std::move(routes)),
            HttpContext::Limits{options.max_header_bytes,
                                options.max_body_bytes,
                                absl::ToChronoMilliseconds(options.timeout)})),
        acceptor_(asio::make_strand(context_->io())) {}
  ~Impl() { Stop(); }

  absl::Status Start();
  void Stop();
  const std::string& address() const { return address_; }

 private:
  absl::Status Listen(const ListenAddress& listen);
  void Accept();
  void OnAccept(const ErrorCode& error, Tcp::socket socket);

  const Options options_;
  const std::shared_ptr<HttpContext> context_;
  Tcp::acceptor acceptor_;
  std::string address_;
  absl::Mutex stop_mutex_;
  std::vector<std::thread> threads_ ABSL_GUARDED_BY(stop_mutex_);
};

absl::Status HttpServer::Impl::Start() {
  ASSAY_ASSIGN_OR_RETURN(const ListenAddress listen,
                         ParseListenAddress(options_.listen));
  if (!listen.unix_path.empty()) {
    return absl::InvalidArgumentError(absl::StrCat(
        "--http \"", options_.listen, "\" is not HOST:PORT, e.g. 127.0.0.1:0"));
  }
  ASSAY_RETURN_IF_ERROR(Listen(listen));
  Accept();
  absl::MutexLock lock(&stop_mutex_);
  for (int i = 0; i < options_.threads; ++i) {
    threads_.emplace_back([context = context_] { context->io().run(); });
  }
  return absl::OkStatus();
}

absl::Status HttpServer::Impl::Listen(const ListenAddress& listen) {
  ErrorCode error;
  Tcp::resolver resolver(context_->io());
  const auto found = resolver.resolve(listen.host, absl::StrCat(listen.port),
                                      Tcp::resolver::passive, error);
  if (!error) acceptor_.open(found->endpoint().protocol(), error);
  if (!error) acceptor_.set_option(Tcp::acceptor::reuse_address(true), error);
  if (!error) acceptor_.bind(*found, error);
  if (!error) acceptor_.listen(Tcp::acceptor::max_listen_connections, error);
  if (error) {
    return absl::FailedPreconditionError(
        absl::StrCat("cannot listen on ", listen.text, " (", error.message(),
                     "); choose another --http"));
  }
  address_ = listen.WithPort(acceptor_.local_endpoint(error).port());
  return absl::OkStatus();
}

void HttpServer::Impl::Accept() {
  acceptor_.async_accept(asio::make_strand(context_->io()),
                         [this](const ErrorCode& error, Tcp::socket socket) {
                           OnAccept(error, std::move(socket));
                         });
}

void HttpServer::Impl::OnAccept(const ErrorCode& error, Tcp::socket socket) {
  if (error == asio::error::operation_aborted) return;
  if (error) {
    LogWarning("http: no connection accepted", {{"error", error.message()}});
  } else if (context_->connections() < options_.max_connections) {
    std::make_shared<HttpConnection>(context_, std::move(socket))->Start();
  }
  Accept();
}

void HttpServer::Impl::Stop() {
  absl::MutexLock lock(&stop_mutex_);
  // First, while the acceptor keeps the threads: a connection whose answer is
  // still to come does not.
  context_->Stop();
  asio::post(acceptor_.get_executor(), [this] {
    ErrorCode ignored;
    acceptor_.close(ignored);
  });
  // They end when nothing is left to do.
  for (std::thread& thread : threads_) thread.join();
  threads_.clear();
}

HttpServer::HttpServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}

HttpServer::~HttpServer() = default;

absl::StatusOr<std::unique_ptr<HttpServer>> HttpServer::Start(
    const Options& options, std::vector<HttpRoute> routes) {
  auto impl = std::make_unique<Impl>(options, std::move(routes));
  ASSAY_RETURN_IF_ERROR(impl->Start());
  return std::unique_ptr<HttpServer>(new HttpServer(std::move(impl)));
}

const std::string& HttpServer::address() const { return impl_->address(); }

void HttpServer::Stop() { impl_->Stop(); }

}  // namespace assay
