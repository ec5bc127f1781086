// GET /api/v1/compare/memory: two memories whose allocators told of themselves, or two parts of one: what each had at
// its end and at its own peak, line by line.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <tuple>
#include <unordered_set>

#include "analysis/allocator/memory_part.h"
#include "analysis/allocator/step_names.h"
#include "http/routes/allocator_answer.h"
#include "http/routes/compared_pair.h"
#include "http/routes/routes.h"
#include "http/transport/query.h"
#include "timeline/lanes_json.h"

namespace vizd {
namespace {

// The one of that device, or the first where the captures have one each.
Result<LoadedAllocator> side_of(const Loaded& loaded, std::int64_t device) {
  std::optional<LoadedAllocator> found;
  std::size_t count = 0;
  for (std::uint32_t i = 0; i < loaded->capture.profile.tracks.size(); ++i) {
    const auto& log = loaded->capture.profile.tracks[i].allocator;
    if (log == nullptr) continue;
    ++count;
    if (!found || log->device == device) found = LoadedAllocator{loaded, i};
  }
  if (!found || (count > 1 && found->log().device != device)) {
    return Error{ErrorKind::kNotFound, fmt::format("no allocator of device {} was recorded there", device),
                 loaded->name};
  }
  return *found;
}

struct Compared {
  AllocationSum a, b;
  std::string a_line, b_line;  // "" where there is none
};

// "FILE:LINE:FUNCTION" taken apart; none where it is no line.
struct LineParts {
  std::string_view file, function;
  std::uint64_t line = 0;
};
std::optional<LineParts> parts_of(std::string_view text) {
  const auto last = text.rfind(':');
  const auto first = last == std::string_view::npos || last == 0 ? last : text.rfind(':', last - 1);
  if (first == std::string_view::npos || first == last) return std::nullopt;
  LineParts parts{text.substr(0, first), text.substr(last + 1)};
  const auto [end, problem] = std::from_chars(text.data() + first + 1, text.data() + last, parts.line);
  return problem == std::errc() && end == text.data() + last ? std::optional(parts) : std::nullopt;
}

using Rows = std::map<std::string, Compared>;  // by line

void add_side(Rows& rows, const LoadedAllocator& of, AllocatorMoment moment, bool is_b) {
  const AllocatorLog& log = of.log();
  std::vector<std::string> lines;
  for (const AllocationSite& site : log.sites) lines.push_back(line_of(of.capture(), site));
  for (std::uint32_t i = 0; i < log.lives.size(); ++i) {
    if (!log.lives.is_allocated(i, moment)) continue;
    const std::string& line = lines[log.lives.site[i]];
    Compared& row = rows[line];
    (is_b ? row.b : row.a).add(of.track(), i);
    (is_b ? row.b_line : row.a_line) = line;
  }
}

// Lines that one side alone has, and the other has in the same function of the same file, moved: the first of one to
// the first of the other, and so on.
void match_moved(Rows& rows) {
  struct Moved {
    std::map<std::uint64_t, std::string> a, b;  // by line number
  };
  std::map<std::pair<std::string, std::string>, Moved> functions;
  for (const auto& [line, row] : rows) {
    const auto parts = parts_of(line);
    if (!parts || (row.a.count > 0 && row.b.count > 0)) continue;
    Moved& moved = functions[{std::string(parts->file), std::string(parts->function)}];
    (row.a.count > 0 ? moved.a : moved.b)[parts->line] = line;
  }
  for (const auto& [function, moved] : functions) {
    for (auto a = moved.a.begin(), b = moved.b.begin(); a != moved.a.end() && b != moved.b.end(); ++a, ++b) {
      Compared& after = rows[b->second];
      const auto before = rows.find(a->second);
      after.a = before->second.a;
      after.a_line = before->second.a_line;
      rows.erase(before);
    }
  }
}

void write_rows(JsonWriter& json, std::string_view key, const Rows& rows) {
  std::vector<const Rows::value_type*> order;
  for (const auto& row : rows) order.push_back(&row);
  const auto change = [](const Compared& row) {
    return static_cast<std::int64_t>(row.b.block_bytes) - static_cast<std::int64_t>(row.a.block_bytes);
  };
  std::ranges::stable_sort(order, std::greater(), [&](const auto* row) { return std::abs(change(row->second)); });
  constexpr std::size_t kMostRows = 5000;
  if (order.size() > kMostRows) order.resize(kMostRows);
  json.column(key, order, [&](JsonWriter& j, const auto* item) {
    const Compared& row = item->second;
    const bool has_a = row.a.count > 0, has_b = row.b.count > 0;
    j.begin_object().key("name").text(item->first).key("a_line").text(row.a_line).key("b_line").text(row.b_line);
    j.key("a_count").number(row.a.count).key("b_count").number(row.b.count);
    j.key("a_requested_bytes").number(row.a.requested_bytes).key("b_requested_bytes").number(row.b.requested_bytes);
    j.key("a_bytes").number(row.a.block_bytes).key("b_bytes").number(row.b.block_bytes);
    j.key("delta_bytes").number(change(row));
    j.key("state").text(!has_a ? "added" : !has_b ? "removed" : "both").end_object();
  });
}

// A side of the comparison: its memory, and what of its time.
struct MemorySide {
  LoadedAllocator of;
  MemoryChoice choice;
  std::shared_ptr<const AllocatorCurve> curve;
  MemoryPart part;
};

// "a_device", "a_range", …
Result<MemoryChoice> parse_choice(const Request& request, const std::string& side) {
  MemoryChoice choice{.device = {}, .range = std::string(request.parameter(side + "_range").value_or(""))};
  const std::string key = request.parameter(side + "_device") ? side + "_device" : "device";
  if (request.parameter(key)) {
    const auto device = parse_number(request, key, 0, INT32_MAX);
    if (!device) return device.error();
    choice.device = *device;
  }
  return choice;
}

Result<MemorySide> open_side(const Loaded& loaded, const MemoryChoice& choice, const Request& request,
                             const Services& services) {
  const auto of = side_of(loaded, choice.device.value_or(0));
  if (!of) return of.error();
  const auto curve = curve_of(*of, request, services);
  if (!curve) return curve.error();
  const auto part = memory_part(of->capture(), of->track(), **curve, choice.range);
  if (!part) return part.error();
  return MemorySide{*of, choice, *curve, *part};
}

// The first begin in its time of the ranges that the program named, by name up to its number: "ProfilerStep#".
void write_first_ranges(JsonWriter& json, const MemorySide& side) {
  constexpr std::size_t kMostNames = 100;
  std::map<std::string_view, std::int64_t> first_ns;
  const NamedRanges ranges(side.of.capture(), side.of.log().device);
  for (const NamedRanges::Range& range : ranges.ranges()) {
    if (first_ns.size() == kMostNames) break;
    if (range.from_ns < side.part.from_ns || range.from_ns > side.part.to_ns) continue;
    first_ns.try_emplace(name_without_number(range.name), side.of.wire_ns(range.from_ns));
  }
  json.column("ranges", first_ns, [](JsonWriter& j, const auto& item) {
    j.begin_object().key("name").text(item.first).key("from_ns").number(item.second).end_object();
  });
}

void write_side(JsonWriter& json, const MemorySide& side) {
  constexpr std::size_t kMostNamed = 1000;
  const LoadedAllocator& of = side.of;
  json.begin_object().key("key").text(key_text(of.loaded->timeline)).key("lane").number(of.lane);
  json.key("device").number(of.log().device);
  json.key("range").text_or_null(side.choice.range.empty() ? std::nullopt
                                                           : std::optional<std::string_view>(side.choice.range));
  json.key("peak_bytes").number(side.part.peak_bytes);
  json.key("end_bytes").number(side.curve->allocated_at(side.part.end));
  json.key("reserved_bytes").number(side.curve->most_reserved(moment_at(of.log(), side.part.from_ns), side.part.end));
  json.key("peak").begin_object();
  write_moment(json, of, side.part.peak);
  json.end_object();
  write_first_ranges(json, side);
  std::vector<std::int64_t> devices;
  for (const Track& track : of.capture().profile.tracks) {
    if (track.allocator != nullptr) devices.push_back(track.allocator->device);
  }
  json.column("devices", devices, [](JsonWriter& j, std::int64_t device) { j.number(device); });
  std::vector<std::string_view> named;
  std::unordered_set<std::string_view> known;
  const NamedRanges ranges(of.capture(), of.log().device);
  for (const NamedRanges::Range& range : ranges.ranges()) {
    if (named.size() == kMostNamed) break;
    if (range.to_ns != INT64_MAX && known.insert(range.name).second) named.push_back(range.name);
  }
  json.column("named", named, [](JsonWriter& j, std::string_view name) { j.text(name); });
  json.key("from_ns").number(of.wire_ns(side.part.from_ns)).key("to_ns").number(of.wire_ns(side.part.to_ns));
  json.end_object();
}

Response compare_memory_answer(const Request& request, const Services& services) {
  const auto pair = pair_of(request, services);
  if (!pair) return error_response(pair.error());
  const std::string_view by = request.parameter("by").value_or("function");
  if (by != "function" && by != "line")
    return error_response({ErrorKind::kBadInput, "by must be function or line", "by"});
  auto a_choice = parse_choice(request, "a"), b_choice = parse_choice(request, "b");
  if (!a_choice) return error_response(a_choice.error());
  if (!b_choice) return error_response(b_choice.error());
  // A capture compared with itself is compared by its parts.
  if (pair->a == pair->b && *a_choice == *b_choice) {
    if (const auto parts = parts_to_compare(pair->a->capture)) std::tie(*a_choice, *b_choice) = *parts;
  }
  const auto a = open_side(pair->a, *a_choice, request, services);
  if (!a) return error_response(a.error());
  const auto b = open_side(pair->b, *b_choice, request, services);
  if (!b) return error_response(b.error());
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("a");
  write_side(json, *a);
  json.key("b");
  write_side(json, *b);
  for (const bool is_peak : {true, false}) {
    Rows rows;
    add_side(rows, a->of, is_peak ? a->part.peak : a->part.end, false);
    add_side(rows, b->of, is_peak ? b->part.peak : b->part.end, true);
    if (by == "function") match_moved(rows);
    write_rows(json, is_peak ? "peak" : "end", rows);
  }
  json.end_object();
  return Response::json(std::move(text));
}

}  // namespace

void add_compared_memory_routes(Router& router, const Services& services) {
  router.add("/api/v1/compare/memory",
             [services](const Request& request, auto) { return compare_memory_answer(request, services); });
}

}  // namespace vizd
