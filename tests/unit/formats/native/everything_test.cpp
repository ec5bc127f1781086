// What there is to say in a capture, each thing once, said by each of the three writers (C++, C and Python), is read
// alike. tests/example/everything.py is the Python one.
#include <cstdlib>
#include <functional>

#include "base/mapped_file.h"
#include "formats/registry.h"
#include "support/catch.h"
#include "support/places.h"
#include "support/temporary_folder.h"
#include "vizd/capture_writer.h"
#include "vizd/capture_writer_c.h"

namespace vizd::everything_test {
namespace {

constexpr std::int64_t kUnixOffsetNs = 1'700'000'000'000'000'000;

void write_with_cpp(const std::string& path) {
  using capture::ArgumentType;
  capture::CaptureWriter w(path);
  const auto main = w.stack("main", "train.py", 3);
  const auto step = w.stack("step", "train.py", 12, main);
  const auto context = w.context("kernel", step);
  const auto leaf = w.op({w.kind("LEAF", "#00ff00"), "int"}, {});
  const auto twice = w.op({w.kind("ADD"), "int"}, {leaf, leaf});
  const auto shifted = w.op({w.kind("SHL"), "int", "1"}, {leaf});
  const auto simplify = w.pass(context, "simplify", twice, w.location("passes.cpp", 1));
  w.match(simplify, twice, shifted, w.location("rules.cpp", 7, "x + x -> x << 1"));
  w.program(context, "kernel", "out = x << 1;", "GPU 0");
  w.program(capture::kNoContext, "library kernel", "", "GPU 0", std::string_view("\x00\xFF\x90", 3));
  const auto time = w.measure("time", "ns");
  w.op_value(time, leaf, 1.5);
  w.op_value(time, twice, 2.5);

  w.clock("gpu clock", kUnixOffsetNs);
  w.fact("GPU 0", "multiprocessors", 132);
  w.fact("GPU 0", "bandwidth", 3.35e12, "B/s");
  w.fact("", "driver", "550.54");
  const auto rank = w.track({"rank 0", "rank"});
  const auto gpu = w.track({"GPU 0", "device", rank, 2, 1'600'000'000});
  const auto stream = w.track({"stream 7", "stream", gpu});
  const auto thread = w.track({"main", "thread", rank, -1});
  const auto flop = w.argument("FLOP", "FLOP", ArgumentType::kInteger);
  const auto bytes = w.argument("memory", "B", ArgumentType::kInteger);
  const auto occupancy = w.argument("occupancy", "%", ArgumentType::kReal);
  const auto shape = w.argument("shape", "", ArgumentType::kText);
  const auto wanted = w.argument("wanted", "B", ArgumentType::kInteger);
  w.event(stream, "gemm", 100, 50, {{flop, 2'000'000}, {bytes, 4096}, {occupancy, 0.75}, {shape, "[2,3]"}},
          {capture::EventKind::kSpan, "gemm", context});
  w.event(stream, "copy", 200, 20, {{bytes, -1}}, {capture::EventKind::kSpan, "", capture::kNoContext, true});
  w.event(stream, "plain", 230, 5);
  w.instant(thread, "out of memory", 210, {{wanted, std::int64_t{1} << 40}}, {{}, "memory"});
  w.event(thread, "all_reduce", 220, 30, {}, {capture::EventKind::kAsynchronous});
  w.event(thread, "train", 90, 200, {{w.argument("info", "", ArgumentType::kText), std::string("a line of text")}},
          {capture::EventKind::kUnfinished});
  w.run("step", "step 4", 4, 90, 250);
  w.run("call", "forward", 0, 95, 160, thread);
  w.stack_sample(thread, 120, step);
  w.stack_sample(thread, 130, step, 2.5);
  w.sample(w.counter(gpu, "power", "W"), 150, 42.5);
  w.allocation(gpu, 7, 90, 4096, capture::AllocationInfo{"float", "weights", 0x1000, context});
  w.free(gpu, 7, 260);
  w.marker("here", 95, "red");
  w.flow(thread, 95, stream, 100);
}

struct Compiled {
  std::uint32_t context, step;
};

Compiled write_compilation_with_c(vizd_writer* w) {
  const std::uint32_t main = vizd_stack(w, "main", "train.py", 3, VIZD_NONE);
  const std::uint32_t step = vizd_stack(w, "step", "train.py", 12, main);
  const std::uint32_t context = vizd_context_from(w, "kernel", step);
  vizd_op_info op = {};
  op.context = VIZD_NONE;
  op.dtype = "int";
  op.kind = vizd_kind(w, "LEAF", "#00ff00", 0);
  const std::uint32_t leaf = vizd_op(w, &op, nullptr, 0);
  const std::uint32_t sources[] = {leaf, leaf};
  op.kind = vizd_kind(w, "ADD", nullptr, 0);
  const std::uint32_t twice = vizd_op(w, &op, sources, 2);
  op.kind = vizd_kind(w, "SHL", nullptr, 0);
  op.argument = "1";
  const std::uint32_t shifted = vizd_op(w, &op, sources, 1);
  const std::uint32_t simplify =
      vizd_pass(w, context, "simplify", twice, vizd_location(w, "passes.cpp", 1, nullptr), 0);
  vizd_match(w, simplify, twice, shifted, vizd_location(w, "rules.cpp", 7, "x + x -> x << 1"), -1);
  vizd_program(w, context, "kernel", "out = x << 1;", "GPU 0", nullptr, 0);
  vizd_program(w, VIZD_NONE, "library kernel", nullptr, "GPU 0", "\x00\xFF\x90", 3);
  const std::uint32_t time = vizd_measure(w, "time", "ns");
  vizd_op_value(w, time, leaf, 1.5);
  vizd_op_value(w, time, twice, 2.5);
  return {context, step};
}

void write_events_with_c(vizd_writer* w, std::uint32_t stream, std::uint32_t thread, std::uint32_t context) {
  const std::uint32_t bytes = vizd_argument(w, "memory", "B", VIZD_INTEGER);
  const vizd_event_argument gemm_arguments[] = {
      {vizd_argument(w, "FLOP", "FLOP", VIZD_INTEGER), vizd_integer(2'000'000)},
      {bytes, vizd_integer(4096)},
      {vizd_argument(w, "occupancy", "%", VIZD_REAL), vizd_real(0.75)},
      {vizd_argument(w, "shape", nullptr, VIZD_TEXT), vizd_text("[2,3]")}};
  const vizd_event_info gemm = {VIZD_SPAN, "gemm", context, 0, gemm_arguments, 4};
  vizd_detailed_event(w, stream, "gemm", 100, 50, &gemm);
  const vizd_event_argument copied = {bytes, vizd_integer(-1)};
  const vizd_event_info copy = {VIZD_SPAN, nullptr, VIZD_NONE, 1, &copied, 1};
  vizd_detailed_event(w, stream, "copy", 200, 20, &copy);
  vizd_event(w, stream, "plain", 230, 5, nullptr, VIZD_NONE);
  const vizd_event_argument wanted = {vizd_argument(w, "wanted", "B", VIZD_INTEGER),
                                      vizd_integer(std::int64_t{1} << 40)};
  const vizd_event_info out_of_memory = {VIZD_INSTANT, "memory", VIZD_NONE, 0, &wanted, 1};
  vizd_detailed_event(w, thread, "out of memory", 210, 0, &out_of_memory);
  const vizd_event_info all_reduce = {VIZD_ASYNCHRONOUS, nullptr, VIZD_NONE, 0, nullptr, 0};
  vizd_detailed_event(w, thread, "all_reduce", 220, 30, &all_reduce);
  const vizd_event_argument line = {vizd_argument(w, "info", nullptr, VIZD_TEXT), vizd_text("a line of text")};
  const vizd_event_info train = {VIZD_UNFINISHED, nullptr, VIZD_NONE, 0, &line, 1};
  vizd_detailed_event(w, thread, "train", 90, 200, &train);
}

void write_with_c(const std::string& path) {
  vizd_writer* const w = vizd_open(path.c_str(), 0);
  const auto [context, step] = write_compilation_with_c(w);
  vizd_clock(w, "gpu clock", &kUnixOffsetNs);
  vizd_fact(w, "GPU 0", "multiprocessors", vizd_integer(132), nullptr);
  vizd_fact(w, "GPU 0", "bandwidth", vizd_real(3.35e12), "B/s");
  vizd_fact(w, nullptr, "driver", vizd_text("550.54"), nullptr);
  const auto track = [&](const char* name, const char* kind, std::uint32_t parent, std::int32_t sort,
                         std::uint64_t hertz) {
    const vizd_track_info info = {name, kind, parent, sort, hertz};
    return vizd_track(w, &info);
  };
  const std::uint32_t rank = track("rank 0", "rank", VIZD_NONE, 0, 0);
  const std::uint32_t gpu = track("GPU 0", "device", rank, 2, 1'600'000'000);
  const std::uint32_t stream = track("stream 7", "stream", gpu, 0, 0);
  const std::uint32_t thread = track("main", "thread", rank, -1, 0);
  write_events_with_c(w, stream, thread, context);
  vizd_run(w, "step", "step 4", 4, 90, 250, VIZD_NONE);
  vizd_run(w, "call", "forward", 0, 95, 160, thread);
  vizd_stack_sample(w, thread, 120, step, 1);
  vizd_stack_sample(w, thread, 130, step, 2.5);
  vizd_sample(w, vizd_counter(w, gpu, "power", "W"), 150, 42.5);
  const vizd_allocation_info buffer = {"float", "weights", 0x1000, context};
  vizd_allocation(w, gpu, 7, 90, 4096, &buffer);
  vizd_free(w, gpu, 7, 260);
  vizd_marker(w, "here", 95, "red");
  vizd_flow(w, thread, 95, stream, 100);
  REQUIRE(vizd_close(w) == 0);
}

void write_with_python(const std::string& path) {
  const std::string program = test_data("../example/everything.py");
  REQUIRE(std::system(("python3 -B '" + program + "' '" + path + "'").c_str()) == 0);
}

// What a test asks of a capture, by names.
struct Reading {
  const Capture& capture;

  std::string_view text(StringId id) const { return capture.strings.get(id); }
  const Track& track(std::string_view path) const {
    const std::vector<std::string> paths = track_paths(capture.profile.tracks, capture.strings);
    const auto found = std::ranges::find(paths, path);
    REQUIRE(found != paths.end());
    return capture.profile.tracks[static_cast<std::size_t>(found - paths.begin())];
  }
  // "4096 B", "[2,3]"; "" where the event has no such argument.
  std::string argument(const Track& track, std::uint32_t event, std::string_view name) const {
    const ArgumentColumn* const column = find_argument(track.arguments, capture.strings.find(name));
    const auto value = column == nullptr ? std::nullopt : column->of(event);
    return value ? shown(*value, column->unit) : "";
  }
  std::string shown(const ArgumentValue& value, StringId unit) const {
    std::string made;
    if (const auto* id = std::get_if<StringId>(&value)) made = text(*id);
    if (const auto* integer = std::get_if<std::int64_t>(&value)) made = fmt::format("{}", *integer);
    if (const auto* real = std::get_if<double>(&value)) made = fmt::format("{:.2f}", *real);
    return text(unit).empty() ? made : made + " " + std::string(text(unit));
  }
};

void check_compilation(const Reading& read) {
  const Rewrites& r = read.capture.rewrites;
  REQUIRE(r.contexts.size() == 1);
  CHECK(r.matches.size() == 1);
  const std::vector<Frame> frames = frames_of(read.capture.stacks, r.contexts[0].stack);
  REQUIRE(frames.size() == 2);
  CHECK(read.text(frames[0].function) == "step");
  CHECK(frames[0].line == 12);
  CHECK(read.text(frames[1].function) == "main");
  CHECK(read.text(frames[1].file) == "train.py");
  REQUIRE(r.programs.size() == 2);
  CHECK(r.contexts[0].program == ProgramId{0});
  CHECK(read.text(r.programs[0].source) == "out = x << 1;");
  CHECK(read.text(r.programs[1].name) == "library kernel");
  CHECK(read.text(r.programs[1].binary) == std::string_view("\x00\xFF\x90", 3));
  REQUIRE(r.measures.size() == 1);
  CHECK(read.text(r.measures[0].name) == "time");
  CHECK(read.text(r.measures[0].unit) == "ns");
  REQUIRE(r.measures[0].values.size() == 2);
  CHECK(r.measures[0].values[0].second == 1.5);
  CHECK(r.measures[0].values[1].first == r.passes[0].sink);
}

void check_tracks(const Reading& read) {
  const Track& rank = read.track("rank 0");
  CHECK(rank.kind == TrackKind::kRank);
  const Track& gpu = read.track("rank 0/GPU 0");
  CHECK(gpu.kind == TrackKind::kDevice);
  CHECK(gpu.sort == 2);
  CHECK(gpu.cycles_per_second == 1.6e9);
  CHECK(read.track("rank 0/GPU 0/stream 7").kind == TrackKind::kStream);
  const Track& thread = read.track("rank 0/main");
  CHECK(thread.kind == TrackKind::kThread);
  CHECK(thread.sort == -1);
  REQUIRE(thread.samples.size() == 2);
  CHECK(thread.samples.at_ns[1] == 130);
  CHECK(thread.samples.weight[0] == 1);
  CHECK(thread.samples.weight[1] == 2.5);
  CHECK(StackId{thread.samples.stack[1]} == read.capture.rewrites.contexts[0].stack);
  REQUIRE(gpu.counters.size() == 1);
  CHECK(gpu.counters[0].value[0] == 42.5);
  REQUIRE(gpu.allocations.size() == 1);
  const Allocation& buffer = gpu.allocations[0];
  CHECK(buffer.size_bytes() == 4096);
  CHECK(buffer.address == 0x1000);
  CHECK(read.text(buffer.category) == "weights");
  CHECK(buffer.context == ContextId{0});
  CHECK(buffer.freed);
  CHECK(buffer.death_ns == 260);
}

void check_events(const Reading& read) {
  const Track& stream = read.track("rank 0/GPU 0/stream 7");
  REQUIRE(stream.events.size() == 3);
  const Event gemm = stream.events[0], copy = stream.events[1], plain = stream.events[2];
  CHECK(gemm.kind == EventKind::kSpan);
  CHECK(read.text(gemm.category) == "gemm");
  CHECK(gemm.context == ContextId{0});
  CHECK_FALSE(gemm.is_error);
  CHECK(read.argument(stream, 0, "FLOP") == "2000000 FLOP");
  CHECK(read.argument(stream, 0, "memory") == "4096 B");
  CHECK(read.argument(stream, 0, "occupancy") == "0.75 %");
  CHECK(read.argument(stream, 0, "shape") == "[2,3]");
  CHECK(copy.is_error);
  CHECK(copy.context == ContextId{kNoId});
  CHECK(read.argument(stream, 1, "memory") == "-1 B");
  CHECK(read.argument(stream, 1, "FLOP").empty());
  CHECK(plain.dur_ns == 5);
  CHECK(read.argument(stream, 2, "memory").empty());
  const Track& thread = read.track("rank 0/main");
  REQUIRE(thread.events.size() == 3);
  CHECK(thread.events[0].kind == EventKind::kInstant);
  CHECK(read.text(thread.events[0].category) == "memory");
  CHECK(read.argument(thread, 0, "wanted") == "1099511627776 B");
  CHECK(thread.events[1].kind == EventKind::kAsynchronous);
  CHECK(thread.events[2].kind == EventKind::kUnfinished);
  CHECK(read.argument(thread, 2, "info") == "a line of text");
}

void check_profile(const Reading& read) {
  const Profile& profile = read.capture.profile;
  CHECK(read.text(profile.clock.name) == "gpu clock");
  CHECK(profile.clock.unix_offset_ns == kUnixOffsetNs);
  REQUIRE(profile.runs.size() == 2);
  CHECK(profile.runs[0].track == Track::kNoParent);
  CHECK(read.text(profile.runs[0].kind) == "step");
  CHECK(read.text(profile.runs[0].name) == "step 4");
  CHECK(profile.runs[0].number == 4);
  CHECK(profile.runs[0].to_ns == 250);
  REQUIRE(profile.runs[1].track < profile.tracks.size());
  CHECK(read.text(profile.tracks[profile.runs[1].track].name) == "main");
  CHECK(profile.runs[1].from_ns == 95);
  REQUIRE(profile.markers.size() == 1);
  REQUIRE(profile.flows.size() == 1);
  CHECK(read.text(profile.tracks[profile.flows[0].to_track].name) == "stream 7");
  const std::vector<Fact>& facts = read.capture.facts;
  REQUIRE(facts.size() == 3);
  CHECK(read.text(facts[0].subject) == "GPU 0");
  CHECK(read.text(facts[0].name) == "multiprocessors");
  CHECK(facts[0].value == ArgumentValue(std::int64_t{132}));
  CHECK(facts[1].value == ArgumentValue(3.35e12));
  CHECK(read.text(facts[1].unit) == "B/s");
  CHECK(read.shown(facts[2].value, facts[2].unit) == "550.54");
}

TEST_CASE("each writer says everything, and all of it is read", "[capture_writer]") {
  const auto& [name, write] = GENERATE(table<const char*, std::function<void(const std::string&)>>(
      {{"C++", write_with_cpp}, {"C", write_with_c}, {"Python", write_with_python}}));
  INFO("written from " << name);
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/everything.bin";
  write(path);
  const auto file = MappedFile::open(path);
  REQUIRE(file);
  Capture capture;
  REQUIRE(read_capture({path, file->bytes()}, capture));
  CHECK(capture.skipped.empty());
  CHECK(capture.warnings.empty());
  const Reading read{capture};
  check_compilation(read);
  check_tracks(read);
  check_events(read);
  check_profile(read);
}

TEST_CASE("an argument's value becomes one of its type, or is left out", "[capture_writer]") {
  using capture::ArgumentType;
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/a.bin";
  {
    capture::CaptureWriter writer(path);
    const auto whole = writer.argument("whole", "", ArgumentType::kInteger);
    const auto real = writer.argument("real", "", ArgumentType::kReal);
    const auto words = writer.argument("words", "", ArgumentType::kText);
    CHECK(writer.argument("real", "", ArgumentType::kReal) == real);
    CHECK(writer.argument("real", "s", ArgumentType::kReal) != real);
    const auto track = writer.track({"thread", "thread"});
    CHECK(writer.track({"thread", "thread"}) == track);
    CHECK(writer.track({"thread", "process"}) != track);
    CHECK(writer.track({"thread", "thread", track}) != track);
    writer.event(track, "numbers", 0, 1, {{whole, 2.75}, {real, 3}, {words, 4}});
    writer.event(track, "texts", 2, 1, {{whole, "a"}, {real, "b"}, {words, "c"}});
    writer.event(track, "old", 4, 1, "some lines");
  }
  const auto file = MappedFile::open(path);
  REQUIRE(file);
  Capture capture;
  REQUIRE(read_capture({path, file->bytes()}, capture));
  CHECK(capture.skipped.empty());
  const Reading read{capture};
  const Track& track = read.track("thread");
  CHECK(read.argument(track, 0, "whole") == "2");
  CHECK(read.argument(track, 0, "real") == "3.00");
  CHECK(read.argument(track, 0, "words").empty());
  CHECK(read.argument(track, 1, "whole").empty());
  CHECK(read.argument(track, 1, "real").empty());
  CHECK(read.argument(track, 1, "words") == "c");
  CHECK(read.argument(track, 2, "info") == "some lines");
}

}  // namespace
}  // namespace vizd::everything_test
