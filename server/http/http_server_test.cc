#include "server/http/http_server.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/asio/connect.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/read.hpp>
#include <boost/beast/http/string_body.hpp>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/synchronization/notification.h"
#include "base/status_testing.h"

namespace assay {
namespace {

namespace asio = boost::asio;
namespace http = boost::beast::http;
using testing::HasSubstr;
using Answer = http::response<http::string_body>;

// A client's connection.
class Client {
 public:
  explicit Client(const HttpServer& server) : socket_(io_) {
    const std::string& address = server.address();
    const size_t colon = address.rfind(':');
    asio::ip::tcp::resolver resolver(io_);
    asio::connect(socket_, resolver.resolve(address.substr(0, colon),
                                            address.substr(colon + 1)));
  }

  void Write(const std::string& text) {
    boost::system::error_code ignored;
    asio::write(socket_, asio::buffer(text), ignored);
  }
  void Get(const std::string& target) {
    Write(absl::StrCat("GET ", target, " HTTP/1.1\r\nHost: test\r\n\r\n"));
  }

  // The next answer; status 0 when there is none.
  Answer Next(bool is_head = false) {
    http::response_parser<http::string_body> parser;
    parser.skip(is_head);
    boost::system::error_code error;
    http::read(socket_, buffer_, parser, error);
    if (!error) return parser.release();
    Answer none;
    none.result(0U);
    return none;
  }
  bool IsClosed() {
    char byte;
    boost::system::error_code error;
    asio::read(socket_, asio::buffer(&byte, 1), error);
    return static_cast<bool>(error);
  }

