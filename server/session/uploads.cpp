#include "session/uploads.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "base/content_hash.h"
#include "base/private_files.h"
#include "formats/sniffer.h"

namespace vizd {
namespace {

constexpr std::size_t kLongestName = 120;
constexpr std::size_t kHashDigits = 16;
constexpr std::size_t kPartBytes = std::size_t{1} << 18;

// A file that is written, and removed unless it is kept.
class Incoming {
 public:
  explicit Incoming(std::string path) : path_(std::move(path)), fd_(make_private_file(path_)) {}
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
  return {ErrorKind::kInternal,
          fmt::format("vizd cannot store the file ({}); make room in its cache, or open the file by name",
                      std::strerror(cause)),
          ""};
}

}  // namespace

std::string safe_file_name(std::string_view name) {
  const auto slash = name.find_last_of("/\\");
  if (slash != std::string_view::npos) name.remove_prefix(slash + 1);
  std::string safe;
  for (const char c : name.substr(0, name.size() > kLongestName ? kLongestName - kHashDigits - 1 : kLongestName)) {
    const auto byte = static_cast<unsigned char>(c);
    safe += byte < 0x20 || byte == 0x7F || c == ':' ? '_' : c;
  }
  while (safe.starts_with('.')) safe.erase(0, 1);
  if (name.size() > kLongestName) safe += fmt::format("~{:0{}x}", content_hash_of(name), kHashDigits);
  return safe.empty() ? "capture" : safe;
}

Uploads::Uploads(std::unique_ptr<OwnFolder> own, std::chrono::milliseconds slow_after)
    : own_(std::move(own)),
      folder_(own_->contents() + "/captures"),
      incoming_(own_->contents() + "/incoming"),
      slow_after_(slow_after) {}

Result<std::unique_ptr<Uploads>> Uploads::begin(const std::string& cache_folder, std::chrono::milliseconds slow_after) {
  // A relative one would be a folder of whoever started vizd there.
  if (!cache_folder.starts_with('/'))
    return Error{ErrorKind::kForbidden, "vizd has no cache folder; set HOME or XDG_CACHE_HOME to an absolute path", ""};
  VIZD_TRY(take_private_folder(cache_folder));
  VIZD_TRY(take_private_folder(cache_folder + "/uploads"));
  auto own = OwnFolder::make(cache_folder + "/uploads", "run-");
  if (!own) return std::move(own).error();
  std::unique_ptr<Uploads> uploads(new Uploads(std::move(*own), slow_after));
  for (const std::string& folder : {uploads->folder_, uploads->incoming_}) {
    if (!make_private_folder(folder))
      return Error{ErrorKind::kInternal, fmt::format("cannot be created: {}", std::strerror(errno)), folder};
  }
  return uploads;
}

bool Uploads::make_place() {
  unsigned coming = 0;
  Coming* slowest = nullptr;
  const auto now = Clock::now();
  const auto rate = [&](const Coming& one) {
    return static_cast<double>(one.come_bytes) / std::chrono::duration<double>(now - one.began).count();
  };
  for (Coming& one : coming_) {
    if (one.gave_way) continue;
    ++coming;
    if (now - one.began > slow_after_ && (slowest == nullptr || rate(one) < rate(*slowest))) slowest = &one;
  }
  if (coming < kMostUploadsAtOnce) return true;
  // Each that gave way holds a thread until it hears of it, which its sender may draw out.
  if (coming_.size() >= 2 * kMostUploadsAtOnce) return false;
  if (slowest == nullptr || rate(*slowest) >= kSlowUploadBytesPerSecond) return false;
  slowest->gave_way = true;
  return true;
}

Result<Uploads::Place> Uploads::begin_one(std::uint64_t size_bytes) {
  const std::lock_guard lock(mutex_);
  // What replaces another one lies beside it until it is whole.
  std::uint64_t all_bytes = size_bytes;
  for (const auto& [_, bytes] : kept_bytes_) all_bytes += bytes;
  for (const Coming& one : coming_) all_bytes += one.size_bytes;
  if (all_bytes > kMostUploadsBytes)
    return Error{ErrorKind::kTooLarge, "the files sent so far use all the space for uploads; restart vizd", ""};
  if (!make_place()) return Error{ErrorKind::kBusy, "too many uploads at once; try again", ""};
  coming_.push_back({.number = ++number_, .size_bytes = size_bytes});
  return std::prev(coming_.end());
}

bool Uploads::has_come(Place place, std::uint64_t bytes) {
  const std::lock_guard lock(mutex_);
  place->come_bytes += bytes;
  return !place->gave_way;
}

void Uploads::end_one(Place place) {
  const std::lock_guard lock(mutex_);
  coming_.erase(place);
}

Result<std::string> Uploads::take(std::string_view name, std::uint64_t size_bytes, const ReadSome& read,
                                  const FindFolder& find_folder) {
  if (size_bytes > kMostUploadBytes)
    return Error{
        ErrorKind::kTooLarge,
        fmt::format("more than {} MB are not accepted over the network; open the file by name", kMostUploadBytes >> 20),
        ""};
  const auto place = begin_one(size_bytes);
  if (!place) return place.error();
  struct AtEnd {
    ~AtEnd() { uploads.end_one(place); }
    Uploads& uploads;
    const Place place;
  } const at_end{*this, *place};
  return receive(*place, name, read, find_folder);
}

Result<std::string> Uploads::receive(Place place, std::string_view name, const ReadSome& read,
                                     const FindFolder& find_folder) {
  // Beside the folder that is watched, on the same disk: a file comes into that one whole.
  Incoming file(incoming_ + "/" + std::to_string(place->number));
  if (!file.is_open()) return write_error(errno);
  std::vector<char> part(kPartBytes);
  for (std::uint64_t left = place->size_bytes; left > 0;) {
    const std::ptrdiff_t got = read(part.data(), static_cast<std::size_t>(std::min<std::uint64_t>(left, part.size())));
    if (got <= 0) return Error{ErrorKind::kBadInput, "the upload was incomplete; send it again", ""};
    if (!has_come(place, static_cast<std::uint64_t>(got)))
      return Error{ErrorKind::kBusy, "the upload was slow while others were waiting; send it again", ""};
    if (!file.write(part.data(), static_cast<std::size_t>(got))) return write_error(errno);
    left -= static_cast<std::uint64_t>(got);
  }
  std::string safe = safe_file_name(name);
  const auto folder = find_folder ? find_folder(file.path()) : std::nullopt;
  if (!folder && Sniffer().format_of(file.path()) == nullptr)
    return Error{ErrorKind::kBadInput, "this is not a format that vizd reads", safe};
  if (folder && !folder->empty()) {
    if (!make_private_folder(folder_ + "/" + *folder) && errno != EEXIST) return write_error(errno);
    safe = *folder + "/" + safe;
  }
  const std::string path = folder_ + "/" + safe;
  const std::lock_guard lock(mutex_);
  if (!file.keep_as(path)) return write_error(errno);
  kept_bytes_[safe] = place->size_bytes;
  place->size_bytes = 0;  // it is counted as kept now
  return path;
}

}  // namespace vizd
