// Checks a capture that was taken from the cache. Checksums reveal damage, but not a forgery with right ones: every id,
// place and count is checked here against what it leads to, since no reader checks again. Pure; any thread.
#include <algorithm>
#include <span>
#include <type_traits>
#include <variant>

#include "model/allocator_log.h"
#include "session/kept_capture.h"

namespace vizd {
namespace {

// Goes through a profile without rewrites, part by part.
class Soundness {
 public:
  Soundness(const Capture& capture, const Timeline& timeline)
      : capture_(capture), profile_(capture.profile), timeline_(timeline) {}

  bool check() const {
    const std::size_t tracks = profile_.tracks.size();
    if (timeline_.lanes.size() != tracks || !are_names_numbered() || !is_common_sound()) return false;
    for (std::size_t t = 0; t < tracks; ++t) {
      const Track& track = profile_.tracks[t];
      const bool is_track_sound = are_texts(track.name) && static_cast<std::size_t>(track.kind) < kTrackKinds &&
                                  (track.parent == Track::kNoParent || track.parent < t) &&
                                  (!track.number || is_value(*track.number));
      if (!is_track_sound || !are_events_sound(track.events) || !are_others_sound(track) ||
          !is_memory_sound(track, timeline_.lanes[t]) || !is_lane_sound(track, timeline_.lanes[t]))
        return false;
    }
    return true;
  }

 private:
  template <typename... Ids>
  bool are_texts(Ids... ids) const {
    return ((index(ids) < capture_.strings.size()) && ...);
  }
  bool is_value(const ArgumentValue& value) const {
    if (value.index() >= std::variant_size_v<ArgumentValue>) return false;
    const auto* const text = std::get_if<StringId>(&value);
    return text == nullptr || are_texts(*text);
  }
  bool is_event(std::uint32_t track, std::uint32_t event) const {
    return track < profile_.tracks.size() && event < profile_.tracks[track].events.size();
  }
  bool is_track_or_none(std::uint32_t track) const { return track == kNoId || track < profile_.tracks.size(); }
  bool is_stack_or_none(StackId stack) const {
    return stack == StackId{kNoId} || index(stack) < capture_.stacks.size();
  }

  template <typename Values>
  static bool are_all_below(const Values& values, std::size_t end) {
    return std::ranges::all_of(values, [end](auto value) { return static_cast<std::size_t>(value) < end; });
  }
  static bool are_all_below(const PackedIntegers& values, std::size_t end) {
    bool are_below = true;
    values.for_each([&](std::int64_t value) { are_below &= static_cast<std::uint64_t>(value) < end; });
    return are_below;
  }

  bool are_names_numbered() const {
    const auto& numbers = timeline_.name_number;
    return are_all_below(timeline_.names, capture_.strings.size()) && numbers.size() == capture_.strings.size() &&
           std::ranges::all_of(numbers, [&](std::uint32_t n) { return n == kNoId || n < timeline_.names.size(); });
  }

  bool is_common_sound() const {
    const auto is_stack = [&](const Stack& stack) {
      const auto place = static_cast<std::size_t>(&stack - capture_.stacks.data());
      return are_texts(stack.frame.function, stack.frame.file, stack.frame.code) &&
             (stack.caller == StackId{kNoId} || index(stack.caller) < place);
    };
    const auto is_fact = [&](const Fact& fact) {
      return are_texts(fact.subject, fact.name, fact.unit) && is_value(fact.value) && is_track_or_none(fact.track);
    };
    const auto is_flow = [&](const Flow& flow) {
      return is_event(flow.from_track, flow.from_event) && is_event(flow.to_track, flow.to_event);
    };
    const auto is_run = [&](const Run& run) { return are_texts(run.kind, run.name) && is_track_or_none(run.track); };
    for (std::size_t i = 0; i < profile_.flow_ends.size(); ++i) {
      const FlowEnd end = profile_.flow_ends[i];
      const bool is_text =
          end.id_type != FlowEnd::IdType::kText || static_cast<std::uint64_t>(end.id) < capture_.strings.size();
      if (end.track >= profile_.tracks.size() || !are_texts(end.category) || !is_text) return false;
    }
    return std::ranges::all_of(capture_.stacks, is_stack) && std::ranges::all_of(capture_.facts, is_fact) &&
           std::ranges::all_of(profile_.flows.span(), is_flow) && std::ranges::all_of(profile_.runs, is_run) &&
           std::ranges::all_of(profile_.markers, [&](const Marker& m) { return are_texts(m.name, m.colour); }) &&
           timeline_.flows_by_target.size() == profile_.flows.size() &&
           are_all_below(timeline_.flows_by_target.span(), profile_.flows.size()) && are_texts(profile_.clock.name) &&
           is_time(profile_.start_ns) && is_time(profile_.end_ns) && profile_.start_ns <= profile_.end_ns;
  }

