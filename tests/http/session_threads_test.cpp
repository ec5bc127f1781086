// The session under many threads at once, for ThreadSanitizer to see: captures appear, grow, break, are replaced and go
// in a folder that it watches, while others ask for answers about them, wait for changes and leave in the middle, and
// while it ends.
#include <array>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <random>
#include <set>
#include <thread>
#include <vector>

#include "support/catch.h"
#include "support/served_capture.h"
#include "support/temporary_folder.h"
#include "support/wait_until.h"
#include "vizd/capture_writer.h"

namespace vizd::session_threads_test {
namespace {

namespace fs = std::filesystem;

constexpr int kChanges = 32, kEndings = 3;
constexpr unsigned kAskers = 5;

std::string trace(int events) {
  std::string text = "{\"traceEvents\":[";
  for (int i = 0; i < events; ++i)
    text += fmt::format(R"({}{{"ph":"X","pid":1,"tid":{},"ts":{},"dur":1,"name":"e{}"}})", i == 0 ? "" : ",", i % 8, i,
                        i % 5);
  return text + "]}";
}

// Records events into a file that is there or a new one, as a run of a program does.
void record(const std::string& path, int events, bool appends) {
  capture::CaptureWriter writer(path, {.level = 1, .interval = std::chrono::milliseconds(1), .append = appends});
  const auto track = writer.track({"stream"});
  for (int i = 0; i < events; ++i) writer.event(track, "event", i * 10, 5);
}

// A folder whose captures one thread changes: `change` once, and `settle` as they are to be in the end.
struct ChangingFolder {
  TemporaryFolder folder, aside;
  const std::string ramp = read_text(test_data("tinygrad-2025-09/ramp.rewrites.pkl"));

  static std::string read_text(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }
  void replace(const std::string& name, std::string_view bytes) const {
    aside.write(name, bytes);
    fs::rename(aside / name, folder / name);
  }
  void change(int number) const {
    switch (number % 8) {
      case 0:
        return folder.write("a.pkl", ramp);
      case 1:
        return replace("b.json", trace(1000 + number * 100));
      case 2:
        return record(folder / "c.bin", 500, true);
      case 3:
        return folder.write("a.pkl", std::string_view(ramp).substr(0, ramp.size() / 2));
      case 4:
        return void(fs::remove(folder / "b.json"));
      case 5:
        return folder.write(fmt::format("d{}.json", number), trace(10));
      case 6:
        return record(folder / "c.bin", 100, false);
      default:
        return replace("a.pkl", ramp);
    }
  }
  void settle() const {
    replace("a.pkl", ramp);
    replace("b.json", trace(777));
    record(folder / "c.bin", 333, false);
  }
};

// Threads that ask, and what they saw that must not be. Catch's own checks belong to one thread.
class Askers {
 public:
  explicit Askers(ServedCapture& served) : served_(served) {
    for (unsigned i = 0; i < kAskers; ++i) threads_.emplace_back([this, i] { ask(i); });
    threads_.emplace_back([this] { follow_changes(); });
    threads_.emplace_back([this] { wait_and_leave(); });
  }
  ~Askers() { end(); }
  void end() {
    is_over_ = true;
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
  }

  std::atomic<std::uint64_t> answers{0}, changes{0};
  std::atomic<int> wrong_status{0};
  std::atomic<bool> went_back{false};

