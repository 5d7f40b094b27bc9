#include "base/certificates_testing.h"

#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/x509v3.h>

#include <cstdlib>

#include "base/random_id.h"

namespace assay {
namespace {

using Bio = std::unique_ptr<BIO, decltype(&BIO_free)>;
using Certificate = std::unique_ptr<X509, decltype(&X509_free)>;
using Key = std::unique_ptr<EVP_PKEY, decltype(&EVP_PKEY_free)>;

constexpr long kDaySeconds = 24 * 60 * 60;

std::string Content(BIO* bio) {
  char* data = nullptr;
  const long size = BIO_get_mem_data(bio, &data);
  return std::string(data, static_cast<size_t>(size));
}

std::string ToPem(X509* certificate) {
  const Bio bio(BIO_new(BIO_s_mem()), &BIO_free);
  PEM_write_bio_X509(bio.get(), certificate);
  return Content(bio.get());
}

std::string ToPem(EVP_PKEY* key) {
  const Bio bio(BIO_new(BIO_s_mem()), &BIO_free);
  PEM_write_bio_PrivateKey(bio.get(), key, nullptr, nullptr, 0, nullptr,
                           nullptr);
  return Content(bio.get());
}

void AddExtension(X509* certificate, X509* issuer, int kind,
                  const char* value) {
  X509V3_CTX context;
  X509V3_set_ctx_nodb(&context);
  X509V3_set_ctx(&context, issuer, certificate, nullptr, nullptr, 0);
  X509_EXTENSION* extension =
      X509V3_EXT_conf_nid(nullptr, &context, kind, value);
  if (extension == nullptr) std::abort();
  X509_add_ext(certificate, extension, -1);
  X509_EXTENSION_free(extension);
}

// Without a signature and extensions.
Certificate Blank(EVP_PKEY* key, const char* name) {
  Certificate certificate(X509_new(), &X509_free);
  X509_set_version(certificate.get(), 2);
  ASN1_INTEGER_set_uint64(X509_get_serialNumber(certificate.get()),
                          RandomBits128()[0]);
  X509_gmtime_adj(X509_getm_notBefore(certificate.get()), -kDaySeconds);
  X509_gmtime_adj(X509_getm_notAfter(certificate.get()), kDaySeconds);
  X509_set_pubkey(certificate.get(), key);
  X509_NAME_add_entry_by_txt(
      X509_get_subject_name(certificate.get()), "CN", MBSTRING_ASC,
      reinterpret_cast<const unsigned char*>(name), -1, -1, 0);
  return certificate;
}

}  // namespace

struct TestAuthority::State {
  Key key{EVP_EC_gen("P-256"), &EVP_PKEY_free};
  Certificate certificate{nullptr, &X509_free};
};

TestAuthority::TestAuthority() : state_(std::make_unique<State>()) {
  state_->certificate = Blank(state_->key.get(), "test authority");
  X509* certificate = state_->certificate.get();
  X509_set_issuer_name(certificate, X509_get_subject_name(certificate));
  AddExtension(certificate, certificate, NID_basic_constraints,
               "critical,CA:TRUE");
  X509_sign(certificate, state_->key.get(), EVP_sha256());
}

TestAuthority::~TestAuthority() = default;

std::string TestAuthority::cert() const {
  return ToPem(state_->certificate.get());
}

PemPair TestAuthority::Issue() const {
  const Key key(EVP_EC_gen("P-256"), &EVP_PKEY_free);
  const Certificate certificate = Blank(key.get(), "test");
  X509_set_issuer_name(certificate.get(),
                       X509_get_subject_name(state_->certificate.get()));
  AddExtension(certificate.get(), state_->certificate.get(),
               NID_subject_alt_name, "DNS:localhost,IP:127.0.0.1");
  X509_sign(certificate.get(), state_->key.get(), EVP_sha256());
  return {ToPem(certificate.get()), ToPem(key.get())};
}

}  // namespace assay
