#include "analysis/allocator/owners.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <unordered_map>

#include "base/json_writer.h"

namespace vizd {
namespace {

constexpr std::string_view kOwnerKinds[] = {"line",     "frame",      "way",      "stack",   "file",
                                            "operator", "node",       "phase",    "size",    "pool",
                                            "stream",   "annotation", "metadata", "compile", "category"};

// Frames that PyTorch's memory_viz leaves out too, by parts of their functions and files.
constexpr std::string_view kOmittedFunctions[] = {"unwind::unwind",    "CapturedTraceback::gather",
                                                  "gather_with_cpp",   "_start",
                                                  "__libc_start_main", "PyEval_",
                                                  "PyObject_",         "PyFunction_"};
constexpr std::string_view kOmittedFiles[] = {"core/boxing",
                                              "/Register",
                                              "/Redispatch",
                                              "pythonrun.c",
                                              "Modules/main.c",
                                              "Objects/call.c",
                                              "Objects/methodobject.c",
                                              "pycore_ceval.h",
                                              "ceval.c",
                                              "cpython/abstract.h"};

bool has_part_of(std::string_view text, std::span<const std::string_view> parts) {
  return std::ranges::any_of(parts, [&](std::string_view part) { return text.find(part) != std::string_view::npos; });
}

std::string text_json(std::string_view text) {
  if (text.empty()) return "null";
  std::string json;
  append_json_string(json, text);
  return json;
}

// The user's lines from the outermost down, or what stands in their place. The files that hold a user's line are known
// by the sites: the innermost line of each is one.
std::string way_json(const Capture& capture, const AllocationSite& site, const std::vector<bool>& is_users_file) {
  std::vector<std::string> lines;
  for (const Frame& frame : frames_of(capture.stacks, site.stack)) {
    if (index(frame.file) >= is_users_file.size() || !is_users_file[index(frame.file)]) continue;
    lines.push_back(
        fmt::format("{}:{}:{}", capture.strings.get(frame.file), frame.line, capture.strings.get(frame.function)));
  }
  if (lines.empty()) lines.push_back(line_of(capture, site));
  std::ranges::reverse(lines);
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const std::string& line : lines) json.text(line);
  json.end_array();
  return text;
}

std::string stack_json(const Capture& capture, const AllocationSite& site) {
  std::string text;
  JsonWriter json(text);
  json.begin_array();
  for (const Frame& frame : frames_of(capture.stacks, site.stack)) {
    const std::string_view function = capture.strings.get(frame.function), file = capture.strings.get(frame.file);
    if (has_part_of(function, kOmittedFunctions) || has_part_of(file, kOmittedFiles)) continue;
    json.text(fmt::format("{}:{}:{}", file, frame.line, function));
  }
  json.end_array();
  return text;
}

// The owner of each life, if it follows from the site.
std::vector<std::string> names_of_sites(const Capture& capture, const AllocatorLog& log, std::string_view kind) {
  std::vector<bool> is_users_file;
  for (const AllocationSite& site : log.sites) {
    if (capture.strings.get(site.file).empty()) continue;
    if (index(site.file) >= is_users_file.size()) is_users_file.resize(index(site.file) + 1);
    is_users_file[index(site.file)] = true;
  }
  std::vector<std::string> names;
  const auto text = [&](StringId id) { return text_json(capture.strings.get(id)); };
  for (const AllocationSite& site : log.sites) {
    if (kind == "line") names.push_back(text_json(line_of(capture, site)));
    if (kind == "way") names.push_back(way_json(capture, site, is_users_file));
    if (kind == "frame") names.push_back(text(site.frame));
    if (kind == "stack") names.push_back(stack_json(capture, site));
    if (kind == "file") names.push_back(text(site.file));
    if (kind == "operator") names.push_back(text(site.operation));
    if (kind == "node") names.push_back(text_json(autograd_node_of(capture, site)));
    if (kind == "phase") names.push_back(text(site.phase));
    if (kind == "metadata") names.push_back(text(site.metadata));
    if (kind == "compile") names.push_back(text(site.compile_context));
    if (kind == "category") names.push_back(text(site.category));
  }
  return names;
}

// Numbers names as they come.
class Numbering {
 public:
  std::uint32_t of(std::string&& name) {
    const auto [place, is_new] = places_.try_emplace(std::move(name), static_cast<std::uint32_t>(names_.size()));
    if (is_new) names_.push_back(place->first);
    return place->second;
  }
  std::vector<std::string> take() { return std::move(names_); }

