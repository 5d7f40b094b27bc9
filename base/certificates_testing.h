// Certificates for tests, made at run time so that none expires in the
// repository.

#ifndef ASSAY_BASE_CERTIFICATES_TESTING_H_
#define ASSAY_BASE_CERTIFICATES_TESTING_H_

#include <memory>
#include <string>

namespace assay {

struct PemPair {
  std::string cert;
  std::string key;
};

// An authority that signs certificates.
class TestAuthority {
 public:
  TestAuthority();
  ~TestAuthority();

  // Its own certificate.
  std::string cert() const;

  // A pair for `localhost` and 127.0.0.1, and for clients.
  PemPair Issue() const;

 private:
  struct State;
  const std::unique_ptr<State> state_;
};

}  // namespace assay

#endif  // ASSAY_BASE_CERTIFICATES_TESTING_H_
