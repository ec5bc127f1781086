// Allocations of a memory snapshot and the operators of a trace of the same run.
#include "analysis/allocator/trace_links.h"

#include "support/catch.h"

namespace vizd::trace_links_test {
namespace {

constexpr std::int64_t kTrace_ns = 1'000'000'000, kSnapshot_ns = 1'000'000'500;  // when the clocks were zero

// Two threads: 1 with aten::add from 100 to 200, in it aten::empty from 120 to 130; 2 with aten::mm from 300 to 400.
struct Trace {
  Capture capture;

  Trace() {
    capture.profile.clock.unix_offset_ns = kTrace_ns;
    capture.profile.tracks.resize(2);
    add_span(0, "aten::add", 100, 100), add_span(0, "aten::empty", 120, 10), add_span(1, "aten::mm", 300, 100);
  }
  void add_span(std::size_t track, const char* name, std::int64_t at, std::int64_t dur) {
    capture.profile.tracks[track].events.push_back(
        {.start_ns = at, .dur_ns = dur, .name = capture.strings.add(name), .category = capture.strings.add("cpu_op")});
  }
  void report(std::size_t place, std::int64_t at, std::int64_t device, std::int64_t address, std::int64_t bytes,
              std::int64_t type = 1) {
    Track& track = capture.profile.tracks[place];
    const auto event = static_cast<std::uint32_t>(track.events.size());
    track.events.push_back({.start_ns = at, .name = capture.strings.add("[memory]"), .kind = EventKind::kInstant});
    const std::pair<const char*, std::int64_t> all[] = {
        {"Device Type", type}, {"Device Id", device}, {"Addr", address}, {"Bytes", bytes}};
    for (const auto& [key, value] : all) {
      find_or_add_argument(track.arguments, capture.strings.add(key), capture.strings.add(""), ArgumentType::kInteger)
          .push_back(event, ArgumentValue(value));
    }
  }
  std::string_view name(const AllocationLink& link) const {
    return link.event == kNoId ? "" : capture.strings.get(capture.profile.tracks[link.track].events.name(link.event));
  }
};

TEST_CASE(
    "an allocation is that of the report with its device and address that is nearest, and its operator the innermost") {
  Trace trace;
  trace.report(0, 125, 0, 4096, 512);
  trace.report(0, 150, 0, 8192, 512);
  trace.report(1, 350, 0, 4096, 512);
  trace.report(1, 500, 1, 4096, 512);
  trace.report(0, 126, 0, 12288, -512);    // freed
  trace.report(0, 127, 0, 16384, 512, 0);  // of the host
  const TraceLinks links(trace.capture);
  REQUIRE(links.has_reports());
  const auto at = [&](std::int64_t device, std::uint64_t address, std::int64_t ns) {
    const auto link = links.of(device, address, kTrace_ns + ns);
    return !link ? "none" : trace.name(*link);
  };
  CHECK(at(0, 4096, 126) == "aten::empty");
  CHECK(at(0, 4096, 340) == "aten::mm");
  CHECK(at(0, 8192, 100) == "aten::add");
  CHECK(at(1, 4096, 500).empty());  // nothing was open then
  CHECK(at(0, 12288, 126) == "none");
  CHECK(at(0, 16384, 127) == "none");
  CHECK(at(0, 4096, 350 + 1'000'000) == "aten::mm");
  CHECK(at(0, 4096, 351 + 1'000'000) == "none");  // a millisecond away at most
  CHECK(links.of(0, 4096, kTrace_ns + 126)->is_sure);
  CHECK(links.of(0, 4096, kTrace_ns + 126)->at_ns == 125);
}

TEST_CASE("without reports the time tells, where one thread alone may have asked, or one has the stack's operator") {
  Trace trace;
  trace.add_span(1, "aten::mul", 110, 80);
  const TraceLinks links(trace.capture);
  REQUIRE(!links.has_reports());
  const auto guess = [&](std::string_view operation, std::int64_t ns) {
    const auto link = links.guess(operation, kTrace_ns + ns);
    return !link ? "none" : trace.name(*link);
  };
  CHECK(guess("", 125) == "none");  // both threads were at work
  CHECK(guess("mul_Tensor", 125) == "aten::mul");
  CHECK(guess("add", 125) == "aten::add");
  CHECK(guess("addmm", 125) == "none");
  CHECK(guess("", 105) == "aten::add");
  CHECK(guess("", 250) == "none");
  CHECK(!links.guess("", kTrace_ns + 105)->is_sure);
}

TEST_CASE("what a thread asked for in a time, and the moments of a time, are found across two clocks") {
  Trace trace;
  trace.report(0, 600, 0, 4096, 512), trace.report(0, 700, 0, 8192, 512), trace.report(1, 650, 0, 12288, 512);
  Capture snapshot;
  snapshot.profile.clock.unix_offset_ns = kSnapshot_ns;
  auto log = std::make_shared<AllocatorLog>();
  log->has_times = true;
  log->sites.push_back({});
  Track memory;
  for (const auto& [address, at] : {std::pair{4096u, 100}, {12288u, 150}, {8192u, 200}}) {
    log->entries.action.push_back(AllocatorAction::kAlloc);
    log->entries.at_ns.push_back(at);
    log->lives.born.push_back(static_cast<AllocatorMoment>(log->entries.size()));
    log->lives.site.push_back(0);
    memory.allocations.push_back({.count = 512, .item_size_bytes = 1, .address = address});
  }
  memory.allocator = log;
  const TraceLinks links(trace.capture);
  const LinkedLives lives(snapshot, memory, links);
  const auto asked = [&](std::uint32_t track, std::int64_t from, std::int64_t to) {
    const auto found = lives.asked_in(track, from, to);
    return std::vector<std::uint32_t>(found.begin(), found.end());
  };
  CHECK(asked(0, 0, 1000) == std::vector<std::uint32_t>{0, 2});
  CHECK(asked(0, 601, 700) == std::vector<std::uint32_t>{2});
  CHECK(asked(1, 600, 700) == std::vector<std::uint32_t>{1});
  CHECK(asked(1, 651, 700).empty());
  const auto moments = moments_of_trace(snapshot, *log, trace.capture, 600, 650);
  CHECK(moments.first == 1);
  CHECK(moments.second == 2);
}

}  // namespace
}  // namespace vizd::trace_links_test