  static bool is_time(std::int64_t at_ns) { return at_ns >= -kTimeBound_ns && at_ns <= kTimeBound_ns; }

  bool are_events_sound(const EventColumns& events) const {
    const std::size_t size = events.size(), strings = capture_.strings.size();
    if (events.short_durs().size() != size || events.names().size() != size) return false;
    for (std::size_t i = 0; i < size; ++i) {
      const std::size_t name = index(events.name(i));
      if (name >= strings || timeline_.name_number[name] == kNoId || !is_time(events.start_ns(i))) return false;
    }
    std::size_t last = 0, long_ones = 0;
    bool is_good = true;
    std::size_t number = 0;
    // In the order of EventColumns::for_each_column().
    events.for_each_column([&](const auto& column) {
      using Value = std::remove_cvref_t<decltype(column[0])>;
      const auto values = column_values(column).span();
      if constexpr (std::is_same_v<Value, EventColumns::LongDuration>) {
        for (const EventColumns::LongDuration& one : values) {
          is_good &= one.event < size && (long_ones == 0 || one.event > last) && is_time(one.dur_ns / 2) &&
                     (one.event >= size || events.short_durs()[one.event] == EventColumns::kLong);
          last = one.event;
          ++long_ones;
        }
      } else {
        constexpr std::size_t kContext = 4, kCategory = 5;
        is_good &= values.size() <= size;
        if (number == kContext)
          is_good &= std::ranges::all_of(values, [](auto value) { return static_cast<std::uint32_t>(value) == kNoId; });
        if (number == kCategory) is_good &= are_all_below(values, strings);
      }
      ++number;
    });
    const auto are_long = std::ranges::count(events.short_durs(), EventColumns::kLong);
    return is_good && static_cast<std::size_t>(are_long) == long_ones && are_times_within(events);
  }

  static bool are_times_within(const EventColumns& events) {
    for (std::size_t i = 0; i < events.size(); ++i) {
      if (events.end_ns(i) > kTimeBound_ns || events.role(i) > EventRole::kOperator) return false;
    }
    return true;
  }

  bool are_others_sound(const Track& track) const {
    const std::size_t strings = capture_.strings.size(), events = track.events.size();
    for (const ArgumentColumn& column : track.arguments) {
      const bool is_real = column.type == ArgumentType::kReal, is_text = column.type == ArgumentType::kText;
      if (!is_real && !is_text && column.type != ArgumentType::kInteger) return false;
      if (!are_texts(column.name, column.unit) ||
          (is_real ? column.reals.size() : column.numbers.size()) != column.size())
        return false;
      if (!are_all_below(column.events, events) || !column.events.is_ascending()) return false;
      if (is_text && !are_all_below(column.numbers, strings)) return false;
    }
    for (const Counter& counter : track.counters) {
      if (!are_texts(counter.name, counter.unit, counter.series, counter.category)) return false;
      if (counter.at_ns.size() != counter.value.size()) return false;
    }
    const StackSamples& samples = track.samples;
    return samples.stack.size() == samples.size() && samples.weight.size() == samples.size() &&
           std::ranges::all_of(samples.stack.span(), [&](std::uint32_t s) { return is_stack_or_none(StackId{s}); });
  }

  bool is_memory_sound(const Track& track, const LaneIndex& lane) const {
    const std::size_t count = track.allocations.size();
    for (const Allocation& a : track.allocations) {
      if (!are_texts(a.dtype, a.category) || a.context != ContextId{kNoId} || !is_track_or_none(a.asked_by))
        return false;
      if (!is_time(a.birth_ns) || (a.freed && !is_time(a.death_ns))) return false;
    }
    for (const Use& use : track.uses.span()) {
      if (use.allocation >= count || !is_event(use.track, use.event)) return false;
    }
    for (const LaunchUse& use : track.launch_uses) {
      if (use.allocation >= count || use.launch >= track.launches.size()) return false;
    }
    const bool are_named = std::ranges::all_of(track.launches, [&](const Launch& one) { return are_texts(one.name); });
    return are_named && lane.uses_by_event.size() == track.uses.size() &&
           are_all_below(lane.uses_by_event.span(), track.uses.size()) && is_layout_sound(lane.memory, count) &&
           (track.allocator == nullptr || is_allocator_sound(*track.allocator, count));
  }

