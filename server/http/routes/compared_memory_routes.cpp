// GET /api/v1/compare/memory: two memories whose allocators told of themselves: what each had at its end and at its own
// peak, line by line.
#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <map>

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
    return Error{ErrorKind::kNotFound, fmt::format("no allocator of device {} told of itself there", device),
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

// The first begin of the ranges that the program named, by name up to its number: "ProfilerStep#".
void write_first_ranges(JsonWriter& json, const LoadedAllocator& of) {
  constexpr std::size_t kMostNames = 100;
  std::map<std::string_view, std::int64_t> first_ns;
  const NamedRanges ranges(of.capture(), of.log().device);
  for (const NamedRanges::Range& range : ranges.ranges()) {
    if (first_ns.size() == kMostNames) break;
    first_ns.try_emplace(range.name.substr(0, std::min(range.name.find('#'), range.name.size() - 1) + 1),
                         of.wire_ns(range.from_ns));
  }
  json.column("ranges", first_ns, [](JsonWriter& j, const auto& item) {
    j.begin_object().key("name").text(item.first).key("from_ns").number(item.second).end_object();
  });
}

Response compare_memory_answer(const Request& request, const Services& services) {
  const auto pair = pair_of(request, services);
  if (!pair) return error_response(pair.error());
  const auto device = parse_number(request, "device", 0, INT32_MAX, 0);
  if (!device) return error_response(device.error());
  const std::string_view by = request.parameter("by").value_or("function");
  if (by != "function" && by != "line")
    return error_response({ErrorKind::kBadInput, "by must be function or line", "by"});
  const auto a = side_of(pair->a, *device), b = side_of(pair->b, *device);
  if (!a) return error_response(a.error());
  if (!b) return error_response(b.error());
  const auto a_curve = curve_of(*a, request, services), b_curve = curve_of(*b, request, services);
  if (!a_curve) return error_response(a_curve.error());
  if (!b_curve) return error_response(b_curve.error());
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  const auto write_side = [&](std::string_view key, const LoadedAllocator& of, const AllocatorCurve& curve) {
    json.key(key)
        .begin_object()
        .key("key")
        .text(key_text(of.loaded->timeline))
        .key("lane")
        .number(of.lane)
        .key("device")
        .number(of.log().device);
    json.key("peak_bytes").number(curve.allocated.bytes).key("end_bytes").number(curve.end.allocated);
    json.key("reserved_bytes").number(curve.reserved.bytes).key("peak").begin_object();
    write_moment(json, of, curve.allocated.moment);
    json.end_object();
    const auto times = of.log().entries.at_ns.span();
    write_first_ranges(json, of);
    json.key("from_ns").number(times.empty() ? 0 : of.wire_ns(times.front()));
    json.key("to_ns").number(times.empty() ? 0 : of.wire_ns(times.back())).end_object();
  };
  write_side("a", *a, **a_curve);
  write_side("b", *b, **b_curve);
  for (const bool is_peak : {true, false}) {
    Rows rows;
    const auto moment = [&](const LoadedAllocator& of, const AllocatorCurve& curve) {
      return is_peak ? curve.allocated.moment : static_cast<AllocatorMoment>(of.log().entries.size());
    };
    add_side(rows, *a, moment(*a, **a_curve), false);
    add_side(rows, *b, moment(*b, **b_curve), true);
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
