#include "cli/command_line/output_file.h"

#include <fcntl.h>
#include <fmt/core.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "system/files.h"

namespace vizd {
namespace {

constexpr std::size_t kBufferBytes = 1 << 20;
constexpr mode_t kPermissions = 07777;

Error refusal(const std::string& path, std::string_view what) {
  return {ErrorKind::kBadInput, std::string(what), path};
}

bool is_same_file(const struct stat& a, const struct stat& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

bool leads_to(const std::string& path, const struct stat& there) {
  struct stat named {};
  return ::stat(path.c_str(), &named) == 0 && is_same_file(there, named);
}

// Whether another argument than the output's own leads there: PATH, or NAME=PATH.
bool is_named(const OutputFile::Place& place, const struct stat& there) {
  bool was_itself = false;
  for (const std::string& value : place.named) {
    if (!was_itself && value == place.path) {
      was_itself = true;
      continue;
    }
    if (leads_to(value, there) || leads_to(value.substr(value.find('=') + 1), there)) return true;
  }
  return false;
}

bool lies_below(const std::string& path, const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code failed;
  if (!fs::is_directory(folder, failed)) return false;
  const fs::path place = fs::canonical(path, failed), top = fs::canonical(folder, failed);
  return !failed && std::mismatch(top.begin(), top.end(), place.begin(), place.end()).first == top.end();
}

// Why what is there must not be replaced, or "".
std::string_view reason_to_keep(const struct stat& there, const OutputFile::Place& place,
                                std::span<const std::string> inputs) {
  constexpr std::string_view kIsRead = "is also the input; name another file";
  if (S_ISLNK(there.st_mode)) return "is a link; name the file that it leads to, or another one";
  if (S_ISDIR(there.st_mode)) return "is a folder; name a file in it";
  if (!S_ISREG(there.st_mode)) return "is a device, pipe or socket, which cannot be replaced; name a file";
  for (const std::string& input : inputs) {
    if (leads_to(input, there) || lies_below(place.path, input)) return kIsRead;
  }
  if (is_named(place, there)) return kIsRead;
  return place.overwrites ? "" : "exists already; -f overwrites it";
}

std::string folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  return folder.empty() ? "." : folder.string();
}

// The folder's entry reaches the disk too. Some file systems cannot say so: then it does when it does.
void sync_folder(const std::string& path) {
  const int fd = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0) return;
  ::fsync(fd);
  ::close(fd);
}

}  // namespace

Encoding packing_of_name(std::string_view path) {
  return path.ends_with(".gz") ? Encoding::kGzip : path.ends_with(".zst") ? Encoding::kZstd : Encoding::kIdentity;
}

OutputFile::OutputFile(Place place, std::string draft, int fd, bool has_name)
    : place_(std::move(place)),
      draft_(std::move(draft)),
      fd_(fd),
      packer_(make_stream_compressor(packing_of_name(place_.path))),
      has_name_(has_name) {
  if (has_name_ && fd_ >= 0) draft_on_signal_.emplace(draft_);
}

Argument OutputFile::describe(CommandLine& line, Place& place, const std::string& spelled, const std::string& help) {
  const Argument output = line.option(spelled, place.path, help);
  line.flag("-f,--force", place.overwrites, "Overwrite an existing file");
  line.check([&line, &place] {
    place.named = line.values();
    return std::string();
  });
  return output;
}

Result<std::unique_ptr<OutputFile>> OutputFile::create(const Place& place, std::span<const std::string> inputs) {
  struct stat there {};
  const bool exists = ::lstat(place.path.c_str(), &there) == 0;
  if (exists) {
    const auto reason = reason_to_keep(there, place, inputs);
    if (!reason.empty()) return refusal(place.path, reason);
  }
  const std::string draft = fmt::format("{}.{}.part", place.path, ::getpid());
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW;
  // A file that others may not read is never readable by them while it is written either.
  const mode_t mode = exists ? there.st_mode & 0600 : 0666;
  int fd = open_unnamed(folder_of(place.path), mode);
  const bool has_name = fd < 0;
  if (has_name) fd = ::open(draft.c_str(), kFlags, mode);
  auto file = std::unique_ptr<OutputFile>(new OutputFile(place, draft, fd, has_name));
  if (fd < 0) return file->failure(errno);
  if (exists && ::fchmod(fd, there.st_mode & kPermissions) != 0) return file->failure(errno);
  return file;
}

OutputFile::~OutputFile() {
  if (fd_ < 0) return;
  ::close(fd_);
  if (has_name_) ::unlink(draft_.c_str());
}

Error OutputFile::failure(int cause) const {
  return refusal(place_.path, fmt::format("cannot be written: {}", std::strerror(cause)));
}

void OutputFile::write(std::string_view bytes) {
  buffer_ += bytes;
  if (buffer_.size() >= kBufferBytes) flush(false);
}

bool OutputFile::flush(bool is_last) {
  std::string packed;
  if (packer_) packer_->append(buffer_, packed);
  if (packer_ && is_last) packer_->finish(packed);
  std::string_view rest = packer_ ? packed : buffer_;
  size_bytes_ += rest.size();
  while (failed_ == 0 && !rest.empty()) {
    const ssize_t n = ::write(fd_, rest.data(), rest.size());
    if (n < 0 && errno != EINTR) failed_ = errno;
    if (n > 0) rest.remove_prefix(static_cast<std::size_t>(n));
  }
  buffer_.clear();
  return failed_ == 0;
}

// 0, or errno. A file that came there meanwhile is not overwritten unasked, where the file system can promise that.
int OutputFile::move() {
  if (!has_name_) {
    // Nothing can be replaced by what has no name: it gets that of the draft first, for this moment.
    const std::string& name = place_.overwrites ? draft_ : place_.path;
    if (place_.overwrites) draft_on_signal_.emplace(draft_);
    if (const int cause = name_file(fd_, name); cause != 0) return cause;
    if (!place_.overwrites) return 0;
    has_name_ = true;
  }
  if (!place_.overwrites) {
    const int cause = rename_to_new(draft_, place_.path);
    if (cause != EINVAL && cause != ENOSYS) return cause;
  }
  return ::rename(draft_.c_str(), place_.path.c_str()) == 0 ? 0 : errno;
}

Result<std::uint64_t> OutputFile::finish() {
  if (!flush(true)) return failure(failed_);
  if (::fsync(fd_) != 0 && errno != EINVAL) return failure(errno);
  if (const int cause = move(); cause != 0) return failure(cause);
  has_name_ = false;
  draft_on_signal_.reset();
  sync_folder(place_.path);
  return size_bytes_;
}

}  // namespace vizd
