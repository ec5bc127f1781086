// Faults at every place in turn: each allocation of a reading, of the cache and of a recording fails once, and the disk
// is full after each so many bytes. What comes of it is an error or the whole, never a part that passes for it.
#include <sys/resource.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <map>
#include <new>
#include <set>
#include <string>
#include <vector>

#include "cli/command_line/output_file.h"
#include "session/loaded_capture.h"
#include "support/catch.h"
#include "support/examples.h"
#include "support/failing_allocation.h"
#include "support/made_profile.h"
#include "support/named_sets.h"
#include "support/places.h"
#include "support/temporary_folder.h"
#include "vizd/capture_writer.h"

namespace vizd::faults_test {
namespace {

namespace fs = std::filesystem;
using capture::CaptureWriter;

// Calls attempt() with its first allocation failing, then its second and so on, until it needs no further; of many, all
// of the first 300 and then every hundredth part more, so that the time is bounded. judge() follows without a fault.
template <typename Attempt, typename Judge>
void for_every_allocation(Attempt&& attempt, Judge&& judge) {
  for (std::int64_t place = 0;; place += 1 + (place > 300 ? place / 100 : 0)) {
    bool happened = false;
    {
      const FailingAllocation failing(place);
      attempt();
      happened = failing.happened();
    }
    INFO("allocation " << place);
    judge(happened);
    if (!happened) return;
  }
}

// The disk is full: no file grows beyond so many bytes, and whoever writes more hears so.
class FullDisk {
 public:
  explicit FullDisk(std::size_t bytes) {
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limit);
  }
  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;
  ~FullDisk() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

