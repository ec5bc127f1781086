#include "session/session.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <iterator>
#include <new>
#include <utility>

#include "base/log.h"
#include "formats/claims.h"
#include "formats/unended.h"

namespace vizd {
namespace {

constexpr std::size_t kKeptChanges = 256;
// The parts of a large file that are shown while it is read: first so little that it is there at once, then an eighth,
// because reading that delays the whole by no more than an eighth.
constexpr std::array kBeginningParts{64u, 8u};
constexpr std::uint64_t kLeastBeginningBytes = std::uint64_t{1} << 18;  // less is read in no time

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

template <typename Files>
bool has_path(const Files& files, const std::string& path) {
  return std::ranges::find(files, path, &InputFile::path) != files.end();
}

}  // namespace

Session::Session(SessionInputs inputs) : inputs_(std::move(inputs)), sniffer_(inputs_.sniffer) {
  for (const InputSet& set : inputs_.sets) add_set(set);
  for (const std::string& folder : inputs_.folders) watch_.add(folder);
  look_into_folders();
  thread_ = std::jthread([this](const std::stop_token& stop) { run(stop); });
}

Session::~Session() {
  thread_.request_stop();
  watch_.wake();
}

void Session::run(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    look_into_folders();
    publish_finished();
    forget_beginnings();
    look_at_files();
    for (std::size_t i = 0; i < watched_.size() && !stop.stop_requested(); ++i) {
      if (may_read(watched_[i])) read(i);
    }
    const auto due = next_look();
    const auto sleep = std::chrono::ceil<std::chrono::milliseconds>(due - Clock::now());
    if (!stop.stop_requested()) watch_.wait(std::clamp(sleep, std::chrono::milliseconds(0), kPollInterval));
  }
  for (Watched& watched : watched_) watched.reader = {};
}

bool Session::may_read(const Watched& watched) const {
  return watched.pending && watched.due <= Clock::now() && !watched.reader.joinable() && readers_ < kReadersAtOnce;
}

Session::Clock::time_point Session::next_look() const {
  auto next = Clock::now() + kPollInterval;
  // The end of a reader wakes those that wait for one.
  for (const Watched& watched : watched_) {
    if (watched.pending && !watched.reader.joinable() && readers_ < kReadersAtOnce) next = std::min(next, watched.due);
  }
  return next;
}

void Session::add_set(InputSet set) {
  CaptureStatus status;
  for (const InputFile& file : set.files) {
    watch_.add(folder_of(file.path));
    status.files.push_back({.file = file, .state = FileState::kLoading, .size_bytes = 0, .error = {}});
  }
  const std::lock_guard lock(mutex_);
  status.id = fmt::format("c{}", statuses_.size());
  status.name = unique_name(set.name);
  statuses_.push_back(std::move(status));
  watched_.push_back({.set = std::move(set), .seen = std::nullopt, .due = {}, .pending = false});
}

void Session::look_into_folders() {
  for (const std::string& folder : inputs_.folders) {
    std::vector<ListedFile> listing = list_folder(folder, sniffer_);
    if (listings_[folder] == listing) continue;
    std::vector<InputSet> sets = claim_sets(listing, Listing::kFolder);
    add_settings(sets, inputs_.settings);
    for (InputSet& set : sets) add_found(std::move(set));
    listings_[folder] = std::move(listing);
  }
}

