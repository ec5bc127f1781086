#include "base/sparse_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <utility>

#include "base/cut_mappings.h"

namespace vizd {

Result<SparseFile> SparseFile::open(const std::string& path, Access access) {
  const Error failed{ErrorKind::kTooLarge, "cannot be mapped into memory", path};
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return failed;
  struct stat info {};
  const bool is_file = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0;
  const auto size = is_file ? static_cast<std::size_t>(info.st_size) : 0;
  void* memory = is_file ? ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, fd, 0) : MAP_FAILED;
  ::close(fd);
  if (memory == MAP_FAILED) return failed;
  if (!watch_mapping(memory, size)) {
    ::munmap(memory, size);
    return failed;
  }
  ::madvise(memory, size, access == Access::kInOrder ? MADV_SEQUENTIAL : MADV_RANDOM);
  SparseFile file;
  file.memory_ = memory;
  file.size_bytes_ = size;
  return file;
}

SparseFile::SparseFile(SparseFile&& other) noexcept { *this = std::move(other); }

SparseFile& SparseFile::operator=(SparseFile&& other) noexcept {
  std::swap(memory_, other.memory_);
  std::swap(size_bytes_, other.size_bytes_);
  return *this;
}

SparseFile::~SparseFile() {
  if (memory_ == nullptr) return;
  forget_mapping(memory_);
  ::munmap(memory_, size_bytes_);
}

// The pages are the file's: the system reads them again where they are wanted.
void SparseFile::let_go() const {
  if (memory_ != nullptr) ::madvise(memory_, size_bytes_, MADV_DONTNEED);
}

bool SparseFile::was_cut() const { return memory_ != nullptr && vizd::was_cut(memory_); }

}  // namespace vizd
