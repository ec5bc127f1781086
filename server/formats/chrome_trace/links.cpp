// What leads to what in a trace: launches by their correlation, and flows by their ends.
#include <algorithm>
#include <numeric>
#include <tuple>
#include <unordered_map>

#include "formats/chrome_trace/tracks.h"
#include "formats/trace_words.h"
#include "model/argument_key.h"
#include "model/enclosing_spans.h"

namespace vizd::chrome_trace {
namespace {

// An event by the number that others know it by.
struct Numbered {
  ArgumentKey key;
  std::uint32_t order, track, event;
};

class Launches {
 public:
  Launches(Capture& capture, std::uint32_t first_track, LargeVector<Flow>& flows)
      : profile_(capture.profile), strings_(capture.strings), first_track_(first_track), flows_(flows) {}

  void link() {
    const auto is_call = [](EventRole role) { return role == EventRole::kCall; };
    const auto is_operator = [](EventRole role) { return role == EventRole::kOperator; };
    const auto calls = firsts(find({"correlation"}, is_call));
    std::vector<Numbered> works = find({"correlation"}, is_work);
    std::ranges::sort(works, {}, [](const Numbered& work) { return std::tuple(work.track, work.event); });
    std::vector<Numbered> alone;  // work that names an operator, and whose call is not there
    bool ids_are_operators = false;
    for (const Numbered& named : find({"External id", "external id"}, is_work)) {
      const auto work = std::ranges::lower_bound(works, std::tuple(named.track, named.event), {},
                                                 [](const Numbered& w) { return std::tuple(w.track, w.event); });
      const bool has_correlation = work != works.end() && work->track == named.track && work->event == named.event;
      if (!has_correlation || work->key != named.key) ids_are_operators = true;
      if (!has_correlation || first_of(calls, *work) == nullptr) alone.push_back(named);
    }
    for (const Numbered& work : works) {
      if (const Numbered* const call = first_of(calls, work)) add(*call, work);
    }
    if (!ids_are_operators || alone.empty()) return;
    const auto operators = firsts(find({"External id", "external id"}, is_operator));
    for (const Numbered& work : alone) {
      if (const Numbered* const of = first_of(operators, work)) add(*of, work);
    }
  }

 private:
  // The spans of those roles, in one record or two, that have an argument of one of those names.
  template <typename Takes>
  std::vector<Numbered> find(std::initializer_list<std::string_view> names, Takes&& takes) {
    std::vector<Numbered> found;
    std::unordered_map<StringId, bool> is_taken;
    for (std::uint32_t t = first_track_; t < profile_.tracks.size(); ++t) {
      const Track& track = profile_.tracks[t];
      for (const ArgumentColumn& column : track.arguments) {
        if (column.is_hidden || std::ranges::find(names, strings_.get(column.name)) == names.end()) continue;
        for (std::size_t i = 0; i < column.size(); ++i) {
          const std::uint32_t event = column.event(i);
          if (track.events.kind(event) != EventKind::kSpan) continue;
          const StringId category = track.events.category(event);
          const auto [taken, is_new] = is_taken.try_emplace(category, false);
          if (is_new) taken->second = takes(trace::role_of(strings_.get(category), ""));
          if (!taken->second) continue;
          const ArgumentKey key = argument_key(column, i, strings_);
          if (key.type != ArgumentKey::Type::kNone) found.push_back({key, track.events[event].order, t, event});
        }
      }
    }
    return found;
  }

  // Of each number the one that was recorded first; by number.
  static std::vector<Numbered> firsts(std::vector<Numbered> all) {
    std::ranges::sort(all, {}, [](const Numbered& one) { return std::tuple(one.key, one.order); });
    const auto rest = std::ranges::unique(all, {}, &Numbered::key);
    all.erase(rest.begin(), rest.end());
    return all;
  }

  static const Numbered* first_of(const std::vector<Numbered>& firsts, const Numbered& like) {
    const auto found = std::ranges::lower_bound(firsts, like.key, {}, &Numbered::key);
    return found != firsts.end() && found->key == like.key ? &*found : nullptr;
  }