 private:
  void (*handler_)(int) = std::signal(SIGXFSZ, SIG_IGN);
  rlimit before_{};
};

std::set<std::string> names_in(const std::string& folder) {
  std::set<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.insert(entry.path().filename());
  return names;
}

// What tells a capture that was read as a whole from a part of it.
auto contents(const Capture& capture) {
  std::size_t events = 0, arguments = 0, allocations = 0;
  for (const Track& track : capture.profile.tracks) {
    events += track.events.size();
    allocations += track.allocations.size();
    for (const ArgumentColumn& column : track.arguments) arguments += column.events.size();
  }
  const Rewrites& r = capture.rewrites;
  return std::vector<std::size_t>{capture.ops.size(),
                                  r.contexts.size(),
                                  r.passes.size(),
                                  r.matches.size(),
                                  capture.values.size(),
                                  capture.profile.tracks.size(),
                                  capture.profile.flows.size(),
                                  capture.profile.runs.size(),
                                  events,
                                  arguments,
                                  allocations,
                                  capture.skipped.size(),
                                  capture.warnings.size(),
                                  capture.facts.size()};
}

void read_with_faults(const std::vector<std::string>& paths, const CacheOptions& cache = {}) {
  CAPTURE(paths.front());
  const std::vector<InputSet> sets = named_sets(paths);
  REQUIRE(sets.size() == 1);
  const Reading whole = load(sets.front());
  REQUIRE(whole.loaded);
  const auto expected = contents(whole.loaded->capture);
  Reading reading;
  for_every_allocation(
      [&] {
        reading = {.errors = {}, .loaded = nullptr, .keep_at = {}};
        try {
          reading = load(sets.front(), cache);
          if (reading.keep_at) keep(*reading.keep_at, cache, reading.loaded->capture, reading.loaded->timeline, {});
        } catch (const std::bad_alloc&) {  // of the errors themselves: the session tells of it
        }
      },
      [&](bool happened) {
        const bool is_told = std::ranges::any_of(reading.errors, [](const auto& error) { return error.has_value(); });
        if (reading.loaded && !is_told) {
          CHECK(contents(reading.loaded->capture) == expected);
        } else {
          CHECK(happened);
        }
      });
}

std::string golden(const std::string& name) { return test_data("../golden/") + name; }

// But speedscope's: nlohmann's JSON asks for memory when it is given back, and ends the program where there is none.
TEST_CASE("faults: a reading that lacks memory anywhere is told as an error", "[faults]") {
  for (const Example& example : all_examples()) {
    if (example.format->name != "speedscope") read_with_faults(example.paths);
  }
}

TEST_CASE("faults: a cache that lacks memory anywhere keeps and gives nothing that is wrong", "[faults]") {
  const TemporaryFolder folder;
  // First what is read is kept, then it is what was kept that comes.
  for (int round = 0; round < 2; ++round)
    read_with_faults({golden("chrome/launches/input/trace.json")}, {.folder = folder.path(), .least_events = 1});
}

TEST_CASE("faults: a capture that the disk has no room for is not kept, nor half of it", "[faults]") {
  Capture made;
  fill_profile({.events = 300, .lanes = 2}, made);
  const Timeline timeline = prepare_timeline(made, 1);
  std::size_t needed = 0;
  for (std::size_t room = 0;; room += 1 + room / 50) {
    const TemporaryFolder folder;
    const KeptPlace place{folder / "a.timeline", 7};
    Result<void> saved;
    {
      const FullDisk disk(room);
      saved = save_kept(place, made, timeline);
    }
    INFO("room for " << room);
    if (saved) {
      needed = room;
      Capture capture;
      Timeline found;
      CHECK(load_kept(place, 1, capture, found) != nullptr);
      break;
    }
    CHECK(saved.error().message.find("cannot be written") != std::string::npos);
    CHECK(names_in(folder.path()).empty());
  }
  CHECK(needed > 1000);
}

TEST_CASE("faults: a file that the disk has no room for leaves the one that was there", "[faults]") {
  const TemporaryFolder folder;
  const std::string wanted(3000, 'x');
  for (std::size_t room = 0; room <= wanted.size(); room += 100) {
    folder.write("out", "before");
    bool finished = false;
    {
      const FullDisk disk(room);
      auto file = OutputFile::create({.path = folder / "out", .overwrites = true}, {});
      if (file) {
        for (std::size_t at = 0; at < wanted.size(); at += 500) (*file)->write(wanted.substr(at, 500));
        finished = (*file)->finish().has_value();
      }
    }
    CHECK(finished == (room >= wanted.size()));
    CHECK(fs::file_size(folder / "out") == (finished ? wanted.size() : 6));
    CHECK(names_in(folder.path()) == std::set<std::string>{"out"});
  }
}

constexpr int kRecorded = 40;

// What was recorded of the i-th: its event's argument, and its op with a source.
struct Recorded {
  std::set<int> events, ops;
  std::string error = "not opened";
};

// Each call may lack memory, and is not repeated then.
void record(const std::string& path, Recorded& recorded) {
  const auto attempt = [](auto&& call) {
    try {
      call();
      return true;
    } catch (const std::bad_alloc&) {
      return false;
    }
  };
  try {
    CaptureWriter writer(path, {.interval = std::chrono::hours(1)});
    for (int i = 0; i < kRecorded; ++i) {
      const bool has_event = attempt([&] {
        const auto track = writer.track({"track " + std::to_string(i % 3)});
        const auto number = writer.argument("number", "", capture::ArgumentType::kInteger);
        writer.event(track, "event", i, 1, {{number, i}});
      });
      const bool has_op = attempt([&] {
        const auto kind = writer.kind("KIND " + std::to_string(i % 3));
        const auto source = writer.op({kind, "int"}, {});
        const auto op = writer.op({kind, "int", "op " + std::to_string(i)}, {source});
        const auto context = writer.context("context " + std::to_string(i));
        writer.pass(context, "pass", op, writer.location("a.cpp", 1));
      });
      if (has_event) recorded.events.insert(i);
      if (has_op) recorded.ops.insert(i);
      if (i % 10 == 0) writer.flush();
    }
    writer.close();
    recorded.error = writer.error();
  } catch (const std::bad_alloc&) {
  }
}

// What was recorded stands in the file whole; where the file has an error, what of it came before.
void judge_file(const std::string& path, const Recorded& recorded) {
  if (!fs::exists(path)) {
    CHECK(!recorded.error.empty());
    return;
  }
  const std::vector<InputSet> sets = named_sets({path});
  const Reading reading = load(sets.front());
  if (!reading.loaded) {
    CHECK(!recorded.error.empty());
    return;
  }
  const Capture& read = reading.loaded->capture;
  // In a file that ends early, references to a missing chunk are counted.
  CHECK((read.skipped.empty() || !recorded.error.empty()));
  std::set<int> events, contexts;
  for (const Track& track : read.profile.tracks) {
    REQUIRE(track.events.size() == (track.arguments.empty() ? 0 : track.arguments[0].events.size()));
    for (std::size_t i = 0; i < track.events.size(); ++i) {
      const auto number = static_cast<int>(track.arguments[0].integer(i));
      CHECK(track.events.start_ns(track.arguments[0].event(i)) == number);
      events.insert(number);
    }
  }
  for (const Context& context : read.rewrites.contexts) {
    const std::string name(read.strings.get(context.name));
    REQUIRE(context.pass_count <= 1);
    if (context.pass_count == 1) contexts.insert(std::stoi(name.substr(name.find(' ') + 1)));
  }
  if (recorded.error.empty()) {
    CHECK(std::ranges::includes(events, recorded.events));
    CHECK(std::ranges::includes(contexts, recorded.ops));
  }
}

TEST_CASE("faults: what is recorded while memory lacks is read back, or the writer says what it lacked", "[faults]") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.bin";
  Recorded recorded;
  for_every_allocation([&] { record(path, recorded); },
                       [&](bool happened) {
                         judge_file(path, recorded);
                         fs::remove(path);
                         if (happened) recorded = {};
                       });
  CHECK(recorded.error.empty());
  CHECK(recorded.events.size() == kRecorded);
}

TEST_CASE("faults: a recording that the disk has no room for ends with its last whole chunk", "[faults]") {
  const TemporaryFolder folder;
  const std::string path = folder / "a.bin";
  Recorded recorded;
  std::size_t room = 0;
  for (;; room += 1 + room / 50) {
    fs::remove(path);
    recorded = {};
    {
      const FullDisk disk(room);
      record(path, recorded);
    }
    INFO("room for " << room);
    judge_file(path, recorded);
    if (recorded.error.empty()) break;
  }
  CHECK(room > 1000);
}

}  // namespace
}  // namespace vizd::faults_test
