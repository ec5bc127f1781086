// Sockets that never block and that no program started later has a part in, and what the system knows of them.
#pragma once

#include <cstddef>

namespace vizd {

// -1 with errno where there is none.
int make_socket(int family, int type, int protocol);
// Who waits to be accepted next; -1 with errno where nobody does (EAGAIN) or nobody can be.
int accept_socket(int listening_fd);
// What was sent and that the other end has not confirmed yet; 0 where the system does not say.
std::size_t unconfirmed_bytes(int fd);
// Whether the other end has said that it sends no more, or is gone. What it sent before may still be unread.
bool has_left(int fd);

}  // namespace vizd
