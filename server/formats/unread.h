// Files that people give vizd and that it cannot read yet: they are refused by their name, before a format that looks
// alike takes them for its own.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace vizd {

// For a file that begins so, unpacked: its kind and what to do instead; "": it is none of these.
std::string_view unread_kind(std::span<const std::byte> beginning);

// The same for a file that no format knows: one of these, or another that people meet.
std::string_view unknown_kind(std::span<const std::byte> beginning);

}  // namespace vizd
