// Conversion loses nothing: a capture with every field of the model set comes back from its bytes with each of them.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "formats/native/capture_encoder.h"
#include "formats/registry.h"
#include "formats/told_dialect.h"
#include "support/catch.h"
#include "support/pickle_writer.h"

namespace vizd::round_trip_test {
namespace {

const std::string kBinary(
    "\x7F"
    "ELF\0\xFF\xFE code",
    12);

// A graph that a rule changes, in two contexts, with all that a pass, a match, a program and a link can say.
void fill_rewrites(Capture& capture) {
  StringTable& s = capture.strings;
  ValueTable& v = capture.values;
  OpGraph& ops = capture.ops;
  const OpId leaf = ops.add(0, v.string("int"), {}, v.integer(-3), v.boolean(true));
  const ValueId fields[] = {v.string("shape"), v.real(0.5)};
  const ValueId items[] = {v.big_integer("123456789012345678901234567890"), v.bytes(kBinary), v.op(leaf),
                           v.member("Kind", "FAST", 4), v.object("a.Thing", fields)};
  const ValueId tuple = v.sequence(ValueKind::kTuple, items);
  const OpId sources[] = {leaf, leaf};
  const OpId twice = ops.add(1, v.string("int"), sources, tuple, kNoneValue);
  const OpId shifted = ops.add(1, kNoneValue, std::span(sources, 1), v.sequence(ValueKind::kDict, fields), tuple);

  Rewrites& r = capture.rewrites;
  r.locations = {{s.add("passes.py"), 12, StringId{kNoId}}, {s.add("rules.py"), 7, s.add("x + x -> x << 1")}};
  r.programs = {{s.add("k0"), s.add("void k0() {}"), s.add(kBinary), s.add("GPU"), tuple},
                {s.add("k1"), StringId{}, StringId{}, s.add("CPU"), kNoneValue}};
  r.programs.push_back({s.add("alone"), s.add("nobody's"), StringId{}, s.add("GPU"), kNoneValue});
  r.measures = {{s.add("time"), s.add("ns"), {{leaf, 1.5}, {twice, -0.25}}}, {s.add("gap"), StringId{}, {}}};
  capture.stacks = {{{s.add("main"), s.add("main.py"), 3}, StackId{kNoId}},
                    {{s.add("train"), StringId{}, 0}, StackId{0}}};
  r.contexts = {{s.add("\x1b[31mfirst\x1b[0m"), 0, 2, ProgramId{0}, StackId{1}},
                {s.add("second"), 2, 1, ProgramId{1}, StackId{kNoId}}};
  r.passes = {{s.add("simplify"), LocationId{0}, twice, 0, 2, 3, false, true, false},
              {StringId{}, LocationId{1}, shifted, 2, 0, 0, true, false, false},
              {s.add("in place"), LocationId{0}, twice, 2, 1, 0, false, false, true}};
  r.matches = {
      {twice, shifted, LocationId{1}, 0.1}, {leaf, twice, LocationId{0}, -1}, {twice, shifted, LocationId{1}, -1}};
  r.context_by_op = {{twice, ContextId{1}}};
  r.context_by_name = {{s.add("k0"), ContextId{0}}};
  capture.has_rewrites = true;
  capture.dialect =
      told::make_dialect(capture, {{s.add("LEAF"), s.add("#c0f0c0"), true}, {s.add("ADD"), StringId{}, false}});
}

// Two tracks of one name under different parents, with all that an event, a counter, a sample, an allocation and a flow
// can say.
void fill_profile(Capture& capture) {
  StringTable& s = capture.strings;
  Profile& p = capture.profile;
  p.tracks.resize(4);
  p.tracks[0].name = s.add("rank 1");
  p.tracks[0].kind = TrackKind::kRank;
  p.tracks[1].name = s.add("GPU");
  p.tracks[1].kind = TrackKind::kDevice;
  p.tracks[1].sort = -2;
  Track& host = p.tracks[2];
  host.name = s.add("stream 7");
  host.kind = TrackKind::kStream;
  host.parent = 0;
  host.cycles_per_second = 1.25e9;
  host.events.push_back({.start_ns = -5, .dur_ns = 0, .name = s.add("begin"), .kind = EventKind::kInstant});
  host.events.push_back({.start_ns = 10,
                         .dur_ns = std::int64_t{1} << 40,
                         .name = s.add("launch"),
                         .context = ContextId{1},
                         .category = s.add("cuda_runtime"),
                         .kind = EventKind::kUnfinished,
                         .is_error = true,
                         .order = 3,
                         .dur_ps = 999});
  host.events.push_back({.start_ns = 11, .dur_ns = 0, .name = s.add("nothing")});
  const auto add = [&](std::string_view name, std::string_view unit, std::uint32_t event, const ArgumentValue& value) {
    find_or_add_argument(host.arguments, s.add(name), s.add(unit), type_of(value)).push_back(event, value);
  };
  add("bytes", "B", 0, std::int64_t{17});
  add("empty", "", 0, StringId{});
  add("bytes", "B", 1, std::int64_t{-1} << 62);
  add("rate", "B/s", 1, 0.125);
  add("shape", "", 1, s.add("[[2, 3], []]"));
  host.samples.push_back(4, StackId{1}, 2.5);
  host.samples.push_back(9, StackId{0});
  host.counters.push_back({.name = s.add("power"), .unit = s.add("W"), .at_ns = {}, .value = {}});
  for (const double value : {1.5, -2.5}) {
    host.counters[0].at_ns.push_back(static_cast<std::int64_t>(100 * value));
    host.counters[0].value.push_back(value);
  }
  host.counters.push_back({.name = s.add("no samples"), .unit = StringId{}, .at_ns = {}, .value = {}});
  Track& device = p.tracks[3];
  device.name = host.name;
  device.parent = 1;
  device.events.push_back(
      {.start_ns = 20, .dur_ns = 30, .name = s.add("kernel"), .kind = EventKind::kAsynchronous, .order = 1});
  Allocation freed{.key = 7,
                   .count = 3,
                   .item_size_bytes = 4,
                   .dtype = s.add("float"),
                   .category = s.add("weights"),
                   .context = ContextId{0},
                   .address = 0x7F0000001000,
                   .birth_ns = 5,
                   .death_ns = 50,
                   .birth_order = 0,
                   .death_order = 2,
                   .freed = true,
                   .asked_by = 2};
  device.allocations = {
      freed,
      {.key = 8, .count = 1, .item_size_bytes = 1, .address = 0, .birth_ns = 6, .birth_order = 1, .is_earlier = true}};
  device.uses.push_back({1, 2, 1});
  device.uses.push_back({0, 3, 0});
  p.flows.push_back({2, 1, 3, 0});
  p.runs = {{2, s.add("step"), s.add("step 5"), 5, 10, 20}, {Track::kNoParent, s.add("call"), StringId{}, -1, 20, 21}};
  p.clock = {s.add("monotonic of box"), std::int64_t{1'790'000'000'000'000'000}};
  p.markers = {{33, s.add("epoch 2"), s.add("rgb(1, 2, 3)")}};
  p.start_ns = -6;
  p.end_ns = std::int64_t{1} << 41;
  capture.has_profile = true;
}

void fill(Capture& capture) {
  fill_rewrites(capture);
  fill_profile(capture);
  capture.format = "vizd";
  StringTable& s = capture.strings;
  capture.facts = {{s.add("GPU 0"), s.add("memory"), std::int64_t{80} << 30, s.add("B")},
                   {StringId{}, s.add("torch"), s.add("2.9"), StringId{}},
                   {StringId{}, s.add("clock"), 1.75, s.add("GHz")}};
  capture.skipped = {{"event without a name", 3}, {"op of no kind", 1}};
  for (int i = 0; i < 12; ++i) capture.warnings.push_back(fmt::format("warning {}", i));
}

// All that a capture holds, a fact a line; strings and values by what they are, everything else by its id.
class Description {
 public:
  explicit Description(const Capture& capture) : c_(capture) {
    add("{} {} {}", c_.format, c_.has_rewrites, c_.has_profile);
    for (const auto& [reason, count] : c_.skipped) add("skipped {} {}", reason, count);
    for (const std::string& warning : c_.warnings) add("warning {}", warning);
    add_ops();
    add_rewrites();
    add_profile();
  }
  std::vector<std::string> lines;

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    lines.push_back(fmt::format(format, std::forward<Args>(args)...));
  }
  std::string_view text(StringId id) const { return id == StringId{kNoId} ? "none" : c_.strings.get(id); }
  std::string value(ValueId id) const {
    const ValueTable& v = c_.values;
    std::string all = fmt::format("{}:{}", static_cast<int>(v.kind(id)), static_cast<std::uint32_t>(v.equality(id)));
    switch (v.kind(id)) {
      case ValueKind::kBool:
      case ValueKind::kInt:
        return all + fmt::format(" {}", v.as_int(id));
      case ValueKind::kFloat:
        return all + fmt::format(" {}", v.as_real(id));
      case ValueKind::kBigInt:
      case ValueKind::kString:
      case ValueKind::kBytes:
        return all + fmt::format(" {}", v.text(id));
      case ValueKind::kOp:
        return all + fmt::format(" op {}", index(v.as_op(id)));
      case ValueKind::kEnum:
      case ValueKind::kObject:
        all += v.type_name(id);
        break;
      default:
        break;
    }
    for (const ValueId item : v.items(id)) all += "(" + value(item) + ")";
    return all;
  }