  bool is_layout_sound(const LaneMemory& memory, std::size_t count) const {
    const MemoryLayout& layout = memory.layout;
    const std::size_t changes = layout.changes.size();
    const bool has_all = layout.birth.size() == count && layout.death.size() == count &&
                         layout.offset_bytes.size() == count && layout.at_ns.size() == changes &&
                         layout.live_bytes.size() == changes && memory.by_birth.size() == count &&
                         memory.index_of.size() == count && memory.category.size() == count &&
                         memory.categories.size() <= LaneMemory::kMostCategories;
    bool is_died = true;
    layout.death.for_each([&](std::int64_t change) {
      is_died &= change == MemoryLayout::kNever || static_cast<std::uint64_t>(change) < changes;
    });
    const auto is_category = [&](StringId name) { return name == StringId{kNoId} || are_texts(name); };
    return has_all && is_died && are_all_below(layout.changes, 2 * count) && are_all_below(layout.birth, changes) &&
           are_all_below(layout.at_peak, count) && are_all_below(memory.by_birth, count) &&
           are_all_below(memory.index_of, count) && are_all_below(memory.category, memory.categories.size()) &&
           std::ranges::all_of(memory.categories, is_category);
  }

  bool is_allocator_sound(const AllocatorLog& log, std::size_t count) const {
    const std::size_t entries = log.entries.size();
    const AllocatorLives& lives = log.lives;
    const bool has_all = log.entries.at_ns.size() == entries && log.entries.address.size() == entries &&
                         log.entries.size_bytes.size() == entries && lives.size() == count &&
                         lives.requested_bytes.size() == count && lives.freed.size() == count &&
                         lives.completed.size() == count && lives.pool.size() == count && lives.site.size() == count &&
                         lives.flags.size() == count;
    const auto is_moment = [&](AllocatorMoment at) { return at == kNeverDone || at <= entries; };
    const auto are_moments = [&](const auto& column) { return std::ranges::all_of(column.span(), is_moment); };
    const auto is_segment = [&](const AllocatorSegment& s) {
      return s.pool < log.pools.size() && is_moment(s.from) && is_moment(s.to);
    };
    const auto is_site = [&](const AllocationSite& s) {
      return is_stack_or_none(s.stack) && is_stack_or_none(s.forward) &&
             are_texts(s.frame, s.file, s.forward_frame, s.operation, s.phase, s.compile_context, s.metadata,
                       s.category);
    };
    return has_all && are_moments(lives.born) && are_moments(lives.freed) && are_moments(lives.completed) &&
           are_all_below(lives.pool.span(), log.pools.size()) && are_all_below(lives.site.span(), log.sites.size()) &&
           are_all_below(log.entries.action.span(), log.actions.size()) &&
           are_all_below(log.actions, capture_.strings.size()) && std::ranges::all_of(log.sites, is_site) &&
           std::ranges::all_of(log.segments.span(), is_segment);
  }

  bool is_lane_sound(const Track& track, const LaneIndex& lane) const {
    const std::size_t events = track.events.size(), begins = lane.row_begin.size();
    const auto leads_nowhere = [](std::uint32_t id) { return id == kNoId; };
    if (!std::ranges::all_of(column_values(lane.link_context).span(), leads_nowhere) ||
        !std::ranges::all_of(column_values(lane.link_pass).span(), leads_nowhere))
      return false;
    if (begins == 0) return events == 0 && lane.node_begin.empty();
    if (lane.node_begin.size() != begins || lane.row_begin[0] != 0 || lane.node_begin[0] != 0) return false;
    if (lane.row_begin[begins - 1] != events || lane.node_begin[begins - 1] != lane.nodes.size()) return false;
    for (std::size_t row = 0; row + 1 < begins; ++row) {
      const std::uint32_t begin = lane.row_begin[row], end = lane.row_begin[row + 1];
      if (end <= begin || end > events) return false;
      if (lane.node_begin[row + 1] != lane.node_begin[row] + row_node_count(end - begin)) return false;
      for (std::uint32_t i = begin + 1; i < end; ++i) {
        if (track.events.start_ns(i) < track.events.end_ns(i - 1)) return false;
      }
    }
    return std::ranges::all_of(lane.nodes.span(), [&](const RowNode& node) { return are_texts(node.name); });
  }

  const Capture& capture_;
  const Profile& profile_;
  const Timeline& timeline_;
};

}  // namespace

bool is_sound(const Capture& capture, const Timeline& timeline) { return Soundness(capture, timeline).check(); }

}  // namespace vizd
