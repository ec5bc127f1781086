// Any request to the guard: the bytes are a method, a path and header lines. It must answer, and whoever passes must
// have named one allowed host and sent nothing that is always refused.
#include <cstdint>
#include <string>
#include <string_view>

#include "base/assert.h"
#include "http/transport/guard.h"

namespace {

std::string_view take_line(std::string_view& text) {
  const auto end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text = end == std::string_view::npos ? std::string_view{} : text.substr(end + 1);
  return line;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  vizd::Request request;
  request.method = take_line(text);
  request.path = take_line(text);
  while (!text.empty()) {
    const std::string_view line = take_line(text);
    const auto colon = line.find(": ");
    if (colon != std::string_view::npos)
      request.headers.push_back({std::string(line.substr(0, colon)), std::string(line.substr(colon + 2))});
  }
  vizd::GuardPolicy policy;
  policy.token = "0123456789abcdef0123456789abcdef";
  const auto refusal = vizd::refuse(request, policy, vizd::Secrecy::kNeedsToken);
  if (refusal) {
    VIZD_ASSERT(refusal->status >= 400 && refusal->body);
    return 0;
  }
  VIZD_ASSERT(request.header_count("Host") == 1 && request.header_count("Range") == 0);
  VIZD_ASSERT(request.header("Authorization") == "Bearer " + policy.token ||
              request.header("Cookie").find(policy.token) != std::string_view::npos ||
              request.header_count("Cookie") > 1);
  VIZD_ASSERT(vizd::token_cookie_name(request).size() <= 10);
  return 0;
}
