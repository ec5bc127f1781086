// Conversion loses nothing: a capture with every field of the model set comes back from its bytes with each of them.
#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "formats/native/capture_encoder.h"
#include "formats/native/dialect.h"
#include "formats/registry.h"
#include "support/catch.h"
#include "support/pickle_writer.h"

namespace vizd {
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
  r.contexts = {{s.add("\x1b[31mfirst\x1b[0m"), 0, 2, ProgramId{0}}, {s.add("second"), 2, 1, ProgramId{1}}};
  r.passes = {{s.add("simplify"), LocationId{0}, twice, 0, 2, 3, false, true, false},
              {StringId{}, LocationId{1}, shifted, 2, 0, 0, true, false, false},
              {s.add("in place"), LocationId{0}, twice, 2, 1, 0, false, false, true}};
  r.matches = {
      {twice, shifted, LocationId{1}, 0.25f}, {leaf, twice, LocationId{0}, -1}, {twice, shifted, LocationId{1}, -1}};
  r.context_by_op = {{twice, ContextId{1}}};
  r.context_by_name = {{s.add("k0"), ContextId{0}}};
  capture.has_rewrites = true;
  capture.dialect =
      native::make_dialect(capture, {{s.add("LEAF"), s.add("#c0f0c0"), true}, {s.add("ADD"), StringId{}, false}});
}

// Two lanes of one name apart by their groups, with all that an event, a counter, an allocation and a flow can say.
void fill_profile(Capture& capture) {
  StringTable& s = capture.strings;
  Profile& p = capture.profile;
  const std::string args("{\"bytes\":17}\0{}\0", 16);
  for (const char c : args) p.args.push_back(c);
  p.lanes.reserve(2);
  Lane& host = p.lanes.emplace_back();
  host.name = s.add("stream 7");
  host.group = {s.add("rank 1"), s.add("python 4711"), s.add("CPU"), s.add("7")};
  host.cycles_per_second = 1.25e9;
  host.events.push_back({.start_ns = -5, .dur_ns = 0, .name = s.add("begin")});
  host.events.push_back({.start_ns = 10,
                         .dur_ns = std::int64_t{1} << 40,
                         .name = s.add("launch"),
                         .context = ContextId{1},
                         .info = s.add("12 GFLOPS\nsecond line"),
                         .order = 3,
                         .dur_ps = 999,
                         .args = 1});
  host.counters.push_back({.name = s.add("power"), .unit = s.add("W"), .at_ns = {}, .value = {}});
  for (const double value : {1.5, -2.5}) {
    host.counters[0].at_ns.push_back(static_cast<std::int64_t>(100 * value));
    host.counters[0].value.push_back(value);
  }
  host.counters.push_back({.name = s.add("no samples"), .unit = StringId{}, .at_ns = {}, .value = {}});
  Lane& device = p.lanes.emplace_back();
  device.name = host.name;
  device.group = {s.add("rank 2"), StringId{}, s.add("GPU"), StringId{}};
  device.events.push_back({.start_ns = 20, .dur_ns = 30, .name = s.add("kernel"), .order = 1, .args = 14});
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
                   .freed = true};
  device.allocations = {freed,
                        {.key = 8, .count = 1, .item_size_bytes = 1, .address = 0, .birth_ns = 6, .birth_order = 1}};
  device.uses.push_back({1, 0, 1});
  device.uses.push_back({0, 1, 0});
  p.flows.push_back({0, 1, 1, 0});
  p.markers = {{33, s.add("epoch 2"), s.add("rgb(1, 2, 3)")}};
  p.start_ns = -6;
  p.end_ns = std::int64_t{1} << 41;
  capture.has_profile = true;
}

void fill(Capture& capture) {
  fill_rewrites(capture);
  fill_profile(capture);
  capture.format = "vizd";
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
      add("context {} {} {} {}", text(x.name), x.first_pass, x.pass_count, index(x.program));
    for (const Program& x : r.programs) {
      add("program {} {} {} {} {}", text(x.name), text(x.source), text(x.binary), text(x.device), value(x.origin));
    }
    for (const Location& x : r.locations) add("location {} {} {}", text(x.file), x.line, text(x.code));
    for (const Pass& x : r.passes) {
      add("pass {} {} {} {} {} {} {} {} {}", text(x.name), index(x.location), index(x.sink), x.first_match,
          x.match_count, x.depth, x.unnamed, x.restarts_from_sink, x.whole_graphs);
    }
    for (const Match& x : r.matches) add("match {} {} {} {}", index(x.before), index(x.after), index(x.rule), x.dur_s);
    for (const auto& [op, context] : r.context_by_op) add("link op {} {}", index(op), index(context));
    for (const auto& [name, context] : r.context_by_name) add("link name {} {}", text(name), index(context));
  }
  void add_profile() {
    const Profile& p = c_.profile;
    add("profile {} {}", p.start_ns, p.end_ns);
    for (const Lane& lane : p.lanes) {
      add("lane {} {} {} {} {} {}", text(lane.name), text(lane.group.rank), text(lane.group.process),
          text(lane.group.device), text(lane.group.stream), lane.cycles_per_second);
      for (const Event& e : lane.events) {
        const std::string_view args = e.args == 0 ? "none" : p.args.data() + e.args - 1;
        add("event {} {} {} {} {} {} {} {}", e.start_ns, e.dur_ns, text(e.name), index(e.context), text(e.info),
            e.order, e.dur_ps, args);
      }
      for (const Counter& counter : lane.counters) {
        add("counter {} {}", text(counter.name), text(counter.unit));
        for (std::size_t i = 0; i < counter.at_ns.size(); ++i) add("sample {} {}", counter.at_ns[i], counter.value[i]);
      }
      for (const Allocation& a : lane.allocations) {
        add("allocation {} {} {} {} {} {} {}", a.key, a.count, a.item_size_bytes, text(a.dtype), text(a.category),
            index(a.context), a.address);
        add("life {} {} {} {} {}", a.birth_ns, a.death_ns, a.birth_order, a.death_order, a.freed);
      }
      for (const Use& use : lane.uses.span()) add("use {} {} {}", use.allocation, use.lane, use.event);
    }
    for (const Marker& marker : p.markers) add("marker {} {} {}", marker.at_ns, text(marker.name), text(marker.colour));
    for (const Flow& f : p.flows.span()) add("flow {} {} {} {}", f.from_lane, f.from_event, f.to_lane, f.to_event);
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

TEST_CASE("a profile alone and rewrites alone come back", "[native]") {
  for (const bool has_profile : {true, false}) {
    Capture before, after;
    has_profile ? fill_profile(before) : fill_rewrites(before);
    before.format = has_profile ? "kineto" : "vizd";
    for (Lane& lane : before.profile.lanes) {
      lane.events = {{.start_ns = 1, .dur_ns = 2, .name = lane.name}};  // nothing that leads to a context
      lane.uses = {};
      for (Allocation& allocation : lane.allocations) allocation.context = ContextId{kNoId};
    }
    before.profile.flows = {};
    if (const auto read = read_capture({"f", as_bytes(encoded(before))}, after); !read) FAIL(read.error().text());
    check_same(before, after);
  }
}

}  // namespace
}  // namespace vizd
