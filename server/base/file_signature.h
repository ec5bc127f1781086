// FileSignature: a file as it lies on disk: two signatures are equal where it was not written in between. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace vizd {

struct FileSignature {
  std::uint64_t device = 0;
  std::uint64_t inode = 0;
  std::uint64_t size_bytes = 0;
  std::int64_t modified_ns = 0;
  std::int64_t changed_ns = 0;
  bool operator==(const FileSignature&) const = default;
};

// None where there is no such file.
std::optional<FileSignature> file_signature(const std::string& path);

}  // namespace vizd