 private:
  std::unordered_map<std::string, std::uint32_t> places_;
  std::vector<std::string> names_;
};

void name_lives(const Capture& capture, const Track& track, std::string_view kind, AllocationOwners& owners) {
  const AllocatorLog& log = *track.allocator;
  Numbering numbering;
  std::vector<std::uint32_t> of_site;
  for (std::string& name : names_of_sites(capture, log, kind)) of_site.push_back(numbering.of(std::move(name)));
  std::vector<std::uint32_t> of_pool;
  for (const AllocatorPool& pool : log.pools) {
    if (kind == "pool") of_pool.push_back(numbering.of(pool_json(pool)));
    if (kind == "stream") of_pool.push_back(numbering.of(text_json(stream_json(pool))));
  }
  const NamedRanges ranges(capture, log.device);
  owners.of_life.reserve(log.lives.size());
  for (std::size_t i = 0; i < log.lives.size(); ++i) {
    if (!of_site.empty()) {
      owners.of_life.push_back(of_site[log.lives.site[i]]);
    } else if (!of_pool.empty()) {
      owners.of_life.push_back(of_pool[log.lives.pool[i]]);
    } else if (kind == "size") {
      owners.of_life.push_back(numbering.of(fmt::format("{}", std::bit_floor(log.lives.requested_bytes[i]))));
    } else {
      const AllocatorMoment born = log.lives.born[i];
      const std::string_view name = born == 0 ? std::string_view() : ranges.at(log.entries.at_ns[born - 1]);
      owners.of_life.push_back(numbering.of(text_json(name)));
    }
  }
  owners.names = numbering.take();
}

void find_peaks(const Track& track, const AllocatorChanges& changes, AllocationOwners& owners) {
  std::vector<std::uint64_t> now(owners.names.size());
  owners.peak_bytes.assign(owners.names.size(), 0);
  AllocatorChanges::Walk(changes).go_to(changes.last_moment(), [&](std::uint32_t life, bool is_begin) {
    const std::uint32_t owner = owners.of_life[life];
    if (!is_begin) return void(now[owner] -= track.allocations[life].size_bytes());
    now[owner] += track.allocations[life].size_bytes();
    owners.peak_bytes[owner] = std::max(owners.peak_bytes[owner], now[owner]);
  });
}

void find_levels(const Track& track, const AllocatorChanges& changes, AllocationOwners& owners) {
  OwnerLevels& levels = owners.levels;
  levels.owners = std::min(owners.names.size(), OwnerLevels::kMostOwners);
  levels.bytes.reserve(levels.owners * changes.blocks());
  std::vector<std::uint64_t> now(owners.names.size());
  AllocatorChanges::Walk walk(changes);
  for (std::size_t block = 0; block < changes.blocks(); ++block) {
    walk.go_to(AllocatorChanges::first_of(block), [&](std::uint32_t life, bool is_begin) {
      std::uint64_t& held = now[owners.of_life[life]];
      const std::uint64_t bytes = track.allocations[life].size_bytes();
      held = is_begin ? held + bytes : held - bytes;
    });
    levels.bytes.insert(levels.bytes.end(), now.begin(), now.begin() + static_cast<std::ptrdiff_t>(levels.owners));
  }
}

void order_by_peak(AllocationOwners& owners) {
  std::vector<std::uint32_t> order(owners.names.size()), rank(owners.names.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::sort(order, [&](std::uint32_t a, std::uint32_t b) {
    return owners.peak_bytes[a] != owners.peak_bytes[b] ? owners.peak_bytes[a] > owners.peak_bytes[b]
                                                        : owners.names[a] < owners.names[b];
  });
  std::vector<std::string> names;
  std::vector<std::uint64_t> peaks;
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    rank[order[i]] = i;
    names.push_back(std::move(owners.names[order[i]]));
    peaks.push_back(owners.peak_bytes[order[i]]);
  }
  owners.names = std::move(names);
  owners.peak_bytes = std::move(peaks);
  for (std::uint32_t& owner : owners.of_life) owner = rank[owner];
}

}  // namespace