void Session::add_found(InputSet found) {
  const auto is_joined = [&](const Watched& watched) {
    return std::ranges::any_of(found.files,
                               [&](const InputFile& file) { return has_path(watched.set.files, file.path); });
  };
  const auto joined = std::ranges::find_if(watched_, is_joined);
  if (joined == watched_.end()) return add_set(std::move(found));
  Watched& watched = *joined;
  const bool is_grown =
      std::ranges::any_of(found.files, [&](const InputFile& file) { return !has_path(watched.set.files, file.path); });
  if (!is_grown) return;

  // In the order that the format gave them; none goes: one that is not there any more leaves the capture up.
  for (const InputFile& file : watched.set.files) {
    if (!has_path(found.files, file.path)) found.files.push_back(file);
  }
  const std::lock_guard lock(mutex_);
  std::vector<FileStatus>& statuses = statuses_[static_cast<std::size_t>(joined - watched_.begin())].files;
  std::vector<FileStatus> files;
  Signatures shown;
  for (const InputFile& file : found.files) {
    const auto old = std::ranges::find(watched.set.files, file.path, &InputFile::path) - watched.set.files.begin();
    const auto place = static_cast<std::size_t>(old);
    const bool is_new = place == watched.set.files.size();
    files.push_back(is_new ? FileStatus{.file = file, .state = FileState::kLoading, .size_bytes = 0, .error = {}}
                           : statuses[place]);
    files.back().file = file;
    shown.push_back(is_new || watched.shown.empty() ? std::nullopt : watched.shown[place]);
  }
  statuses = std::move(files);
  watched.set.format = found.format;
  watched.set.files = std::move(found.files);
  watched.seen = Signatures(shown.size());  // so that it is read once the new files have settled
  if (!watched.shown.empty()) watched.shown = std::move(shown);
}

void Session::forget_beginnings() {
  std::vector<std::shared_ptr<const LoadedCapture>> forgotten;
  {
    const std::lock_guard lock(mutex_);
    for (CaptureStatus& status : statuses_) {
      if (status.opening) continue;
      std::ranges::move(status.beginnings, std::back_inserter(forgotten));
      status.beginnings.clear();
    }
  }
  for (const auto& beginning : forgotten) beginning->unloaded.request_stop();
}

void Session::look_at_files() {
  const auto now = Clock::now();
  for (std::size_t place = 0; place < watched_.size(); ++place) {
    Watched& watched = watched_[place];
    Signatures signatures;
    for (const InputFile& file : watched.set.files) signatures.push_back(file_signature(file.path));
    if (watched.seen != signatures) {
      watched.due = watched.seen ? now + watched.settle_time(signatures) : now;
      watched.seen = std::move(signatures);
      watched.pending = true;
    }
  }
}

std::chrono::milliseconds Session::Watched::settle_time(const Signatures& now) const {
  if (shown.size() != now.size()) return kSettleTime;
  std::size_t changed = 0;
  for (std::size_t i = 0; i < now.size(); ++i) changed += now[i] != shown[i] ? 1 : 0;
  return changed > 0 && changed < now.size() ? kPartSettleTime : kSettleTime;
}

bool Session::Watched::has_news() const {
  for (std::size_t i = 0; i < seen->size(); ++i) {
    if ((*seen)[i] && (shown.empty() || (*seen)[i] != shown[i])) return true;
  }
  return false;
}

void Session::read(std::size_t place) {
  Watched& watched = watched_[place];
  watched.pending = false;
  Finished job{.place = place,
               .set = watched.set,
               .seen = *watched.seen,
               .reading = {.errors = FileErrors(watched.set.files.size()), .loaded = nullptr, .keep_at = {}}};
  if (!watched.has_news()) return publish(std::move(job));
  // A file by itself may have changed its format: its present content says which it is.
  if (watched.set.files.size() == 1) watched.set.format = sniffer_.format_of(watched.set.files[0].path);
  job.set.format = watched.set.format;
  const auto progress = std::make_shared<ReadProgress>();
  {
    const std::lock_guard lock(mutex_);
    statuses_[place].progress = progress;
    for (std::size_t i = 0; i < job.seen.size(); ++i) {
      FileStatus& file = statuses_[place].files[i];
      file.state = FileState::kLoading;
      file.size_bytes = job.seen[i] ? job.seen[i]->size_bytes : 0;
    }
  }
  ++readers_;
  watched.reader = std::jthread([this, job = std::move(job), is_first = watched.shown.empty(), progress]() mutable {
    read_in_background(std::move(job), is_first, *progress);
  });
}