  void add_ops() {
    for (std::size_t i = 0; i < c_.ops.size(); ++i) {
      const Op op = c_.ops.op(to_id<OpId>(i));
      add("op {} {}: {} | {} | {}", c_.dialect->kind_name(op.kind), c_.dialect->kind_colour(op.kind), value(op.dtype),
          value(op.arg), value(op.tag));
      add("inlined {}", c_.dialect->analyse(c_.ops)->is_inlined(to_id<OpId>(i)));
      for (const OpId source : op.src) add("source {}", index(source));
    }
  }
  void add_rewrites() {
    const Rewrites& r = c_.rewrites;
    for (const Context& x : r.contexts)
      add("context {} {} {} {} {}", text(x.name), x.first_pass, x.pass_count, index(x.program), index(x.stack));
    for (const OpMeasure& x : r.measures) {
      add("measure {} {}", text(x.name), text(x.unit));
      for (const auto& [op, number] : x.values) add("number {} {}", index(op), number);
    }
    for (const Program& x : r.programs) {
      add("program {} {} {} {} {}", text(x.name), text(x.source), text(x.binary), text(x.device), value(x.origin));
    }
    for (const Location& x : r.locations) add("location {} {} {}", text(x.file), x.line, text(x.code));
    for (const Pass& x : r.passes) {
      add("pass {} {} {} {} {} {} {} {} {}", text(x.name), index(x.location), index(x.sink), x.first_match,
          x.match_count, x.depth, x.unnamed, x.restarts_from_sink, x.whole_graphs);
    }
    for (const Match& x : r.matches)
      add("match {} {} {} {}", index(x.before), index(x.after), index(x.rule), double{x.dur_s});
    for (const auto& [op, context] : r.context_by_op) add("link op {} {}", index(op), index(context));
    for (const auto& [name, context] : r.context_by_name) add("link name {} {}", text(name), index(context));
  }
  std::string argument(const ArgumentValue& value) const {
    if (const auto* integer = std::get_if<std::int64_t>(&value)) return fmt::format("integer {}", *integer);
    if (const auto* real = std::get_if<double>(&value)) return fmt::format("real {}", *real);
    return fmt::format("text {}", text(std::get<StringId>(value)));
  }
  void add_profile() {
    const Profile& p = c_.profile;
    add("profile {} {} {} {}", p.start_ns, p.end_ns, text(p.clock.name), p.clock.unix_offset_ns.value_or(-1));
    for (const Stack& x : c_.stacks)
      add("stack {} {} {} {}", text(x.frame.function), text(x.frame.file), x.frame.line, index(x.caller));
    for (const Fact& x : c_.facts)
      add("fact {} {} {} {}", text(x.subject), text(x.name), argument(x.value), text(x.unit));
    for (const Run& x : p.runs)
      add("run {} {} {} {} {} {}", x.track, text(x.kind), text(x.name), x.number, x.from_ns, x.to_ns);
    for (const Track& lane : p.tracks) {
      add("track {} {} {} {} {}", text(lane.name), track_kind_name(lane.kind), lane.parent, lane.sort,
          lane.cycles_per_second);
      for (const Event& e : lane.events) {
        add("event {} {} {} {} {} {} {} {} {}", e.start_ns, e.dur_ns, text(e.name), index(e.context), text(e.category),
            event_kind_name(e.kind), e.is_error, e.order, e.dur_ps);
      }
      for (const ArgumentColumn& column : lane.arguments) {
        add("arguments {} {}", text(column.name), text(column.unit));
        for (std::size_t i = 0; i < column.size(); ++i) add("{}: {}", column.event(i), argument(column.value(i)));
      }
      for (std::size_t i = 0; i < lane.samples.size(); ++i)
        add("sample {} {} {}", lane.samples.at_ns[i], lane.samples.stack[i], lane.samples.weight[i]);
      for (const Counter& counter : lane.counters) {
        add("counter {} {}", text(counter.name), text(counter.unit));
        for (std::size_t i = 0; i < counter.at_ns.size(); ++i) add("sample {} {}", counter.at_ns[i], counter.value[i]);
      }
      for (const Allocation& a : lane.allocations) {
        add("allocation {} {} {} {} {} {} {}", a.key, a.count, a.item_size_bytes, text(a.dtype), text(a.category),
            index(a.context), a.address);
        add("life {} {} {} {} {}", a.birth_ns, a.death_ns, a.birth_order, a.death_order, a.freed);
        add("asked by {}, earlier {}", a.asked_by, a.is_earlier);
      }
      for (const Use& use : lane.uses.span()) add("use {} {} {}", use.allocation, use.track, use.event);
    }
    for (const Marker& marker : p.markers) add("marker {} {} {}", marker.at_ns, text(marker.name), text(marker.colour));
    for (const Flow& f : p.flows.span()) add("flow {} {} {} {}", f.from_track, f.from_event, f.to_track, f.to_event);
  }

