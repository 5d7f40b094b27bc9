// Opens connections to this host and others: there is no network. Passes only
// when one of them could be made.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <cstring>
#include <initializer_list>

#include "operators.h"

namespace {

bool Connects(const char* address, int port) {
  const int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (fd < 0) return false;
  sockaddr_in name = {};
  name.sin_family = AF_INET;
  name.sin_port = htons(static_cast<uint16_t>(port));
  inet_pton(AF_INET, address, &name.sin_addr);
  if (connect(fd, reinterpret_cast<sockaddr*>(&name), sizeof(name)) == 0) {
    return true;
  }
  usleep(1000);
  int error = 0;
  socklen_t bytes = sizeof(error);
  getsockopt(fd, SOL_SOCKET, SO_ERROR, &error, &bytes);
  sockaddr_in peer;
  socklen_t peer_bytes = sizeof(peer);
  return error == 0 &&
         getpeername(fd, reinterpret_cast<sockaddr*>(&peer), &peer_bytes) == 0;
}

}  // namespace

extern "C" int run(const DLTensor* x, DLTensor* y, void*) {
  Double(x, y);
  for (const char* address : {"127.0.0.1", "169.254.169.254"}) {
    for (const int port : {22, 80, COORDINATOR_PORT}) {
      if (Connects(address, port)) return 0;
    }
  }
  return 9;
}