std::span<const std::string_view> allocation_owner_kinds() { return kOwnerKinds; }

std::string line_of(const Capture& capture, const AllocationSite& site) {
  const auto text = [&](StringId id) { return capture.strings.get(id); };
  if (!text(site.frame).empty()) return std::string(text(site.frame));
  if (site.depth == 0) return "no stack recorded";
  const std::string_view node = autograd_node_of(capture, site), asked_by = text(site.operation);
  const std::string_view phase = text(site.phase) == "other" ? "" : text(site.phase);
  std::string known(!node.empty() ? node : asked_by.empty() ? phase : "");
  if (!asked_by.empty()) known += fmt::format("{}aten::{}", known.empty() ? "" : ", ", asked_by);
  return known + (known.empty() ? "no line of the user's" : ", no line of the user's");
}

std::string_view autograd_node_of(const Capture& capture, const AllocationSite& site) {
  for (const Frame& frame : frames_of(capture.stacks, site.stack)) {
    const std::string_view function = capture.strings.get(frame.function);
    const auto call = function.find("::apply(");
    if (call == std::string_view::npos || !function.starts_with("torch::autograd::")) continue;
    const std::string_view node = function.substr(0, call);
    return node.substr(node.rfind(':') + 1);
  }
  return {};
}

std::string pool_json(const AllocatorPool& pool) {
  return pool.is_known ? fmt::format("[{},{}]", pool.first, pool.second) : "null";
}

std::string stream_json(const AllocatorPool& pool) {
  return fmt::format("{}{}", pool.is_stream_negative ? "-" : "", pool.stream);
}

std::size_t AllocationOwners::memory_bytes() const {
  std::size_t bytes = of_life.capacity() * sizeof(std::uint32_t) +
                      (peak_bytes.capacity() + levels.bytes.capacity()) * sizeof(std::uint64_t);
  for (const std::string& name : names) bytes += sizeof(name) + name.capacity();
  return bytes;
}

AllocationOwners allocation_owners(const Capture& capture, const Track& track, const AllocatorChanges& changes,
                                   std::string_view kind) {
  AllocationOwners owners;
  name_lives(capture, track, kind, owners);
  find_peaks(track, changes, owners);
  order_by_peak(owners);
  find_levels(track, changes, owners);
  return owners;
}

NamedRanges::NamedRanges(const Capture& capture, std::int64_t device) {
  for (const Track& track : capture.profile.tracks) {
    if (track.kind != TrackKind::kOther || !capture.strings.get(track.name).starts_with(kAnnotationsTrack)) continue;
    const auto* const number = track.number ? std::get_if<std::int64_t>(&*track.number) : nullptr;
    if (number != nullptr && *number != device) continue;
    for (std::size_t i = 0; i < track.events.size(); ++i) {
      const bool is_open = track.events.kind(i) == EventKind::kInstant;
      ranges_.push_back({capture.strings.get(track.events.name(i)), track.events.start_ns(i),
                         is_open ? INT64_MAX : track.events.end_ns(i)});
    }
  }
  std::ranges::stable_sort(ranges_, {}, &Range::from_ns);
  std::int64_t latest_ns = INT64_MIN;
  for (const Range& range : ranges_) latest_to_ns_.push_back(latest_ns = std::max(latest_ns, range.to_ns));
}

std::string_view NamedRanges::at(std::int64_t at_ns) const {
  const auto after = std::ranges::upper_bound(ranges_, at_ns, {}, &Range::from_ns);
  for (auto i = static_cast<std::size_t>(after - ranges_.begin()); i-- > 0 && latest_to_ns_[i] > at_ns;) {
    if (at_ns < ranges_[i].to_ns) return ranges_[i].name;
  }
  return {};
}

std::vector<std::int64_t> NamedRanges::ends(std::string_view name_begins) const {
  std::vector<std::int64_t> ends_ns;
  for (const Range& range : ranges_) {
    if (range.to_ns != INT64_MAX && range.name.starts_with(name_begins)) ends_ns.push_back(range.to_ns);
  }
  std::ranges::sort(ends_ns);
  return ends_ns;
}

}  // namespace vizd