  const Capture& c_;
};

std::string encoded(const Capture& capture) {
  std::string bytes;
  native::encode_capture(capture, {}, [&](std::string_view part) { bytes += part; });
  return bytes;
}

void check_same(const Capture& before, const Capture& after) {
  const Description a(before), b(after);
  for (std::size_t i = 0; i < std::min(a.lines.size(), b.lines.size()); ++i) CHECK(a.lines[i] == b.lines[i]);
  CHECK(a.lines.size() == b.lines.size());
}

TEST_CASE("every field of a capture comes back", "[native]") {
  Capture before, after, again;
  fill(before);
  if (const auto read = read_capture({"f", as_bytes(encoded(before))}, after); !read) FAIL(read.error().text());
  check_same(before, after);
  if (const auto read = read_capture({"f", as_bytes(encoded(after))}, again); !read) FAIL(read.error().text());
  check_same(before, again);
}

TEST_CASE("the arguments of very many events come back, whichever events have them", "[native]") {
  Capture before, after;
  before.has_profile = true;
  before.format = "kineto";
  const auto name = [&](std::string_view text) { return before.strings.add(text); };
  before.profile.tracks.emplace_back().name = name("stream");
  Track& track = before.profile.tracks[0];
  std::vector<ArgumentColumn>& columns = track.arguments;
  constexpr std::int64_t kEvents = 70'000;  // more than a chunk holds
  const auto put = [&](std::string_view argument, std::int64_t event, ArgumentValue value) {
    find_or_add_argument(columns, name(argument), StringId{}, type_of(value))
        .push_back(static_cast<std::uint32_t>(event), value);
  };
  for (std::int64_t i = 0; i < kEvents; ++i) {
    track.events.push_back({.start_ns = 10 * i, .dur_ns = 5, .name = name("kernel")});
    put("zero", i, std::int64_t{0});
    put("correlation", i, i + 1'000'000);
    put("grid", i, name(i % 3 == 0 ? "[1,2]" : "[4,4]"));
    if (i % 2 == 0) put("occupancy", i, static_cast<double>(i) / 100);
    if (i > 10 && i < 66'000) put("address", i, std::numeric_limits<std::int64_t>::max() - i * i);
    if (i == 65'999) put("rare", i, std::int64_t{-1});
  }
  before.profile.end_ns = 10 * kEvents;
  if (const auto read = read_capture({"f", as_bytes(encoded(before))}, after); !read) FAIL(read.error().text());
  check_same(before, after);
}

TEST_CASE("the only argument of a capture comes back, zeros and all", "[native]") {
  Capture before, after;
  before.has_profile = true;
  before.format = "kineto";
  before.profile.tracks.emplace_back().name = before.strings.add("stream");
  Track& track = before.profile.tracks[0];
  for (std::uint32_t i = 0; i < 100; ++i) {
    track.events.push_back({.start_ns = 10 * i, .dur_ns = 5, .name = before.strings.add("kernel")});
    find_or_add_argument(track.arguments, before.strings.add("queued"), StringId{}, ArgumentType::kInteger)
        .push_back(i, std::int64_t{0});
  }
  before.profile.end_ns = 1000;
  if (const auto read = read_capture({"f", as_bytes(encoded(before))}, after); !read) FAIL(read.error().text());
  check_same(before, after);
  CHECK(after.profile.tracks[0].arguments.size() == 1);
}

TEST_CASE("a profile alone and rewrites alone come back", "[native]") {
  for (const bool has_profile : {true, false}) {
    Capture before, after;
    if (has_profile) {
      fill_profile(before);
    } else {
      fill_rewrites(before);
    }
    before.format = has_profile ? "kineto" : "vizd";
    for (Track& lane : before.profile.tracks) {
      lane.events = {{.start_ns = 1, .dur_ns = 2, .name = lane.name}};  // nothing that leads to a context
      lane.uses = {};
      for (Allocation& allocation : lane.allocations) allocation.context = ContextId{kNoId};
    }
    before.profile.flows = {};
    for (Track& track : before.profile.tracks) {
      track.samples = {};  // of stacks that a profile alone has not
      track.arguments.clear();
    }
    if (const auto read = read_capture({"f", as_bytes(encoded(before))}, after); !read) FAIL(read.error().text());
    check_same(before, after);
  }
}

}  // namespace
}  // namespace vizd::round_trip_test
