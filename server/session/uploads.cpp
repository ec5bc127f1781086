#include "session/uploads.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "formats/sniffer.h"

namespace vizd {
namespace {

constexpr std::size_t kLongestName = 120;
constexpr std::size_t kPartBytes = std::size_t{1} << 18;
// A file that is written, and removed unless it is kept.
class Incoming {
 public:
  explicit Incoming(std::string path)
      : path_(std::move(path)),
        fd_(::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600)) {}
  Incoming(const Incoming&) = delete;
  Incoming& operator=(const Incoming&) = delete;
  ~Incoming() {
    if (fd_ >= 0) ::close(fd_);
    if (!kept_) ::unlink(path_.c_str());
  }
  bool is_open() const { return fd_ >= 0; }
  const std::string& path() const { return path_; }
  bool write(const char* data, std::size_t size) {
    while (size > 0) {
      const ssize_t written = ::write(fd_, data, size);
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) return false;
      data += written;
      size -= static_cast<std::size_t>(written);
    }
    return true;
  }
  bool keep_as(const std::string& path) {
    kept_ = ::rename(path_.c_str(), path.c_str()) == 0;
    return kept_;
  }

 private:
  const std::string path_;
  const int fd_;
  bool kept_ = false;
};

Error write_error(int cause) {
  return {
      ErrorKind::kInternal,
      fmt::format("vizd cannot keep the file ({}); make room in its cache, or open it by name", std::strerror(cause)),
      ""};
}

// Counts itself for as long as it lives.
class Place {
 public:
  explicit Place(std::atomic<unsigned>& count) : count_(count), number_(++count) {}
  Place(const Place&) = delete;
  Place& operator=(const Place&) = delete;
  ~Place() { --count_; }
  unsigned number() const { return number_; }

 private:
  std::atomic<unsigned>& count_;
  const unsigned number_;
};

}  // namespace

std::string safe_file_name(std::string_view name) {
  const auto slash = name.find_last_of("/\\");
  if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
  std::string safe;
  for (const char c : name.substr(0, kLongestName)) {
    const auto byte = static_cast<unsigned char>(c);
    safe += byte < 0x20 || byte == 0x7F || c == ':' ? '_' : c;
  }
  while (safe.starts_with('.')) safe.erase(0, 1);
  return safe.empty() ? "capture" : safe;
}

Uploads::Uploads(std::unique_ptr<OwnFolder> own)
    : own_(std::move(own)), folder_(own_->contents() + "/captures"), incoming_(own_->contents() + "/incoming") {}

Result<std::unique_ptr<Uploads>> Uploads::begin(const std::string& cache_folder) {
  // A relative one would be a folder of whoever started vizd there.
  if (!cache_folder.starts_with('/'))
    return Error{ErrorKind::kForbidden, "vizd has no folder of its own; set HOME or XDG_CACHE_HOME to a whole path",
                 ""};
  auto own = OwnFolder::make(cache_folder + "/uploads", "run-");
  if (!own) return std::move(own).error();
  std::unique_ptr<Uploads> uploads(new Uploads(std::move(*own)));
  for (const std::string& folder : {uploads->folder_, uploads->incoming_}) {
    if (::mkdir(folder.c_str(), 0700) != 0)
      return Error{ErrorKind::kInternal, fmt::format("cannot be made: {}", std::strerror(errno)), folder};
  }
  return uploads;
}

Result<std::string> Uploads::take(std::string_view name, std::uint64_t size_bytes, const ReadSome& read) {
  if (size_bytes > kMostUploadBytes)
    return Error{
        ErrorKind::kTooLarge,
        fmt::format("more than {} MB are not taken over the network; open the file by name", kMostUploadBytes >> 20),
        ""};
  const Place place(coming_);
  if (place.number() > kMostUploadsAtOnce) return Error{ErrorKind::kBusy, "too many files come at once; try again", ""};
  if (kept_bytes_ + size_bytes > kMostUploadsBytes)
    return Error{ErrorKind::kTooLarge, "the files sent so far fill all the room there is; restart vizd", ""};

  // Beside the folder that is watched, on the same disk: a file comes into that one whole.
  Incoming file(incoming_ + "/" + std::to_string(++number_));
  if (!file.is_open()) return write_error(errno);
  std::vector<char> part(kPartBytes);
  for (std::uint64_t left = size_bytes; left > 0;) {
    const std::ptrdiff_t got = read(part.data(), static_cast<std::size_t>(std::min<std::uint64_t>(left, part.size())));
    if (got <= 0) return Error{ErrorKind::kBadInput, "the file did not come to its end; send it again", ""};
    if (!file.write(part.data(), static_cast<std::size_t>(got))) return write_error(errno);
    left -= static_cast<std::uint64_t>(got);
  }
  const std::string safe = safe_file_name(name);
  if (Sniffer().format_of(file.path()) == nullptr)
    return Error{ErrorKind::kBadInput, "this is none of the formats that vizd reads", safe};
  const std::string path = folder_ + "/" + safe;
  if (!file.keep_as(path)) return write_error(errno);
  kept_bytes_ += size_bytes;
  return path;
}

}  // namespace vizd
