#include "timeline/memory_json.h"

#include <algorithm>
#include <optional>

#include "base/json_writer.h"
#include "model/module_names.h"
#include "timeline/event_json.h"

namespace vizd {
namespace {

constexpr std::size_t kMostKernels = 256, kMostAround = 256;

// Free space between the lowest and the highest address in use at the peak.
struct Fragmentation {
  double free_share = 0;
  std::uint64_t largest_hole_bytes = 0;
};

Fragmentation fragmentation_at_peak(const Track& lane, const LaneMemory& memory) {
  std::vector<std::uint32_t> places = memory.layout.at_peak;
  const auto offset = [&](std::uint32_t i) { return memory.layout.offset(i); };
  std::ranges::sort(places, {}, offset);
  Fragmentation found;
  std::uint64_t free_bytes = 0, used_until = places.empty() ? 0 : offset(places.front());
  const std::uint64_t low = used_until;
  for (const std::uint32_t i : places) {
    if (offset(i) > used_until) {
      found.largest_hole_bytes = std::max(found.largest_hole_bytes, offset(i) - used_until);
      free_bytes += offset(i) - used_until;
    }
    used_until = std::max(used_until, offset(i) + lane.allocations[i].size_bytes());
  }
  if (used_until > low) found.free_share = static_cast<double>(free_bytes) / static_cast<double>(used_until - low);
  return found;
}

class MemoryWriter {
 public:
  // origins: null where nothing of single allocations is written.
  MemoryWriter(const Capture& capture, const Timeline& timeline, std::uint32_t lane, const AllocationOrigins* origins,
               std::string& out)
      : capture_(capture),
        timeline_(timeline),
        lane_(capture.profile.tracks[lane]),
        memory_(timeline.lanes[lane].memory),
        origins_(origins),
        lane_number_(lane),
        json_(out) {}
  MemoryWriter(const TracedMemory& memory, std::string& out)
      : MemoryWriter(memory.capture, memory.timeline, memory.lane, &memory.origins, out) {}

  void write_summary() {
    const MemoryLayout& layout = memory_.layout;
    json_.begin_object().key("allocations").number(lane_.allocations.size());
    json_.key("peak_bytes").number(layout.peak_bytes).key("peak_ns").number(relative(layout.peak_ns));
    json_.key("peak_order")
        .number(std::max<std::size_t>(peak_moment(memory_), 1) - 1)
        .key("orders")
        .number(layout.changes.size());
    json_.key("end_bytes").number(layout.end_bytes).key("height_bytes").number(layout.height_bytes);
    json_.key("addressed").boolean(layout.addressed).key("fragmentation");
    if (layout.addressed) {
      const Fragmentation found = fragmentation_at_peak(lane_, memory_);
      json_.begin_object().key("at_peak").real(found.free_share);
      json_.key("largest_hole_bytes").number(found.largest_hole_bytes).end_object();
    } else {
      json_.null();
    }
    json_.key("leaks").number(std::ranges::count(lane_.allocations, false, &Allocation::freed));
    write_categories();
    json_.end_object();
  }

  void write_set(const LiveSet& set, std::int64_t at_ns, std::size_t offset, std::size_t limit) {
    const std::size_t first = std::min(offset, set.indices.size());
    const auto shown = std::span(set.indices).subspan(first, std::min(limit, set.indices.size() - first));
    json_.begin_object().key("at_ns").number(relative(at_ns)).key("bytes").number(set.bytes);
    json_.key("count").number(set.indices.size());
    json_.column("items", shown, [&](JsonWriter& w, std::uint32_t index) {
      w.begin_object();
      write_item(index, set.bytes);
      w.end_object();
    });
    json_.end_object();
  }

  void write_allocation(std::uint32_t index) {
    const auto uses = uses_of(memory_.place(index));
    std::vector<EventPlace> kernels;
    for (const Use& use : uses) kernels.push_back({use.track, use.event});
    std::ranges::stable_sort(kernels, {}, [&](const EventPlace& place) {
      return capture_.profile.tracks[place.lane].events.start_ns(place.event);
    });
    if (kernels.size() > kMostKernels) kernels.resize(kMostKernels);
    json_.begin_object();
    write_item(index, memory_.layout.peak_bytes);
    json_.key("made_by");
    if (kernels.empty()) {
      json_.null();
    } else {
      write_event(json_, capture_, timeline_, kernels.front());
    }
    const auto write_place = [&](JsonWriter& w, const EventPlace& place) {
      write_event(w, capture_, timeline_, place);
    };
    json_.column("kernels", kernels, write_place);
    json_.column("around", around(memory_.place(index)), write_place);
    json_.end_object();
  }

 private:
  std::int64_t relative(std::int64_t ns) const { return ns - capture_.profile.start_ns; }

  std::span<const Use> uses_of(std::uint32_t place) const {
    const auto found = std::ranges::equal_range(lane_.uses.span(), place, {}, &Use::allocation);
    return {found.begin(), found.end()};
  }

