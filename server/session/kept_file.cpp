#include "session/kept_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>

#include "base/content_hash.h"
#include "base/huge_pages.h"
#include "base/parallel.h"
#include "base/private_files.h"
#include "system/random.h"

namespace vizd {
namespace {

constexpr std::array<char, 8> kMagic{'v', 'i', 'z', 'd', 'k', 'e', 'p', 't'};
constexpr std::size_t kAlignment = 64;

// The first bytes of a file. The head and the table of sections are its last ones.
struct FileHeader {
  std::array<char, 8> magic = kMagic;
  std::uint64_t key = 0;
  std::uint64_t size_bytes = 0;
  KeptSection head, table;
};

// Another one each time: programs that share the folder may count processes alike.
std::string unfinished_path(const std::string& path) {
  std::uint64_t random = 0;
  static_cast<void>(fill_with_random(&random, sizeof random));
  return fmt::format("{}.{:016x}.part", path, random);
}

template <typename T>
std::string_view bytes_of_value(const T& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

}  // namespace

bool is_kept_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return false;
  struct stat info {};
  std::array<char, kMagic.size()> begin{};
  const bool is_ours = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == ::geteuid() &&
                       ::read(fd, begin.data(), begin.size()) == std::ssize(begin) && begin == kMagic;
  ::close(fd);
  return is_ours;
}

namespace {

// Reads a file that is so long. False where it is shorter by now.
bool read_whole(int fd, std::byte* to, std::size_t size_bytes, unsigned threads) {
  constexpr std::size_t kPartBytes = std::size_t{16} << 20;
  std::atomic<bool> is_whole = true;
  for_each_index((size_bytes + kPartBytes - 1) / kPartBytes, threads, [&](std::size_t part) {
    const std::size_t end = std::min((part + 1) * kPartBytes, size_bytes);
    for (std::size_t at = part * kPartBytes; at < end && is_whole;) {
      const ssize_t n = ::pread(fd, to + at, end - at, static_cast<off_t>(at));
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) is_whole = false;
      at += static_cast<std::size_t>(std::max<ssize_t>(n, 0));
    }
  });
  return is_whole;
}

}  // namespace

std::shared_ptr<const KeptBytes> KeptBytes::read(const std::string& path, unsigned threads) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (fd < 0) return nullptr;
  struct stat info {};
  const bool is_ours = ::fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_size > 0 &&
                       info.st_uid == ::geteuid() && (info.st_mode & kWrittenByOthers) == 0;
  const auto size = is_ours ? static_cast<std::size_t>(info.st_size) : 0;
  void* const memory = is_ours ? allocate_huge(size) : nullptr;
  const bool is_read = memory != nullptr && read_whole(fd, static_cast<std::byte*>(memory), size, threads);
  // The file longest not used is the first to go.
  if (is_read) ::futimens(fd, nullptr);
  ::close(fd);
  if (is_read) return std::shared_ptr<const KeptBytes>(new KeptBytes(memory, size));
  if (memory != nullptr) free_huge(memory, size);
  return nullptr;
}

KeptBytes::~KeptBytes() { free_huge(memory_, size_bytes_); }

KeptWriter::KeptWriter(std::string path, std::uint64_t key, std::stop_token stop)
    : path_(std::move(path)),
      unfinished_(unfinished_path(path_)),
      key_(key),
      stop_(std::move(stop)),
      fd_(make_private_file(unfinished_)) {
  if (fd_ < 0) error_ = errno;
  const FileHeader room;
  write(bytes_of_value(room));
}

KeptWriter::~KeptWriter() {
  if (fd_ < 0) return;
  ::close(fd_);
  ::unlink(unfinished_.c_str());
}

void KeptWriter::write(std::string_view bytes) {
  constexpr std::size_t kMostAtOnce = std::size_t{16} << 20;
  while (error_ == 0 && !bytes.empty()) {
    if (stop_.stop_requested()) {
      error_ = ECANCELED;
      return;
    }
    const ssize_t n = ::write(fd_, bytes.data(), std::min(bytes.size(), kMostAtOnce));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) {
      error_ = n < 0 ? errno : ENOSPC;
      return;
    }
    bytes.remove_prefix(static_cast<std::size_t>(n));
    at_ += static_cast<std::uint64_t>(n);
  }
}

void KeptWriter::write_section(std::string_view bytes) {
  constexpr std::array<char, kAlignment> kZeros{};
  write({kZeros.data(), static_cast<std::size_t>((kAlignment - at_ % kAlignment) % kAlignment)});
  sections_.push_back({at_, bytes.size(), content_hash_of(bytes)});
  write(bytes);
}

Error KeptWriter::failure(std::string_view what) const {
  return {ErrorKind::kInternal, fmt::format("{}: {}", what, std::strerror(error_)), path_};
}

Result<void> KeptWriter::finish() {
  FileHeader header;
  header.key = key_;
  write_section(head_);
  header.head = sections_.back();
  sections_.pop_back();
  const std::string table(reinterpret_cast<const char*>(sections_.data()), sections_.size() * sizeof(KeptSection));
  write_section(table);
  header.table = sections_.back();
  header.size_bytes = at_;
  if (error_ == 0 && ::pwrite(fd_, &header, sizeof header, 0) != static_cast<ssize_t>(sizeof header)) error_ = errno;
  if (error_ != 0) return failure("cannot be written");
  if (::rename(unfinished_.c_str(), path_.c_str()) != 0) {
    error_ = errno;
    return failure("cannot be put in its place");
  }
  ::close(std::exchange(fd_, -1));
  return {};
}

std::optional<KeptReader> KeptReader::open(const std::string& path, std::uint64_t key, unsigned threads) {
  auto file = KeptBytes::read(path, threads);
  if (!file) return std::nullopt;
  KeptReader reader(std::move(file));
  if (!reader.check(key, threads)) return std::nullopt;
  return reader;
}

bool KeptReader::check(std::uint64_t key, unsigned threads) {
  const std::string_view bytes = file_->bytes();
  FileHeader header;
  if (bytes.size() < sizeof header) return false;
  std::memcpy(&header, bytes.data(), sizeof header);
  if (header.magic != kMagic || header.key != key || header.size_bytes != bytes.size()) return false;
  const auto is_good = [&](const KeptSection& s) {
    return s.offset % kAlignment == 0 && s.offset <= bytes.size() && s.size_bytes <= bytes.size() - s.offset &&
           content_hash_of(bytes_of(s)) == s.hash;
  };
  if (!is_good(header.head) || !is_good(header.table) || header.table.size_bytes % sizeof(KeptSection) != 0)
    return false;
  head_ = bytes_of(header.head);
  sections_.resize(header.table.size_bytes / sizeof(KeptSection));
  if (!sections_.empty()) std::memcpy(sections_.data(), bytes_of(header.table).data(), header.table.size_bytes);
  std::atomic<bool> all_good = true;
  for_each_index(sections_.size(), threads, [&](std::size_t i) {
    if (all_good && !is_good(sections_[i])) all_good = false;
  });
  return all_good;
}

std::string_view KeptReader::take(std::size_t size) {
  if (size > head_.size()) {
    is_good_ = false;
    return {};
  }
  const std::string_view taken = head_.substr(0, size);
  head_.remove_prefix(size);
  return taken;
}

std::string_view KeptReader::take_section() {
  if (next_ < sections_.size()) return bytes_of(sections_[next_++]);
  is_good_ = false;
  return {};
}

}  // namespace vizd
