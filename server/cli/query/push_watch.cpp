#include "cli/query/push_watch.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <limits>
#include <mutex>
#include <stop_token>
#include <thread>

#include "base/standard_streams.h"
#include "cli/command_line/command.h"
#include "cli/command_line/stop_signals.h"
#include "cli/query/settled_files.h"
#include "formats/claims.h"

namespace vizd {
namespace {

constexpr std::chrono::milliseconds kLookInterval{1000};
// A trace that is not whole may be written by a program of another machine, which nothing here tells of.
constexpr std::chrono::seconds kMorePatience{60};
constexpr std::chrono::seconds kAwayInterval{10};
constexpr std::chrono::minutes kPrepareInterval{60};

// The number behind the last of these words in the path: "rank3", "iteration_200".
std::optional<std::int64_t> number_behind(std::string path, std::initializer_list<std::string_view> words) {
  std::ranges::transform(path, path.begin(),
                         [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  std::optional<std::int64_t> number;
  std::size_t last = 0;
  for (const std::string_view word : words) {
    for (std::size_t at = path.find(word); at != std::string::npos; at = path.find(word, at + 1)) {
      std::size_t digits = at + word.size();
      if (digits < path.size() && (path[digits] == '_' || path[digits] == '-' || path[digits] == '=')) ++digits;
      std::int64_t read = 0;
      const auto [_, failed] = std::from_chars(path.data() + digits, path.data() + path.size(), read);
      if (failed != std::errc() || read < 0 || (number && at < last)) continue;
      number = read;
      last = at;
    }
  }
  return number;
}

std::optional<std::uint32_t> as_rank(std::optional<std::int64_t> number) {
  if (!number || *number < 0 || *number > std::numeric_limits<std::int32_t>::max()) return std::nullopt;
  return static_cast<std::uint32_t>(*number);
}

bool is_older_than(const std::string& path, std::chrono::seconds keep) {
  std::error_code gone;
  const auto written = std::filesystem::last_write_time(path, gone);
  return !gone && keep.count() > 0 && std::filesystem::file_time_type::clock::now() - written > keep;
}

class Watch {
 public:
  Watch(const store::Store& store, const WatchedPushes& pushes, std::stop_token ending)
      : store_(store), pushes_(pushes), ending_(std::move(ending)), files_(pushes.folder, pushes.settle) {}

  // One look at the folder.
  void push_settled() {
    for (const std::string& path : files_.take()) {
      if (ending_.stop_requested()) return;
      if (sniffer_.format_of(path) == nullptr || is_older_than(path, pushes_.options.keep)) continue;
      const ListedFile file{path, sniffer_.format_of(path)};
      std::vector<InputSet> sets = claim_sets({&file, 1}, Listing::kFolder);
      add_settings(sets, pushes_.read_as.given_settings());
      if (!sets.empty()) push_file(path, sets.front());
    }
  }

 private:
  void push_file(const std::string& path, const InputSet& set) {
    const auto capture = read(path, set);
    if (!capture) return tell(path, capture.error());
    if (!capture->loaded) return files_.again(path, kMorePatience);
    const Capture& trace = capture->loaded->capture;
    store::PushOptions options = pushes_.options;
    options.rank = rank_of_trace(trace, path).value_or(pushes_.rank == kRankNotGiven ? 0 : pushes_.rank);
    if (const auto step = step_of_trace(trace, path)) options.job += fmt::format(" step {}", *step);
    const auto pushed = push_rank(store_, *capture, options, [&](std::uint64_t, std::string_view waiting_for) {
      if (!waiting_for.empty()) tell_once(fmt::format("{}: {}; trying again", path, waiting_for));
    });
    if (!pushed && pushed.error().kind == ErrorKind::kBusy) {
      if (ending_.stop_requested()) return;
      tell_once(fmt::format("{}: {}; trying again", path, pushed.error().text()));
      return files_.again(path, kAwayInterval);
    }
    if (!pushed) return tell(path, pushed.error());
    told_.clear();
    if (pushed->was_there) return;
    print_answer("job {}: rank {}, {} slices, {}\n", options.job, options.rank, pushed->slices, one_line(path, false));
    flush_output();
  }

  // Without a capture where it is not whole, and may become so.
  Result<RankCapture> read(const std::string& path, const InputSet& set) const {
    if (files_.age(path) > pushes_.settle + kMorePatience) return read_rank(set);
    Reading reading = load(set);
    const bool is_whole = reading.loaded != nullptr && reading.loaded->capture.warnings.empty() &&
                          reading.loaded->capture.skipped.empty();
    return is_whole ? rank_capture(set, std::move(reading.loaded)) : RankCapture();
  }

  static void tell(const std::string& path, const Error& error) {
    if (!error.message.empty()) print_error("vizd push: {}: {}\n", path, error.text());
  }
  void tell_once(const std::string& text) {
    if (text != told_) print_error("vizd push: {}\n", text);
    told_ = text;
  }

  const store::Store& store_;
  const WatchedPushes& pushes_;
  const std::stop_token ending_;
  SettledFiles files_;
  Sniffer sniffer_;
  std::string told_;
};

}  // namespace

std::optional<std::uint32_t> rank_of_trace(const Capture& capture, const std::string& path) {
  for (const Fact& fact : capture.facts) {
    const auto* const number = std::get_if<std::int64_t>(&fact.value);
    if (number != nullptr && capture.strings.get(fact.subject) == "distributedInfo" &&
        capture.strings.get(fact.name) == "rank")
      return as_rank(*number);
  }
  return as_rank(number_behind(path, {"rank"}));
}

std::optional<std::int64_t> step_of_trace(const Capture& capture, const std::string& path) {
  std::optional<std::int64_t> first;
  for (const Run& run : capture.profile.runs) {
    if (capture.strings.get(run.kind) != "step") continue;
    first = std::min(first.value_or(run.number), run.number);
  }
  return first ? first : number_behind(path, {"step", "iteration", "iter"});
}

int push_watched(const store::Store& store, const WatchedPushes& pushes, const PrepareStore& prepare) {
  const StopSignals signals;
  std::signal(SIGIO, SIG_IGN);  // of a lease that somebody wants (settled_files.h)
  std::stop_source ending;
  // What is under way then ends between two requests; the next push of it goes on there.
  const std::jthread ender([&](const std::stop_token& over) {
    while (!over.stop_requested()) {
      if (signals.wait(kLookInterval / 10)) ending.request_stop();
    }
  });
  const store::Store for_now = store.for_as_long_as(ending.get_token());
  Watch watch(for_now, pushes, ending.get_token());
  auto next = std::chrono::steady_clock::now();
  bool is_ready = false;
  std::mutex mutex;
  std::condition_variable_any end;
  for (std::unique_lock lock(mutex); !ending.stop_requested();
       end.wait_for(lock, ending.get_token(), kLookInterval, [] { return false; })) {
    const auto now = std::chrono::steady_clock::now();
    if (now >= next) {
      const auto ready = prepare(for_now);
      if (!ready && ready.error().kind != ErrorKind::kBusy) {
        print_error("vizd push: {}\n", ready.error().text());
        return kExitFailure;
      }
      if (!ready && !ending.stop_requested()) print_error("vizd push: {}; retrying\n", ready.error().text());
      next = now + (ready ? std::chrono::seconds(kPrepareInterval) : kAwayInterval);
      is_ready = is_ready || ready;
    }
    if (is_ready) watch.push_settled();
  }
  return kExitOk;
}

}  // namespace vizd
