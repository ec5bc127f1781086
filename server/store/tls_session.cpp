#include "store/tls_session.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <openssl/err.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

namespace vizd::store {

struct TlsSession::Parts {
  std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> context{nullptr, &SSL_CTX_free};
  std::unique_ptr<SSL, decltype(&SSL_free)> ssl{nullptr, &SSL_free};
  BIO* incoming = nullptr;  // of ssl, as the other
  BIO* outgoing = nullptr;
};

namespace {

// Where systems keep the certificates of authorities, in one file each. OpenSSL knows the place of the system that it
// was built for alone, and a vizd that is linked statically runs on others.
constexpr std::array kBundles{"/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt",
                              "/etc/ssl/ca-bundle.pem", "/etc/ssl/cert.pem"};

bool trust_the_system(SSL_CTX* context) {
  if (SSL_CTX_set_default_verify_paths(context) != 1) return false;
  const bool is_told = std::getenv(X509_get_default_cert_file_env()) != nullptr ||
                       std::getenv(X509_get_default_cert_dir_env()) != nullptr;
  if (is_told || ::access(X509_get_default_cert_file(), R_OK) == 0 || ::access(X509_get_default_cert_dir(), R_OK) == 0)
    return true;
  const auto found = std::ranges::find_if(kBundles, [](const char* path) { return ::access(path, R_OK) == 0; });
  return found == kBundles.end() || SSL_CTX_load_verify_file(context, *found) == 1;
}

std::string last_reason() {
  const unsigned long code = ERR_peek_last_error();
  ERR_clear_error();
  const char* const reason = code == 0 ? nullptr : ERR_reason_error_string(code);
  return reason == nullptr ? "no reason is given" : reason;
}

Error failed_to_begin() { return {ErrorKind::kInternal, "TLS cannot begin: " + last_reason(), ""}; }

bool is_ip_address(const std::string& host) {
  in6_addr address{};
  return ::inet_pton(AF_INET, host.c_str(), &address) == 1 || ::inet_pton(AF_INET6, host.c_str(), &address) == 1;
}

// Only that host's certificate will do; it is also told which host is meant.
bool expect_host(SSL* ssl, const std::string& host) {
  if (is_ip_address(host)) return X509_VERIFY_PARAM_set1_ip_asc(SSL_get0_param(ssl), host.c_str()) == 1;
  return SSL_set1_host(ssl, host.c_str()) == 1 && SSL_set_tlsext_host_name(ssl, host.c_str()) == 1;
}

Error handshake_failure(SSL* ssl) {
  const long verdict = SSL_get_verify_result(ssl);
  if (verdict == X509_V_ERR_HOSTNAME_MISMATCH || verdict == X509_V_ERR_IP_ADDRESS_MISMATCH) {
    ERR_clear_error();
    return {ErrorKind::kForbidden,
            fmt::format("the store's certificate is of another host: {}; name the store as its certificate does",
                        X509_verify_cert_error_string(verdict)),
            ""};
  }
  if (verdict != X509_V_OK) {
    ERR_clear_error();
    return {ErrorKind::kForbidden,
            fmt::format("the store's certificate is not trusted: {}; name its authority's certificate by --store-ca",
                        X509_verify_cert_error_string(verdict)),
            ""};
  }
  return {ErrorKind::kInternal,
          fmt::format("answers like no server with TLS ({}); is this its https port?", last_reason()), ""};
}

}  // namespace

TlsSession::TlsSession(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
TlsSession::~TlsSession() = default;

Result<std::unique_ptr<TlsSession>> TlsSession::begin(const std::string& host, const std::string& ca_file) {
  ERR_clear_error();
  auto parts = std::make_unique<Parts>();
  parts->context.reset(SSL_CTX_new(TLS_client_method()));
  SSL_CTX* const context = parts->context.get();
  if (context == nullptr || SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION) != 1) return failed_to_begin();
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nullptr);
  if (ca_file.empty() ? !trust_the_system(context) : SSL_CTX_load_verify_file(context, ca_file.c_str()) != 1)
    return Error{ErrorKind::kBadInput, "certificates of authorities cannot be read: " + last_reason(), ca_file};
  parts->ssl.reset(SSL_new(context));
  parts->incoming = BIO_new(BIO_s_mem());
  parts->outgoing = BIO_new(BIO_s_mem());
  if (!parts->ssl || parts->incoming == nullptr || parts->outgoing == nullptr) {
    BIO_free(parts->incoming);
    BIO_free(parts->outgoing);
    return failed_to_begin();
  }
  SSL_set_bio(parts->ssl.get(), parts->incoming, parts->outgoing);
  SSL_set_connect_state(parts->ssl.get());
  if (!expect_host(parts->ssl.get(), host)) return failed_to_begin();
  return std::unique_ptr<TlsSession>(new TlsSession(std::move(parts)));
}

void TlsSession::take_incoming(std::string_view bytes) {
  BIO_write(parts_->incoming, bytes.data(), static_cast<int>(bytes.size()));
}

std::string TlsSession::outgoing() {
  char* bytes = nullptr;
  const long size = BIO_get_mem_data(parts_->outgoing, &bytes);
  std::string text(bytes, static_cast<std::size_t>(std::max(size, 0L)));
  BIO_reset(parts_->outgoing);
  return text;
}

Result<TlsSession::State> TlsSession::handshake() {
  ERR_clear_error();
  const int done = SSL_do_handshake(parts_->ssl.get());
  if (done == 1) return State::kDone;
  if (SSL_get_error(parts_->ssl.get(), done) == SSL_ERROR_WANT_READ) return State::kWaits;
  return handshake_failure(parts_->ssl.get());
}

Result<void> TlsSession::write(std::string_view bytes) {
  ERR_clear_error();
  if (bytes.empty() || SSL_write(parts_->ssl.get(), bytes.data(), static_cast<int>(bytes.size())) > 0) return {};
  return Error{ErrorKind::kBusy, "the store left: " + last_reason(), ""};
}

Result<TlsSession::State> TlsSession::read(std::string& to) {
  ERR_clear_error();
  std::array<char, 16 << 10> part;  // a record has no more
  const int n = SSL_read(parts_->ssl.get(), part.data(), static_cast<int>(part.size()));
  if (n > 0) {
    to.append(part.data(), static_cast<std::size_t>(n));
    return State::kDone;
  }
  switch (SSL_get_error(parts_->ssl.get(), n)) {
    case SSL_ERROR_WANT_READ:
    case SSL_ERROR_WANT_WRITE:
      return State::kWaits;
    case SSL_ERROR_ZERO_RETURN:
      return State::kEnded;
    default:
      return Error{ErrorKind::kBusy, "the store left: " + last_reason(), ""};
  }
}

}  // namespace vizd::store
