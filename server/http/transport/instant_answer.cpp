#include "http/transport/instant_answer.h"

namespace vizd {
namespace {

constexpr std::string_view kAliveBody = "ok\n";
constexpr std::string_view kAlive =
    "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 3\r\nCache-Control: no-store\r\n"
    "X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\nok\n";
// Some clients of TLS show this text; all of them see that no handshake comes.
constexpr std::string_view kNoTls =
    "HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n"
    "vizd: this port speaks http, not https: open the URL with http://\n";

}  // namespace

bool is_tls_hello(std::string_view head) { return head.starts_with("\x16\x03"); }

std::optional<std::string_view> instant_answer(std::string_view head) {
  if (head.starts_with("GET /healthz HTTP/1.")) return kAlive;
  if (head.starts_with("HEAD /healthz HTTP/1.")) return kAlive.substr(0, kAlive.size() - kAliveBody.size());
  if (is_tls_hello(head)) return kNoTls;
  return std::nullopt;
}

}  // namespace vizd