void Session::read_in_background(Finished job, bool is_first, ReadProgress& progress) {
  const auto start = Clock::now();
  try {
    if (is_first && !is_kept(job.set, inputs_.cache)) show_beginnings(job);
    job.reading = load(job.set, inputs_.cache, &progress);
  } catch (const std::bad_alloc&) {
    // So few letters need no memory.
    job.reading.errors.back() = Error{ErrorKind::kTooLarge, "out of memory", ""};
  }
  const auto took = std::chrono::duration<double, std::milli>(Clock::now() - start);
  if (job.reading.loaded) log(LogLevel::kInfo, "read {} in {:.1f} ms", job.set.name, took.count());
  {
    const std::lock_guard lock(mutex_);
    finished_.push_back(std::move(job));
  }
  watch_.wake();
}

void Session::publish_finished() {
  std::unique_lock lock(mutex_);
  auto finished = std::exchange(finished_, {});
  lock.unlock();
  for (Finished& job : finished) {
    Watched& watched = watched_[job.place];
    watched.reader = {};
    --readers_;
    const bool is_grown = !std::ranges::equal(job.set.files, watched.set.files, {}, &InputFile::path, &InputFile::path);
    if (is_grown) {
      watched.pending = true;  // what was read is a part of it
    } else {
      publish(std::move(job));
    }
  }
}

void Session::show_beginnings(const Finished& job) {
  std::uint64_t size_bytes = 0;
  for (const auto& signature : job.seen) size_bytes += signature ? signature->size_bytes : 0;
  for (const unsigned parts : kBeginningParts) {
    if (size_bytes / parts < kLeastBeginningBytes) continue;
    auto beginning = load_beginning(job.set, parts);
    if (!beginning) return;
    const std::lock_guard lock(mutex_);
    CaptureStatus& status = statuses_[job.place];
    beginning->id = status.id;
    beginning->name = status.name;
    beginning->revision = ++revision_;
    status.beginnings.push_back(std::move(beginning));
    announce({.kind = SessionChange::Kind::kChanged, .revision = revision_, .capture_id = status.id, .error = {}});
    changed_.notify_all();
  }
}

void Session::publish(Finished finished) {
  using Kind = SessionChange::Kind;
  Watched& watched = watched_[finished.place];
  Reading& reading = finished.reading;
  std::shared_ptr<const LoadedCapture> before;
  std::unique_lock lock(mutex_);
  CaptureStatus& status = statuses_[finished.place];
  if (reading.loaded && status.loaded) blame_cut(*status.loaded, watched.shown, finished);
  const std::string error = publish_files(finished);
  status.opening = false;
  // The capture on the screen stays there unless all of it can be replaced.
  if (reading.loaded && (error.empty() || !status.loaded)) {
    reading.loaded->id = status.id;
    reading.loaded->name = status.name;
    reading.loaded->revision = ++revision_;
    before = std::exchange(status.loaded, std::move(reading.loaded));
    watched.shown = finished.seen;
    if (reading.keep_at) keep_in_background(status.loaded, *reading.keep_at, watched);
  }
  announce({.kind = Kind::kChanged, .revision = revision_, .capture_id = status.id, .error = {}});
  if (!error.empty()) announce({.kind = Kind::kBroken, .revision = revision_, .capture_id = status.id, .error = error});
  changed_.notify_all();
  lock.unlock();
  if (before) before->unloaded.request_stop();
}

void Session::keep_in_background(std::shared_ptr<const LoadedCapture> loaded, const KeptPlace& place,
                                 Watched& watched) const {
  watched.keeper = std::jthread([this, loaded = std::move(loaded), place](const std::stop_token& stop) {
    keep(place, inputs_.cache, loaded->capture, loaded->timeline, stop);
  });
}

std::string Session::publish_files(const Finished& finished) {
  std::string first_error;
  for (std::size_t i = 0; i < finished.reading.errors.size(); ++i) {
    FileStatus& file = statuses_[finished.place].files[i];
    const auto& failed = finished.reading.errors[i];
    const auto& seen = finished.seen[i];
    file.error = failed ? failed->text() : "";
    file.state = failed ? FileState::kBroken : seen ? FileState::kReady : FileState::kMissing;
    file.size_bytes = seen ? seen->size_bytes : 0;
    if (!file.error.empty()) log(LogLevel::kWarning, "{}", file.error);
    if (first_error.empty()) first_error = file.error;
  }
  return first_error;
}

