// Files that people give vizd and that it cannot read: told by their name. Any thread.
#pragma once

#include <cstddef>
#include <span>
#include <string_view>

namespace vizd {

// For a file that no format knows and that begins so, unpacked: its kind and what to do instead; "": it is not of a
// kind that people meet.
std::string_view unknown_kind(std::span<const std::byte> beginning);

}  // namespace vizd