 private:
  asio::io_context io_;
  asio::ip::tcp::socket socket_;
  boost::beast::flat_buffer buffer_;
};

HttpHandler Says(const std::string& text) {
  return [text](const HttpRequest&, const HttpRespond& respond) {
    HttpResponse response;
    response.body = text;
    respond(std::move(response));
  };
}

HttpServer::Options AnyPort() {
  HttpServer::Options options;
  options.listen = "127.0.0.1:0";
  return options;
}

std::unique_ptr<HttpServer> Start(std::vector<HttpRoute> routes,
                                  HttpServer::Options options = AnyPort()) {
  return HttpServer::Start(options, std::move(routes)).value();
}

TEST(HttpServerTest, AnswersSeveralRequestsOfOneConnection) {
  const auto server =
      Start({{"GET", "/a", Says("A")}, {"GET", "/b", Says("B")}});
  Client client(*server);
  client.Get("/a");
  EXPECT_EQ(client.Next().body(), "A");
  client.Get("/b");
  const Answer answer = client.Next();
  EXPECT_EQ(answer.body(), "B");
  EXPECT_EQ(answer["X-Content-Type-Options"], "nosniff");
}

TEST(HttpServerTest, HandlerSeesMethodPathQueryAndBody) {
  const auto server =
      Start({{"POST", "/echo",
              [](const HttpRequest& request, const HttpRespond& respond) {
                HttpResponse response;
                response.status = 201;
                response.content_type = "application/json";
                response.body =
                    absl::StrCat(request.method, " ", request.path, " ",
                                 request.query, " ", request.body);
                respond(response);
              }}});
  Client client(*server);
  client.Write(
      "POST /echo?x=1&y HTTP/1.1\r\nHost: test\r\nContent-Length: 2\r\n\r\nhi");
  const Answer answer = client.Next();
  EXPECT_EQ(answer.result_int(), 201);
  EXPECT_EQ(answer[http::field::content_type], "application/json");
  EXPECT_EQ(answer.body(), "POST /echo x=1&y hi");
}

TEST(HttpServerTest, HeadHasTheLengthAndNoBody) {
  const auto server = Start({{"GET", "/a", Says("four")}});
  Client client(*server);
  client.Write("HEAD /a HTTP/1.1\r\nHost: test\r\n\r\n");
  const Answer answer = client.Next(/*is_head=*/true);
  EXPECT_EQ(answer[http::field::content_length], "4");
  EXPECT_EQ(answer.body(), "");
  client.Get("/a");
  EXPECT_EQ(client.Next().body(), "four");
}

TEST(HttpServerTest, UnknownPathAndMethodAreTold) {
  const auto server = Start({{"GET", "/a", Says("A")}});
  Client client(*server);
  client.Get("/b");
  EXPECT_EQ(client.Next().result_int(), 404);
  client.Write("DELETE /a HTTP/1.1\r\nHost: test\r\n\r\n");
  const Answer answer = client.Next();
  EXPECT_EQ(answer.result_int(), 405);
  EXPECT_EQ(answer[http::field::allow], "GET");
}

TEST(HttpServerTest, MalformedRequestIsRefusedAndClosed) {
  const auto server = Start({{"GET", "/a", Says("A")}});
  Client client(*server);
  client.Write("this is no request\r\n\r\n");
  EXPECT_EQ(client.Next().result_int(), 400);
  EXPECT_TRUE(client.IsClosed());
}

TEST(HttpServerTest, TooLargeRequestsAreRefused) {
  HttpServer::Options options = AnyPort();
  options.max_header_bytes = 1000;
  options.max_body_bytes = 1000;
  const auto server = Start({{"POST", "/a", Says("A")}}, options);
  Client header(*server);
  header.Get(absl::StrCat("/", std::string(2000, 'a')));
  EXPECT_EQ(header.Next().result_int(), 431);
  Client body(*server);
  body.Write("POST /a HTTP/1.1\r\nHost: test\r\nContent-Length: 1001\r\n\r\n");
  EXPECT_EQ(body.Next().result_int(), 413);
}

TEST(HttpServerTest, SlowRequestIsClosed) {
  HttpServer::Options options = AnyPort();
  options.timeout = absl::Milliseconds(50);
  const auto server = Start({{"GET", "/a", Says("A")}}, options);
  Client client(*server);
  client.Write("GET /a HTTP/1.1\r\n");
  EXPECT_TRUE(client.IsClosed());
}

TEST(HttpServerTest, ConnectionsBeyondTheLimitAreClosed) {
  HttpServer::Options options = AnyPort();
  options.max_connections = 1;
  const auto server = Start({{"GET", "/a", Says("A")}}, options);
  Client first(*server);
  first.Get("/a");
  EXPECT_EQ(first.Next().body(), "A");
  Client second(*server);
  EXPECT_TRUE(second.IsClosed());
  first.Get("/a");
  EXPECT_EQ(first.Next().body(), "A");
}

// One whose answer comes late holds no thread.
TEST(HttpServerTest, AnswersComeFromAnyThreadAtAnyTime) {
  HttpServer::Options options = AnyPort();
  options.threads = 1;
  HttpRespond late;
  absl::Notification asked;
  const auto server = Start({{"GET", "/late",
                              [&](const HttpRequest&, HttpRespond respond) {
                                late = std::move(respond);
                                asked.Notify();
                              }},
                             {"GET", "/a", Says("A")}},
                            options);
  Client waiting(*server);
  waiting.Get("/late");
  asked.WaitForNotification();
  Client other(*server);
  other.Get("/a");
  EXPECT_EQ(other.Next().body(), "A");
  HttpResponse response;
  response.body = "late";
  late(response);
  EXPECT_EQ(waiting.Next().body(), "late");
}

TEST(HttpServerTest, AnswerAfterTheEndIsDropped) {
  HttpRespond late;
  absl::Notification asked;
  auto server =
      Start({{"GET", "/late", [&](const HttpRequest&, HttpRespond respond) {
                late = std::move(respond);
                asked.Notify();
              }}});
  Client waiting(*server);
  waiting.Get("/late");
  asked.WaitForNotification();
  server->Stop();
  EXPECT_TRUE(waiting.IsClosed());
  server.reset();
  late(HttpResponse());
}

TEST(HttpServerTest, NothingIsKeptAfterTheEnd) {
  auto kept = std::make_shared<int>();
  const std::weak_ptr<int> remains = kept;
  HttpRespond late;
  absl::Notification asked;
  auto server = Start(
      {{"GET", "/late", [&, kept](const HttpRequest&, HttpRespond respond) {
          late = std::move(respond);
          asked.Notify();
        }}});
  kept.reset();
  Client waiting(*server);
  waiting.Get("/late");
  asked.WaitForNotification();
  // The first stop leaves no thread for what a second would ask for.
  server->Stop();
  server.reset();
  EXPECT_FALSE(remains.expired());
  late = nullptr;
  EXPECT_TRUE(remains.expired());
}

TEST(HttpServerTest, AddressInUseIsTold) {
  const auto server = Start({});
  HttpServer::Options options;
  options.listen = server->address();
  EXPECT_THAT(HttpServer::Start(options, {}),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       HasSubstr("choose another --http")));
}

TEST(HttpServerTest, AddressHasToBeOne) {
  HttpServer::Options options;
  options.listen = "unix:/tmp/x";
  EXPECT_THAT(HttpServer::Start(options, {}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("unix:")));
}

}  // namespace
}  // namespace assay
