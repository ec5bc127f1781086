#include "base/mapped_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "base/cut_mappings.h"
#include "base/huge_pages.h"

namespace vizd {
namespace {

// Closes the descriptor however the function around it ends.
struct Descriptor {
  int fd;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

Error file_error(const std::string& path, ErrorKind kind, std::string message) {
  return {kind, std::move(message), path};
}

}  // namespace

Result<MappedFile> MappedFile::open(const std::string& path, std::size_t copy_limit_bytes) {
  const Descriptor file{::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)};
  if (file.fd < 0) {
    const auto kind = errno == ENOENT ? ErrorKind::kNotFound : ErrorKind::kForbidden;
    return file_error(path, kind,
                      fmt::format("cannot be opened: {}; check the path and its permissions", std::strerror(errno)));
  }
  struct stat info {};
  if (::fstat(file.fd, &info) != 0 || !S_ISREG(info.st_mode)) {
    return file_error(path, ErrorKind::kBadInput, "is not a regular file; name a capture file");
  }
  const auto size = static_cast<std::size_t>(info.st_size);
  MappedFile result;
  if (size == 0) return result;
  const bool is_copy = size <= copy_limit_bytes;
  void* memory = is_copy ? allocate_huge(size) : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.fd, 0);
  if (memory == nullptr || memory == MAP_FAILED) {
    return file_error(path, ErrorKind::kTooLarge, "cannot be read into memory; is there enough memory?");
  }
  result.memory_ = memory;
  result.size_bytes_ = size;
  result.is_mapped_ = !is_copy;
  if (result.is_mapped_ && !watch_mapping(memory, size)) {
    result.is_mapped_ = false;
    if (size <= kCopyLimitBytes) return open(path);
    return file_error(path, ErrorKind::kTooLarge,
                      "is too large to be read together with the other open files; close another");
  }
  for (std::size_t done = 0; is_copy && done < size;) {
    const ssize_t n = ::read(file.fd, static_cast<std::byte*>(memory) + done, size - done);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      return file_error(path, ErrorKind::kBadInput, "became shorter while it was read; is it still being written?");
    }
    done += static_cast<std::size_t>(n);
  }
  return result;
}

MappedFile::MappedFile(MappedFile&& other) noexcept { *this = std::move(other); }

MappedFile& MappedFile::operator=(MappedFile&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(size_bytes_, other.size_bytes_);
  std::swap(gone_bytes_, other.gone_bytes_);
  std::swap(is_mapped_, other.is_mapped_);
  return *this;
}

MappedFile::~MappedFile() {
  if (is_mapped_) forget_mapping(memory_);
  if (memory_ != nullptr) free_huge(memory_, size_bytes_);
}

void MappedFile::let_go(std::size_t end_bytes) {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t end = end_bytes / page * page;
  if (!is_mapped_ || end_bytes > size_bytes_ || end <= gone_bytes_) return;
  ::madvise(static_cast<std::byte*>(memory_) + gone_bytes_, end - gone_bytes_, MADV_DONTNEED);
  gone_bytes_ = end;
}

bool MappedFile::was_cut() const { return is_mapped_ && vizd::was_cut(memory_); }

std::span<const std::byte> MappedFile::bytes() const { return {static_cast<const std::byte*>(memory_), size_bytes_}; }

}  // namespace vizd
