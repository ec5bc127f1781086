// Answers that need neither a worker nor the guard: to who asks whether the server is alive, also when everybody is
// busy, and to who speaks TLS to it. They tell nothing of what vizd shows, and end their connection. Pure; any thread.
#pragma once

#include <optional>
#include <string_view>

namespace vizd {

// head: of a request, or what arrived in place of one.
std::optional<std::string_view> instant_answer(std::string_view head);

// The first record of a TLS handshake, of any version since SSL 3.
bool is_tls_hello(std::string_view head);

}  // namespace vizd
