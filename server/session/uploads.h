// Uploads: captures that somebody hands to the running vizd from the page. Each becomes a file of one folder that the
// session watches like any other, so that files which belong together are one capture and a second upload of a name
// replaces the first. The folder is in the user's cache, readable by the user alone; it goes when vizd ends, and those
// of runs that were killed go when the next one starts (base/own_folder.h). Any thread, many at once.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/own_folder.h"
#include "base/result.h"

namespace vizd {

inline constexpr std::uint64_t kMostUploadBytes = std::uint64_t{2} << 30;   // one of them
inline constexpr std::uint64_t kMostUploadsBytes = std::uint64_t{8} << 30;  // all of a run
inline constexpr unsigned kMostUploadsAtOnce = 4;
// One that comes more slowly than this, after that time, gives its place to another one that wants to come.
inline constexpr std::uint64_t kSlowUploadBytesPerSecond = std::uint64_t{256} << 10;
inline constexpr std::chrono::milliseconds kSlowUploadAfter{10'000};

class Uploads {
 public:
  // Gives up to so many bytes of what is sent; 0 at its end, negative where the sender left.
  using ReadSome = std::function<std::ptrdiff_t(char* data, std::size_t size)>;

  // Makes the folder under that one. Errors: it cannot be made, or there is none to make it in ("").
  static Result<std::unique_ptr<Uploads>> begin(const std::string& cache_folder,
                                                std::chrono::milliseconds slow_after = kSlowUploadAfter);
  Uploads(const Uploads&) = delete;
  Uploads& operator=(const Uploads&) = delete;

  // Where they come to stand, for the session to watch.
  const std::string& folder() const { return folder_; }

  // Returns the folder in folder() that a complete file goes to, if it is not a capture but names what is in one; "":
  // it goes to that one. None: it is a capture.
  using FindFolder = std::function<std::optional<std::string>(const std::string& path)>;

  // Takes size_bytes from read and keeps them under that name, made safe; returns the file's path. Errors: it is too
  // large, all of them would be, the sender left, the disk is full, too many come at once, or no format knows the
  // capture (then it is not kept).
  Result<std::string> take(std::string_view name, std::uint64_t size_bytes, const ReadSome& read,
                           const FindFolder& find_folder = {});

  // Removes the folder, as the destructor does, for a program that ends without it.
  void remove() { own_->remove(); }

 private:
  using Clock = std::chrono::steady_clock;
  // One that comes.
  struct Coming {
    std::uint64_t number = 0;
    std::uint64_t size_bytes = 0;  // room that is reserved for it
    std::uint64_t come_bytes = 0;
    Clock::time_point began = Clock::now();
    bool gave_way = false;  // its place is another one's now
  };
  using Place = std::list<Coming>::iterator;

  Uploads(std::unique_ptr<OwnFolder> own, std::chrono::milliseconds slow_after);
  Result<Place> begin_one(std::uint64_t size_bytes);
  // False where another one has its place.
  bool has_come(Place place, std::uint64_t bytes);
  bool make_place();  // mutex_ is held
  void end_one(Place place);
  Result<std::string> receive(Place place, std::string_view name, const ReadSome& read, const FindFolder& find_folder);

  const std::unique_ptr<OwnFolder> own_;
  const std::string folder_, incoming_;
  const std::chrono::milliseconds slow_after_;
  std::mutex mutex_;
  std::list<Coming> coming_;  // with those that gave way and have not heard of it yet
  std::uint64_t number_ = 0;
  std::map<std::string, std::uint64_t> kept_bytes_;  // by the file's name in folder_
};

// A name that a browser or a script gives, as that of a file in a folder: no path, nothing hidden, nothing unprintable.
// Two that differ stay different, however long they are.
std::string safe_file_name(std::string_view name);

}  // namespace vizd
