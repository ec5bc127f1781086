// Which memory snapshots and traces are of one run.
#include "analysis/allocator/same_run.h"

#include "support/catch.h"
#include "support/made_allocator.h"

namespace vizd::same_run_test {
namespace {

void set_times(Capture& capture, std::int64_t from, std::int64_t to) {
  capture.profile.clock.unix_offset_ns = 1'000'000;
  capture.profile.start_ns = from;
  capture.profile.end_ns = to;
}

void make_trace(Capture& capture, std::int64_t from, std::int64_t to) {
  Track& track = capture.profile.tracks.emplace_back();
  track.kind = TrackKind::kThread;
  track.events.push_back({.start_ns = from, .dur_ns = to - from, .name = capture.strings.add("work")});
  set_times(capture, from, to);
}

TEST_CASE("a snapshot and a trace are of one run where their times overlap on one clock") {
  Capture snapshot, trace, later, of_both;
  add_made_allocator(snapshot, 100, 1), set_times(snapshot, 0, 250);
  make_trace(trace, 200, 300), make_trace(later, 251, 300);
  const auto memory = run_part(snapshot, "run.pickle");
  REQUIRE(memory);
  CHECK(memory->is_memory);
  CHECK(are_of_one_run(*memory, *run_part(trace, "run.json")));
  CHECK(!are_of_one_run(*memory, *run_part(later, "run.json")));
  CHECK(!are_of_one_run(*memory, *memory));
  CHECK(!are_of_one_run(*run_part(trace, "a"), *run_part(later, "b")));
  trace.profile.clock.unix_offset_ns.reset();
  CHECK(!run_part(trace, "run.json"));  // its clock is not known
  add_made_allocator(of_both, 100, 1), make_trace(of_both, 0, 100);
  CHECK(!run_part(of_both, "both.bin"));
}

TEST_CASE("where both are named for a rank, it is the same") {
  Capture snapshot, trace;
  add_made_allocator(snapshot, 100, 1), set_times(snapshot, 0, 250);
  make_trace(trace, 200, 300);
  const auto is_same = [&](const char* memory, const char* of_trace) {
    return are_of_one_run(*run_part(snapshot, memory), *run_part(trace, of_trace));
  };
  CHECK(is_same("rank0_memory_snapshot", "trace_rank_0"));
  CHECK(!is_same("rank0_memory_snapshot", "trace_rank_1"));
  CHECK(is_same("oom_rank3", "Rank 3"));
  CHECK(is_same("oom_rank3", "trace"));
  CHECK(is_same("franklin", "trace_rank_1"));
}

}  // namespace
}  // namespace vizd::same_run_test
