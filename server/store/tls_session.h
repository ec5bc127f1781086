// TlsSession: one TLS connection to a server as bytes in and bytes out: whoever has the socket sends and receives them,
// within its own bounds. The server's certificate has to be of the host that was named, and of an authority that is
// trusted here. One thread.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace vizd::store {

class TlsSession {
 public:
  enum class State { kWaits, kDone, kEnded };  // for bytes of the server; as was asked; the server said that it ends

  // ca_file: certificates of the authorities to trust instead of the system's; "": the system's.
  static Result<std::unique_ptr<TlsSession>> begin(const std::string& host, const std::string& ca_file);
  TlsSession(const TlsSession&) = delete;
  TlsSession& operator=(const TlsSession&) = delete;
  ~TlsSession();

  // What has come, and what is to be sent next.
  void take_incoming(std::string_view bytes);
  std::string outgoing();

  // Until it is done nothing else is called. Errors: kForbidden where the certificate is not trusted; kInternal where
  // the server speaks no TLS.
  Result<State> handshake();
  Result<void> write(std::string_view bytes);
  // Appends what the server wrote: kDone where there was something.
  Result<State> read(std::string& to);

 private:
  struct Parts;

  explicit TlsSession(std::unique_ptr<Parts> parts);

  const std::unique_ptr<Parts> parts_;
};

}  // namespace vizd::store
