// Uploads: captures that somebody hands to the running vizd from the page. Each becomes a file of one folder that the
// session watches like any other, so that files which belong together are one capture and a second upload of a name
// replaces the first. The folder is in the user's cache, readable by the user alone; it goes when vizd ends, and those
// of runs that were killed go when the next one starts (base/own_folder.h). Any thread, many at once.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "base/own_folder.h"
#include "base/result.h"

namespace vizd {

inline constexpr std::uint64_t kMostUploadBytes = std::uint64_t{2} << 30;   // one of them
inline constexpr std::uint64_t kMostUploadsBytes = std::uint64_t{8} << 30;  // all of a run
inline constexpr unsigned kMostUploadsAtOnce = 4;

class Uploads {
 public:
  // Gives up to so many bytes of what is sent; 0 at its end, negative where the sender left.
  using ReadSome = std::function<std::ptrdiff_t(char* data, std::size_t size)>;

  // Makes the folder under that one. Errors: it cannot be made, or there is none to make it in ("").
  static Result<std::unique_ptr<Uploads>> begin(const std::string& cache_folder);
  Uploads(const Uploads&) = delete;
  Uploads& operator=(const Uploads&) = delete;

  // Where they come to stand, for the session to watch.
  const std::string& folder() const { return folder_; }

  // Takes size_bytes from read and keeps them under that name, made safe; returns the file's path. Errors: it is too
  // large, the sender left, the disk is full, too many come at once, or no format knows it (then it is not kept).
  Result<std::string> take(std::string_view name, std::uint64_t size_bytes, const ReadSome& read);

  // Removes the folder, as the destructor does, for a program that ends without it.
  void remove() { own_->remove(); }

 private:
  explicit Uploads(std::unique_ptr<OwnFolder> own);

  const std::unique_ptr<OwnFolder> own_;
  const std::string folder_, incoming_;
  std::atomic<unsigned> coming_{0};
  std::atomic<std::uint64_t> number_{0};
  std::atomic<std::uint64_t> kept_bytes_{0};
};

// A name that a browser or a script gives, as that of a file in a folder: no path, nothing hidden, nothing unprintable.
std::string safe_file_name(std::string_view name);

}  // namespace vizd
