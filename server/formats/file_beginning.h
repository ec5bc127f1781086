// How a file begins, by which it is known before it is read. Any thread.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace vizd {

// The file's first bytes as they are stored, of a packed one so many that its first block is whole; none where it is no
// regular file that may be read.
std::vector<std::byte> stored_beginning(const std::string& path);

// Whether a regular file that may be read has no bytes, or is a whole packed file of none.
bool holds_nothing(const std::string& path);

}  // namespace vizd
