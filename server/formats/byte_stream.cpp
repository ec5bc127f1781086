#include "formats/byte_stream.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace vizd {
namespace {

constexpr std::size_t kStoredPart_bytes = std::size_t{1} << 20;
constexpr std::size_t kUnpackedPart_bytes = std::size_t{4} << 20;

}  // namespace

Result<std::unique_ptr<ByteStream>> ByteStream::open(const std::string& path) {
  std::unique_ptr<ByteStream> stream(new ByteStream());
  stream->fd_ = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (stream->fd_ < 0) {
    return Error{errno == ENOENT ? ErrorKind::kNotFound : ErrorKind::kForbidden,
                 fmt::format("cannot be opened: {}; check the path and its permissions", std::strerror(errno)), path};
  }
  struct stat info {};
  if (::fstat(stream->fd_, &info) != 0 || !S_ISREG(info.st_mode))
    return Error{ErrorKind::kBadInput, "is not a regular file; name a capture file", path};
  stream->all_stored_bytes_ = static_cast<std::uint64_t>(info.st_size);
  stream->begin();
  return stream;
}

std::unique_ptr<ByteStream> ByteStream::of(std::span<const std::byte> stored) {
  std::unique_ptr<ByteStream> stream(new ByteStream());
  stream->memory_ = stored;
  stream->all_stored_bytes_ = stored.size();
  stream->begin();
  return stream;
}

ByteStream::~ByteStream() {
  if (fd_ >= 0) ::close(fd_);
}

void ByteStream::begin() {
  waiting_ = read_stored();
  if (const Packing packing = packing_of(waiting_); packing != Packing::kNone) unpacking_ = Unpacking::make(packing);
}

std::span<const std::byte> ByteStream::read_stored() {
  std::span<const std::byte> part;
  if (fd_ < 0) {
    part = memory_.first(std::min(memory_.size(), kStoredPart_bytes));
    memory_ = memory_.subspan(part.size());
  } else {
    stored_.resize(kStoredPart_bytes);
    ssize_t size = 0;
    do {
      size = ::read(fd_, stored_.data(), stored_.size());
    } while (size < 0 && errno == EINTR);
    part = std::span(stored_).first(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
  }
  stored_bytes_ += part.size();
  return part;
}

std::span<const std::byte> ByteStream::next() {
  if (unpacking_ != nullptr) return unpack();
  std::span<const std::byte> part = std::exchange(waiting_, {});
  if (part.empty()) part = read_stored();
  unpacked_bytes_ += part.size();
  return part;
}

std::span<const std::byte> ByteStream::unpack() {
  constexpr UnpackLimits kLimits;
  unpacked_.resize(kUnpackedPart_bytes);
  std::span<std::byte> out = unpacked_;
  while (!out.empty() && end_ == End::kWhole) {
    if (waiting_.empty()) waiting_ = read_stored();
    if (waiting_.empty() && !is_in_part_) break;
    const std::size_t in_before = waiting_.size(), out_before = out.size();
    const auto round = unpacking_->unpack(waiting_, out);
    is_in_part_ = round == Unpacking::Round::kMore;
    if (round == Unpacking::Round::kDamaged) end_ = End::kDamaged;
    if (is_in_part_ && waiting_.size() == in_before && out.size() == out_before) end_ = End::kCut;
  }
  const std::size_t size = unpacked_.size() - out.size();
  unpacked_bytes_ += size;
  if (unpacked_bytes_ > kLimits.ratio_free_bytes && unpacked_bytes_ / kLimits.max_ratio > stored_bytes_)
    end_ = End::kTooLarge;
  return std::span<const std::byte>(unpacked_).first(size);
}

}  // namespace vizd
