// Session: which captures are loaded now. One thread of its own opens the input sets, watches their files and folders,
// reads them again when they change, and swaps the new reading in as a whole. What the files of a set are to each other
// is their format's to know. A file that is half written or broken
// leaves the last good reading up, with the error beside it, and is read again when it changes next.
// Every public function may be called by any thread.
#pragma once

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "formats/input_set.h"
#include "formats/sniffer.h"
#include "session/loaded_capture.h"
#include "system/folder_watch.h"

namespace vizd {

enum class FileState { kLoading, kReady, kBroken, kMissing };

struct FileStatus {
  InputFile file;
  FileState state = FileState::kLoading;
  std::uint64_t size_bytes = 0;
  std::string error;  // where broken, also if an older reading is still up
};

struct CaptureStatus {
  std::string id;
  std::string name;
  std::vector<FileStatus> files;
  std::shared_ptr<const LoadedCapture> loaded;  // null until it could be read once
  bool opening = true;                          // not yet tried once
  // While a large file is opened: what has been read of it so far, the most last. Kept for a moment longer, for pages
  // that have not heard of the whole yet.
  std::vector<std::shared_ptr<const LoadedCapture>> beginnings;
  std::shared_ptr<const ReadProgress> progress = std::make_shared<ReadProgress>();  // of the last reading
};

// Something the page should hear of.
struct SessionChange {
  enum class Kind { kChanged, kBroken } kind = Kind::kChanged;
  std::uint64_t number = 0;  // counts up; those of a session that began later are larger
  std::uint64_t revision = 0;
  std::string capture_id;
  std::string error;
};

struct SessionInputs {
  std::vector<InputSet> sets;
  std::vector<std::string> folders;    // every capture in them, also those that come later
  std::vector<Setting> settings = {};  // of the captures in folders
  CacheOptions cache = {};             // by default nothing is kept
  Sniffer sniffer = {};                // what is known of the sets' files already
};

class Session {
 public:
  // A change is read once the files were left alone for this long.
  static constexpr std::chrono::milliseconds kSettleTime{100};
  // And for this long where only some files of a capture have changed: the others may be about to.
  static constexpr std::chrono::milliseconds kPartSettleTime{1000};
  // So many captures are read at once: a small one need not wait for a large one.
  static constexpr std::size_t kReadersAtOnce = 3;
  // Files are looked at this often even where no event came: network file systems tell nothing.
  static constexpr std::chrono::milliseconds kPollInterval{2000};

  // Starts to open the inputs in the background.
  explicit Session(SessionInputs inputs);
  ~Session();

  std::uint64_t revision() const;
  // Where what is made of captures is kept from one run to the next.
  const CacheOptions& cache() const { return inputs_.cache; }
  std::vector<CaptureStatus> captures() const;

  // The capture of that id, or the first where it is empty; waits while it is opened for the first time. Errors: there
  // is none of that id, it could not be read (and why), it is still being read after the time given, or when stop is
  // requested.
  Result<std::shared_ptr<const LoadedCapture>> capture(std::string_view id, std::chrono::milliseconds patience,
                                                       const std::stop_token& stop = {}) const;

  // The number of the last change, for changes_after().
  std::uint64_t last_change() const;
  // Changes after that number: at once where there are some, else when one comes, none at the timeout. The oldest of
  // very many may be left out.
  std::vector<SessionChange> changes_after(std::uint64_t number, std::chrono::milliseconds timeout) const;

  // Returns when every capture was tried once, or at the timeout.
  bool wait_until_opened(std::chrono::milliseconds timeout) const;

  // Ends every wait of the above, now and from now on, so that the server can stop.
  void end_waiting();

 private:
  using Clock = std::chrono::steady_clock;
  using Signatures = std::vector<std::optional<FileSignature>>;

  // One capture as the session's own thread sees it; what others see of it is statuses_ at the same place.
  struct Watched {
    InputSet set;
    std::optional<Signatures> seen;  // when last looked at
    Signatures shown = {};           // of the reading that is up
    Clock::time_point due{};         // when to read it
    bool pending = false;
    std::jthread reader = {};  // while it is read
    std::jthread keeper = {};  // while what was read is written into the cache

    // Whether a file that is there differs from what is up: one that is gone alone leaves the capture up.
    bool has_news() const;
    // How long files of these signatures are left alone before they are read.
    std::chrono::milliseconds settle_time(const Signatures& now) const;
  };
  // The result of a reader's thread for the files of the capture that it was given.
  struct Finished {
    std::size_t place = 0;
    InputSet set;
    Signatures seen;
    Reading reading;
  };

  void run(const std::stop_token& stop);
  void add_set(InputSet set);
  void look_into_folders();
  // Adds the files of a set found in a folder that came after its first, or else the set.
  void add_found(InputSet found);
  void forget_beginnings();
  void look_at_files();
  // When the next reading is due.
  Clock::time_point next_look() const;
  // Whether it is due, and may be read beside what is being read already.
  bool may_read(const Watched& watched) const;
  void read(std::size_t place);
  // On the reader's thread: it knows what it was given, and no more of watched_.
  void read_in_background(Finished job, bool is_first, ReadProgress& progress);
  void publish_finished();
  // Publishes what the first parts of a large file hold, the smaller one first.
  void show_beginnings(const Finished& job);
  void publish(Finished finished);
  // So that it is shown before it is written.
  void keep_in_background(std::shared_ptr<const LoadedCapture> loaded, const KeptPlace& place, Watched& watched) const;
  static void blame_cut(const LoadedCapture& shown, const Signatures& shown_files, Finished& finished);
  // Takes over what the reading says of each file; returns the first error, or "". mutex_ is held.
  std::string publish_files(const Finished& finished);
  void announce(SessionChange change);  // mutex_ is held
  std::string unique_name(const std::string& name) const;

  const SessionInputs inputs_;
  FolderWatch watch_;
  Sniffer sniffer_;
  std::vector<Watched> watched_;
  std::map<std::string, std::vector<ListedFile>> listings_;  // of the folders, when last looked at

  std::size_t readers_ = 0;  // that run

  mutable std::mutex mutex_;
  std::vector<Finished> finished_;
  mutable std::condition_variable_any changed_;
  std::vector<CaptureStatus> statuses_;
  std::vector<SessionChange> changes_;  // the last few
  // A page that had to do with another vizd a moment ago compares numbers of both: they go on from the time.
  std::uint64_t last_change_ = static_cast<std::uint64_t>(
      std::chrono::floor<std::chrono::milliseconds>(std::chrono::system_clock::now()).time_since_epoch().count());
  std::uint64_t revision_ = 0;
  bool waiting_ended_ = false;

  std::jthread thread_;  // last: it uses all of the above
};

}  // namespace vizd