// A file that is shorter than the one shown and is read only in part was cut, or is just being written anew. One that
// only has no end yet is whole as far as it goes: a program records anew.
void Session::blame_cut(const LoadedCapture& shown, const Signatures& shown_files, Finished& finished) {
  const auto damage_of = [](const Capture& capture) {
    std::vector<std::string> damage = capture.warnings;
    std::erase_if(damage, is_unended_warning);
    return damage;
  };
  const std::vector<std::string> damage = damage_of(finished.reading.loaded->capture);
  if (damage.size() <= damage_of(shown.capture).size() || shown_files.size() != finished.seen.size()) return;
  for (std::size_t i = 0; i < shown_files.size(); ++i) {
    const auto &now = finished.seen[i], &then = shown_files[i];
    if (!now || !then || now->size_bytes >= then->size_bytes || finished.reading.errors[i]) continue;
    finished.reading.errors[i] = Error{ErrorKind::kBadInput, damage.back() + "; the version read before is kept", ""};
  }
}

void Session::announce(SessionChange change) {
  change.number = ++last_change_;
  changes_.push_back(std::move(change));
  if (changes_.size() > kKeptChanges) changes_.erase(changes_.begin());
}

std::string Session::unique_name(const std::string& name) const {
  const auto taken = [&](const std::string& candidate) {
    return std::any_of(statuses_.begin(), statuses_.end(), [&](const CaptureStatus& s) { return s.name == candidate; });
  };
  std::string candidate = name;
  for (int i = 2; taken(candidate); ++i) candidate = fmt::format("{} ({})", name, i);
  return candidate;
}

std::uint64_t Session::revision() const {
  const std::lock_guard lock(mutex_);
  return revision_;
}

std::vector<CaptureStatus> Session::captures() const {
  const std::lock_guard lock(mutex_);
  return statuses_;
}

Result<std::shared_ptr<const LoadedCapture>> Session::capture(std::string_view id, std::chrono::milliseconds patience,
                                                              const std::stop_token& stop) const {
  std::unique_lock lock(mutex_);
  const auto found = std::find_if(statuses_.begin(), statuses_.end(),
                                  [&](const CaptureStatus& s) { return id.empty() || s.id == id; });
  if (found == statuses_.end())
    return Error{ErrorKind::kNotFound, "no such capture is open; /api/v1/session lists them",
                 std::string(id.substr(0, 40))};
  const auto place = found - statuses_.begin();  // captures may be added while this waits
  const auto is_decided = [&] { return waiting_ended_ || !statuses_[static_cast<std::size_t>(place)].opening; };
  changed_.wait_for(lock, stop, patience, is_decided);
  const CaptureStatus& status = statuses_[static_cast<std::size_t>(place)];
  if (status.loaded) return status.loaded;
  if (status.opening) return Error{ErrorKind::kBusy, "is still being read; try again", status.name};
  for (const FileStatus& file : status.files) {
    if (!file.error.empty()) return Error{ErrorKind::kBadInput, file.error, ""};
  }
  return Error{ErrorKind::kNotFound, "does not exist yet; vizd shows it as soon as it appears", status.name};
}

std::uint64_t Session::last_change() const {
  const std::lock_guard lock(mutex_);
  return last_change_;
}

std::vector<SessionChange> Session::changes_after(std::uint64_t number, std::chrono::milliseconds timeout) const {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, timeout, [&] { return waiting_ended_ || last_change_ > number; });
  const auto first =
      std::find_if(changes_.begin(), changes_.end(), [&](const SessionChange& c) { return c.number > number; });
  return {first, changes_.end()};
}

void Session::end_waiting() {
  const std::lock_guard lock(mutex_);
  waiting_ended_ = true;
  changed_.notify_all();
}

bool Session::wait_until_opened(std::chrono::milliseconds timeout) const {
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, timeout, [&] {
    return std::none_of(statuses_.begin(), statuses_.end(), [](const CaptureStatus& s) { return s.opening; });
  });
}

}  // namespace vizd