  void add(const Numbered& from, const Numbered& to) { flows_.push_back({from.track, from.event, to.track, to.event}); }

  const Profile& profile_;
  const StringTable& strings_;
  const std::uint32_t first_track_;
  LargeVector<Flow>& flows_;
};

// By flow end, from the first on, the event that it is of; kNoId where there is none.
LargeVector<std::uint32_t> events_of_ends(const Profile& profile, std::size_t first_end) {
  const FlowEnds& ends = profile.flow_ends;
  LargeVector<std::uint32_t> events(ends.size() - first_end, kNoId);
  LargeVector<std::uint32_t> order(events.size());
  std::iota(order.begin(), order.end(), 0u);
  const auto end_at = [&](std::uint32_t i) { return ends[first_end + i]; };
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) { return std::pair(end_at(i).track, end_at(i).at_ns); });
  for (std::size_t begin = 0; begin < order.size();) {
    const std::uint32_t track = end_at(order[begin]).track;
    EnclosingSpans around(profile.tracks[track].events, [](std::uint32_t) { return true; });
    EnclosingSpans after(profile.tracks[track].events, [](std::uint32_t) { return true; });
    for (; begin < order.size() && end_at(order[begin]).track == track; ++begin) {
      const FlowEnd end = end_at(order[begin]);
      const auto event = end.is_of_enclosing ? around.at(end.at_ns) : after.next(end.at_ns);
      if (event) events[order[begin]] = *event;
    }
  }
  return events;
}

void link_ends(const Profile& profile, std::size_t first_end, LargeVector<Flow>& flows) {
  const FlowEnds& ends = profile.flow_ends;
  const LargeVector<std::uint32_t> events = events_of_ends(profile, first_end);
  const auto end_at = [&](std::uint32_t i) { return ends[first_end + i]; };
  const auto key_of = [](const FlowEnd& end) { return std::tuple(end.category, end.id_type, end.id); };
  LargeVector<std::uint32_t> order(events.size());
  std::iota(order.begin(), order.end(), 0u);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t i) {
    const FlowEnd end = end_at(i);
    return std::tuple(end.category, end.id_type, end.id, end.at_ns);
  });
  for (std::size_t begin = 0, stop = 0; begin < order.size(); begin = stop) {
    const auto key = key_of(end_at(order[begin]));
    std::uint32_t from = kNoId;
    std::size_t starts = 0;
    for (stop = begin; stop < order.size() && key_of(end_at(order[stop])) == key; ++stop) {
      if (end_at(order[stop]).kind != FlowEnd::Kind::kStart) continue;
      ++starts;
      from = order[stop];
    }
    if (starts == 0) continue;
    // A single start leads to all, also to what its clock says came before it; of several, each to what follows it.
    if (starts > 1) from = kNoId;
    for (std::size_t k = begin; k < stop; ++k) {
      const FlowEnd end = end_at(order[k]);
      if (end.kind == FlowEnd::Kind::kStart) {
        from = order[k];
        continue;
      }
      if (from != kNoId && events[from] != kNoId && events[order[k]] != kNoId)
        flows.push_back({end_at(from).track, events[from], end.track, events[order[k]]});
      if (end.kind == FlowEnd::Kind::kStep) from = order[k];
    }
  }
}

}  // namespace

void link(Capture& capture, std::uint32_t first_track, std::size_t first_flow_end) {
  LargeVector<Flow> flows;
  Launches(capture, first_track, flows).link();
  link_ends(capture.profile, first_flow_end, flows);
  // Launches are in many traces twice: by correlation, and by flow ends.
  const auto key = [](const Flow& flow) {
    return std::tuple(flow.from_track, flow.from_event, flow.to_track, flow.to_event);
  };
  std::ranges::sort(flows, {}, key);
  const auto rest = std::ranges::unique(flows, {}, key);
  flows.erase(rest.begin(), rest.end());
  for (const Flow& flow : flows) capture.profile.flows.push_back(flow);
}

}  // namespace vizd::chrome_trace
