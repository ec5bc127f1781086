// XPlane files: what becomes of their planes, lines and events, which of them are work, and of everything that is wrong
// with a file. The file is made by tests/data/make_xplane.py, with times chosen by hand.
#include <algorithm>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "analysis/xla/nesting.h"
#include "analysis/xla/op_traits.h"
#include "analysis/xla/xla_breakdown.h"
#include "analysis/xla/xla_kernels.h"
#include "formats/claims.h"
#include "formats/sniffer.h"
#include "formats/xplane/format.h"
#include "support/catch.h"
#include "support/temporary_folder.h"
#include "support/test_data.h"

namespace vizd::xplane_test {
namespace {

using Strings = std::vector<std::string>;

std::string file_bytes() { return read_test_data("../golden/xplane/two_devices/input/host.xplane.pb"); }

Result<void> read(std::string_view bytes, Capture& capture) {
  OpenSet set({"DIR/a.xplane.pb", std::as_bytes(std::span(bytes))});
  return xplane::read(set, capture);
}

struct Opened {
  explicit Opened(const std::string& bytes) {
    if (const auto result = read(bytes, capture); !result) FAIL(result.error().text());
  }
  const XlaHost& host() const { return capture.profile.xla->hosts.at(0); }
  Capture capture;
};

// "NAME START+DURATION ROLE" of the events of the track of that path.
Strings events_of(const Capture& capture, const std::string& path) {
  const std::vector<std::string> paths = track_paths(capture.profile.tracks, capture.strings);
  const auto found = std::ranges::find(paths, path);
  Strings texts;
  if (found == paths.end()) return {"no track"};
  for (const Event event : capture.profile.tracks[static_cast<std::size_t>(found - paths.begin())].events) {
    constexpr std::string_view kRoles[] = {"", " kernel", " memcpy", " memset", " call", " operator"};
    std::string text(capture.strings.get(event.name));
    text += " " + std::to_string(event.start_ns) + "+" + std::to_string(event.dur_ns);
    text += kRoles[static_cast<std::size_t>(event.role)];
    if (event.kind != EventKind::kSpan) text += " " + std::string(event_kind_name(event.kind));
    texts.push_back(text);
  }
  return texts;
}

// A field whose value is bytes, and one that is a number.
std::string data(unsigned field, const std::string& value) {
  std::string out(1, static_cast<char>(field << 3 | 2));
  for (std::size_t size = value.size();; size >>= 7) {
    out.push_back(static_cast<char>(size < 0x80 ? size : (size & 0x7F) | 0x80));
    if (size < 0x80) return out + value;
  }
}
std::string number(unsigned field, unsigned value) {
  return {static_cast<char>(field << 3), static_cast<char>(value)};  // below 128
}

TEST_CASE("lines are lanes, and streams, ops of TPUs and nothing else are work", "[xplane]") {
  const Opened opened(file_bytes());
  CHECK(events_of(opened.capture, "test-host/\\/device:GPU:0/Stream #7(Compute,MemcpyH2D)") ==
        Strings{"MemcpyH2D 1000+400 memcpy", "gemm_kernel 2000+1500 kernel", "gemm_kernel 8000+1500 kernel"});
  CHECK(events_of(opened.capture, "test-host/\\/device:GPU:0/XLA Ops") == Strings{"dot.1 2000+1500"});
  CHECK(events_of(opened.capture, "test-host/\\/device:TPU:0/Async XLA Ops") ==
        Strings{"copy-start.4 1500+2000 asynchronous"});
  CHECK(events_of(opened.capture, "test-host/\\/host:CPU/python\\/123").back() == "mark 900+0 instant");
  CHECK(opened.host().work.size() == 7);
  CHECK(opened.host().base_time_ns == 1'790'000'000'000'000'000);
  CHECK(opened.capture.skipped.empty());
  CHECK(opened.capture.warnings.empty());
}

TEST_CASE("calls lead to their work, producers to consumers, by ids modulo 2^64", "[xplane]") {
  const Opened opened(file_bytes());
  const XlaHost& host = opened.host();
  CHECK(opened.capture.profile.flows.size() == 4);
  REQUIRE(host.flows.at(12).joined == 1);
  for (const XlaWork& work : host.work) CHECK(work.call != kNoId);
  CHECK(host.correlated_calls == 3);
  // A program of more than 63 bits.
  CHECK(std::ranges::any_of(host.kinds,
                            [](const XlaWorkKind& kind) { return kind.program_id == (std::uint64_t{1} << 63) + 9; }));
  REQUIRE(host.modules.size() == 1);
  CHECK(host.modules[0].name == "jit_step");
  CHECK(host.modules[0].program_id == 17u);
  CHECK(host.modules[0].bytes.size() == 123);
}

TEST_CASE("self times are by the device's own clock, and breakdowns as drawn", "[xplane]") {
  const Opened opened(file_bytes());
  std::map<std::string, XlaKernel> kernels;
  for (const XlaKernel& row : xla_kernels(opened.capture)) kernels.emplace(opened.capture.strings.get(row.name), row);
  CHECK(kernels.at("while.1").self_ps == 4'000'500);
  CHECK(kernels.at("fusion.2").self_ps == 3'600'000);
  CHECK(kernels.at("fusion.2").total_ps == 3'500'250);
  CHECK(kernels.at("all-reduce.3").is_communication);
  CHECK(kernels.at("gemm_kernel").registers == 38);
  CHECK(kernels.at("gemm_kernel").grid == "160,1,1");
  CHECK(kernels.at("MemcpyH2D").bytes_copied == 4096);
  const std::vector<XlaBreakdown> rows = xla_breakdown(opened.capture, 30'000);
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].busy_ns == 8'500);
  CHECK(rows[0].compute_ns == 7'500);
  CHECK(rows[0].communication_ns == 1'000);
  CHECK(rows[0].async_overlap_ns == 2'000);
  // Enqueued before the gap, which is short; the GPU's last kernel was launched after the one before it had ended.
  CHECK(rows[0].idle_kernel_ns == 500);
  CHECK(rows[1].idle_host_ns == 4'500);
  CHECK(rows[2].stream == ArgumentValue(std::int64_t{7}));
}

TEST_CASE("steps and allocators are told", "[xplane]") {
  const Opened opened(file_bytes());
  CHECK(xla_steps(opened.capture).size() == 3);
  REQUIRE(opened.host().allocators.size() == 1);
  CHECK(opened.host().allocators[0].peak_bytes == 3072);
  CHECK(opened.host().allocators[0].capacity_bytes == 8192);
  const Track& memory = opened.capture.profile.tracks.back();
  REQUIRE(memory.counters.size() == 2);
  CHECK(opened.capture.strings.get(memory.counters[0].name) == kAllocatedCounter);
  CHECK(memory.counters[0].value[2] == 2048);
  REQUIRE(memory.allocations.size() == 2);
  CHECK(memory.allocations[0].freed);
  CHECK(memory.allocations[0].death_ns == 300);
  CHECK(memory.allocations[1].size_bytes() == 2048);
  CHECK_FALSE(memory.allocations[1].freed);
}

TEST_CASE("every moment belongs to the innermost op", "[xplane]") {
  const XlaSpan ops[] = {{0, 100}, {10, 50}, {20, 30}, {40, 60}, {100, 100}};
  std::int64_t self_ps[5] = {};
  for (const XlaPiece& piece : innermost_pieces(ops)) self_ps[piece.op] += piece.span.dur_ps();
  CHECK(self_ps[0] == 50);
  CHECK(self_ps[1] == 20);
  CHECK(self_ps[2] == 10);
  CHECK(self_ps[3] == 20);
  CHECK(self_ps[4] == 0);
}

TEST_CASE("names of ops are one without what tells their copies apart", "[xplane]") {
  CHECK(op_base_name("all-reduce-start.3.clone.remat2") == "all-reduce-start");
  CHECK(op_base_name("fusion.a") == "fusion.a");
  CHECK(op_base_name("copy.1x") == "copy.1x");
}

TEST_CASE("a file cut anywhere gives its whole planes and a warning, or one error with a place", "[xplane]") {
  const std::string bytes = file_bytes();
  std::size_t errors = 0;
  for (std::size_t size = 1; size < bytes.size(); ++size) {
    Capture capture;
    const auto result = read(bytes.substr(0, size), capture);
    if (!result) {
      ++errors;
      CHECK(result.error().where.starts_with("DIR/a.xplane.pb:"));
      continue;
    }
    const XlaHost& host = capture.profile.xla->hosts.at(0);
    CHECK(host.is_cut == (capture.warnings.size() == 1));
    CHECK(host.planes.size() <= 5);
  }
  CHECK(errors > 0);
  CHECK(errors < bytes.size() / 2);
}

TEST_CASE("a plane whose events are broken is cut off with all behind it", "[xplane]") {
  const std::string whole =
      data(1, number(1, 1) + data(2, "/host:CPU") + data(3, data(2, "thread") + data(4, number(3, 9))));
  const std::string broken = data(1, number(1, 2) + data(2, "/host:B") + data(3, data(4, "\x08")));
  const Opened opened(whole + broken + whole);
  CHECK(opened.host().planes.size() == 1);
  CHECK(opened.host().events == 1);
  CHECK(opened.host().is_cut);
  CHECK(opened.host().name == "a");
  REQUIRE(opened.capture.warnings.size() == 1);
  CHECK(opened.capture.warnings[0].starts_with("DIR/a.xplane.pb:" + std::to_string(whole.size()) + ":"));
}

TEST_CASE("changed bytes of an XPlane file end in records or one error", "[xplane]") {
  const std::string bytes = file_bytes();
  std::mt19937_64 random(57);
  for (int i = 0; i < 10'000; ++i) {
    std::string changed = bytes;
    for (std::uint64_t k = 0; k <= random() % 3; ++k) changed[random() % changed.size()] = static_cast<char>(random());
    Capture capture;
    const auto result = read(changed, capture);
    if (!result) {
      CHECK_FALSE(result.error().message.empty());
      continue;
    }
    for (const XlaBreakdown& row : xla_breakdown(capture, 30'000))
      CHECK(row.busy_ns + row.idle_ns == row.end_ns - row.start_ns);
    xla_kernels(capture);
  }
}

TEST_CASE("the hosts of a run are one capture, and what was made of them is left out", "[xplane]") {
  const TemporaryFolder folder;
  const std::string run = "plugins/profile/2026_11_29";
  std::filesystem::create_directories(std::filesystem::path(folder / run));
  folder.write(run + "/host-a.xplane.pb", file_bytes());
  folder.write(run + "/host-b.xplane.pb", file_bytes());
  folder.write(run + "/host-a.trace.json", R"({"traceEvents":[{"ph":"X","ts":1,"dur":1,"name":"a","pid":1,"tid":1}]})");
  folder.write(run + "/host-a.op_stats.pb", "x");
  Sniffer sniffer;
  for (const std::string& listed : {folder / run, folder.path()}) {
    const auto sets = claim_sets(list_folder(listed, sniffer), Listing::kFolder);
    REQUIRE(sets.size() == 1);
    CHECK(sets[0].name == "2026_11_29 (2 hosts)");
    CHECK(sets[0].files.size() == 2);
    Capture capture;
    OpenSet set(sets[0]);
    REQUIRE(xplane::read(set, capture));
    CHECK(capture.profile.xla->hosts.size() == 2);
  }
}

TEST_CASE("an XPlane file is known by its first plane", "[xplane]") {
  const auto knows = [](const std::string& bytes, std::string_view name = "") {
    return xplane::sniff({std::as_bytes(std::span(bytes)), name});
  };
  CHECK(knows(file_bytes()));
  CHECK(knows(file_bytes().substr(0, 40)));
  CHECK(knows(data(4, "host") + data(1, data(2, "Task Environment"))));
  // Fields that newer writers may add: a number, four bytes, and a text.
  CHECK(
      knows(std::string("\xE0\x03\x05\xED\x03\x00\x00\xC0\x3F", 9) + data(9, "later") + data(1, data(2, "/host:CPU"))));
  CHECK_FALSE(knows(std::string("\xEB\x03\x05", 3) + data(1, data(2, "/host:CPU"))));  // no wire type
  CHECK_FALSE(knows(data(1, data(2, "main"))));
  CHECK_FALSE(knows(data(1, data(3, "x"))));
  CHECK(knows("\x0A\xEF\xBF\xBD", "a.xplane.pb"));
}

}  // namespace
}  // namespace vizd::xplane_test