 private:
  // Asks one thing of one capture, and reads all of the answer but for a stream's end.
  void ask_once(const std::string& url, const std::string& id) {
    const Response response = served_.answer(url + (url.find('?') == std::string::npos ? "?" : "&") + "capture=" + id);
    if (response.events) {
      int lines = 0;
      EventStream stream({[&](std::string_view) { return ++lines < 20; }, [&] { return lines < 20 && !is_over_; }},
                         Encoding::kIdentity);
      response.events(stream);
    }
    constexpr std::array kExpected{200, 202, 400, 404, 413, 422, 503};
    if (std::ranges::find(kExpected, response.status) == kExpected.end()) wrong_status = response.status;
    if (response.body) bytes_ += response.body->bytes().size();
    ++answers;
  }
  void ask(unsigned seed) {
    static constexpr std::array<const char*, 16> kUrls{"/api/v1/session",
                                                       "/api/v1/contexts",
                                                       "/api/v1/facts",
                                                       "/api/v1/lanes",
                                                       "/api/v1/kernels",
                                                       "/api/v1/devices",
                                                       "/api/v1/range",
                                                       "/api/v1/events/search?q=e1",
                                                       "/api/v1/rules",
                                                       "/api/v1/summary",
                                                       "/api/v1/rewrites/0/0",
                                                       "/api/v1/text/0/0/1",
                                                       "/api/v1/search/0/0?q=CONST",
                                                       "/api/v1/call-tree",
                                                       "/api/v1/compare?with=c1",
                                                       "/api/v1/sql?q=select count(*) from events"};
    std::mt19937 random(seed);
    std::map<std::string, std::uint64_t> revisions;
    while (!is_over_) {
      for (const CaptureStatus& status : served_.services().session.captures()) {
        if (is_over_) return;
        if (status.loaded) {
          std::uint64_t& last = revisions[status.id];
          if (status.loaded->revision < last) went_back = true;
          last = status.loaded->revision;
        }
        if (random() % 2 == 0) ask_once(kUrls[random() % kUrls.size()], status.id);
      }
    }
  }
  void follow_changes() {
    const Session& session = served_.services().session;
    std::uint64_t last = 0;
    while (!is_over_) {
      for (const SessionChange& change : session.changes_after(last, std::chrono::milliseconds(5))) {
        if (change.number <= last) went_back = true;
        last = change.number;
        ++changes;
      }
    }
  }
  // Clients that wait for a capture and leave before it is there.
  void wait_and_leave() {
    const Session& session = served_.services().session;
    for (unsigned i = 0; !is_over_; ++i) {
      std::stop_source left;
      std::thread waiting([&] {
        const auto capture = session.capture("c" + std::to_string(i % 8), std::chrono::seconds(20), left.get_token());
        if (capture) bytes_ += (*capture)->capture.profile.tracks.size();
      });
      left.request_stop();
      waiting.join();
    }
  }

  ServedCapture& served_;
  std::atomic<bool> is_over_{false};
  std::atomic<std::uint64_t> bytes_{0};
  std::vector<std::thread> threads_;
};

std::uint64_t events_of(const CaptureStatus& status) {
  std::uint64_t count = 0;
  if (!status.loaded) return count;
  for (const Track& track : status.loaded->capture.profile.tracks) count += track.events.size();
  return count;
}

// Whether it shows what settle() left.
bool is_settled(const Session& session) {
  std::set<std::string> right;
  for (const CaptureStatus& status : session.captures()) {
    const std::string name = fs::path(status.files[0].file.path).filename();
    const bool is_ready = status.loaded && status.files[0].state == FileState::kReady;
    if (name == "a.pkl" && is_ready && status.loaded->capture.rewrites.contexts.size() == 11) right.insert(name);
    if (name == "b.json" && is_ready && events_of(status) == 777) right.insert(name);
    if (name == "c.bin" && is_ready && events_of(status) == 333) right.insert(name);
  }
  return right.size() == 3;
}

TEST_CASE("captures that change while many ask for them show what is there in the end", "[threads]") {
  const ChangingFolder changing;
  changing.settle();
  ServedCapture served(SessionInputs{.sets = {}, .folders = {changing.folder.path()}});
  const Session& session = served.services().session;
  Askers askers(served);
  for (int i = 0; i < kChanges; ++i) {
    CAPTURE(i);
    const std::uint64_t before = session.last_change();
    changing.change(i);
    REQUIRE(wait_until([&] { return session.last_change() > before; }));
  }
  changing.settle();
  CHECK(wait_until([&] { return is_settled(session); }));
  askers.end();
  CHECK(askers.wrong_status == 0);
  CHECK_FALSE(askers.went_back);
  CHECK(askers.answers > 0);
  CHECK(askers.changes >= kChanges);
}

TEST_CASE("a session that ends while captures are read and asked for ends with all that runs in it", "[threads]") {
  for (int i = 0; i < kEndings; ++i) {
    const ChangingFolder changing;
    changing.settle();
    changing.replace("large.json", trace(60'000));
    ServedCapture served(SessionInputs{.sets = {}, .folders = {changing.folder.path()}});
    Askers askers(served);
    REQUIRE(wait_until([&] { return askers.answers > 20; }));
    changing.change(i);
    served.services().session.end_waiting();
    askers.end();
    CHECK(askers.wrong_status == 0);
    CHECK_FALSE(askers.went_back);
  }
}

}  // namespace
}  // namespace vizd::session_threads_test