  // The spans that it was made in, the outermost first; none where its thread is not known.
  std::vector<EventPlace> around(std::uint32_t place) const {
    const AllocationOrigin& origin = origins_->of[place];
    if (origin.kind != OriginKind::kThread) return {};
    auto spans = spans_around(capture_, timeline_, origin.track, lane_.allocations[place].birth_ns);
    if (spans.size() > kMostAround) spans.erase(spans.begin(), spans.end() - kMostAround);
    return spans;
  }

  void write_categories() {
    struct Sums {
      std::uint64_t count = 0, peak_bytes = 0, total_bytes = 0;
    };
    std::vector<Sums> sums(memory_.categories.size());
    for (std::size_t i = 0; i < lane_.allocations.size(); ++i) {
      Sums& sum = sums[memory_.category[i]];
      ++sum.count;
      sum.total_bytes += lane_.allocations[i].size_bytes();
    }
    for (const std::uint32_t i : memory_.layout.at_peak)
      sums[memory_.category[i]].peak_bytes += lane_.allocations[i].size_bytes();
    json_.key("categories").begin_array();
    for (std::size_t i = 0; i < sums.size(); ++i) {
      json_.begin_object().key("name").text(category_name(memory_.categories[i]));
      json_.key("allocations").number(sums[i].count).key("peak_bytes").number(sums[i].peak_bytes);
      json_.key("total_bytes").number(sums[i].total_bytes).end_object();
    }
    json_.end_array();
  }

  std::string_view category_name(StringId id) const {
    return id == StringId{kNoId} ? "other" : capture_.strings.get(id);
  }

  // The members of an item, into an object that is open. share: of whole_bytes.
  void write_item(std::uint32_t index, std::uint64_t whole_bytes) {
    const std::uint32_t place = memory_.place(index);
    const Allocation& a = lane_.allocations[place];
    const double whole = static_cast<double>(std::max<std::uint64_t>(whole_bytes, 1));
    json_.key("lane").number(lane_number_).key("index").number(index).key("key").number(a.key);
    json_.key("size_bytes").number(a.size_bytes()).key("share").real(static_cast<double>(a.size_bytes()) / whole);
    json_.key("count").number(a.count).key("dtype").text(capture_.strings.get(a.dtype));
    json_.key("category").text(capture_.strings.get(category_of(a))).key("birth_ns").number(relative(a.birth_ns));
    json_.key("death_ns").number(a.freed ? relative(std::max(a.birth_ns, a.death_ns)) : -1);
    json_.key("offset").number(memory_.layout.offset(place)).key("uses");
    if (lane_.uses.empty()) {
      json_.null();
    } else {
      json_.number(uses_of(place).size());
    }
    write_origin(origins_->of[place]);
    json_.key("earlier").boolean(a.is_earlier);
    json_.key("context").number(a.context == ContextId{kNoId} ? -1 : static_cast<std::int64_t>(a.context));
  }

  void write_origin(const AllocationOrigin& origin) {
    json_.key("made_in");
    if (const auto event = origin.event(origin.operation)) {
      write_event(json_, capture_, timeline_, *event);
    } else {
      json_.null();
    }
    json_.key("origin").text(kOriginKindNames[static_cast<std::size_t>(origin.kind)]);
    const auto name_of = [&](std::uint32_t event) -> std::optional<std::string_view> {
      if (event == kNoId) return std::nullopt;
      return module_name(capture_.strings.get(capture_.profile.tracks[origin.track].events.name(event)));
    };
    json_.key("module").text_or_null(name_of(origin.module)).key("line").text_or_null(name_of(origin.python_line));
  }

  const Capture& capture_;
  const Timeline& timeline_;
  const Track& lane_;
  const LaneMemory& memory_;
  const AllocationOrigins* const origins_;
  const std::uint32_t lane_number_;
  JsonWriter json_;
};

}  // namespace

std::string memory_summary_json(const Capture& capture, const Timeline& timeline, std::uint32_t lane) {
  std::string out;
  MemoryWriter(capture, timeline, lane, nullptr, out).write_summary();
  return out;
}

std::string live_set_json(const TracedMemory& memory, const LiveSet& set, std::int64_t at_ns, std::size_t offset,
                          std::size_t limit) {
  std::string out;
  MemoryWriter(memory, out).write_set(set, at_ns, offset, limit);
  return out;
}

std::string allocation_json(const TracedMemory& memory, std::uint32_t index) {
  std::string out;
  MemoryWriter(memory, out).write_allocation(index);
  return out;
}

std::uint32_t allocation_at(const Track& lane, const LaneMemory& memory, std::int64_t at_ns,
                            std::uint64_t offset_bytes) {
  std::uint32_t found = kNoId;
  for (std::uint32_t index = 0; index < memory.by_birth.size(); ++index) {
    const std::uint32_t place = memory.place(index);
    const Allocation& a = lane.allocations[place];
    if (a.birth_ns > at_ns) break;
    const std::uint64_t offset = memory.layout.offset(place);
    const bool is_alive_then = !a.freed || a.death_ns > at_ns;
    if (is_alive_then && offset <= offset_bytes && offset_bytes - offset < a.size_bytes()) found = index;
  }
  return found;
}

}  // namespace vizd
