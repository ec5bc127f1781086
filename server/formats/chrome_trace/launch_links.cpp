#include "formats/chrome_trace/launch_links.h"

#include <algorithm>
#include <span>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "formats/chrome_trace/shared_numbers.h"
#include "formats/trace_words.h"
#include "model/argument_key.h"
#include "model/track_numbers.h"

namespace vizd::chrome_trace {
namespace {

class Launches {
 public:
  Launches(const Capture& capture, std::uint32_t first_track, const RootOfTrack& roots, LargeVector<Flow>& flows)
      : profile_(capture.profile), strings_(capture.strings), first_track_(first_track), roots_(roots), flows_(flows) {}

  void link() {
    const auto is_call = [](EventRole role) { return role == EventRole::kCall; };
    const auto is_operator = [](EventRole role) { return role == EventRole::kOperator; };
    std::vector<Numbered> calls = find(trace::kCorrelations, is_call);
    std::vector<Numbered> works = find(trace::kCorrelations, is_work);
    std::ranges::sort(works, {}, [](const Numbered& work) { return std::tuple(work.track, work.event); });
    std::ranges::sort(calls, {}, [](const Numbered& call) { return std::tuple(call.key, call.start_ns, call.order); });
    std::vector<Numbered> alone;  // work that names an operator, and whose call is not there
    bool ids_are_operators = false;
    for (const Numbered& named : find(kExternalIds, is_work)) {
      const auto work = std::ranges::lower_bound(works, std::tuple(named.track, named.event), {},
                                                 [](const Numbered& w) { return std::tuple(w.track, w.event); });
      const bool has_correlation = work != works.end() && work->track == named.track && work->event == named.event;
      if (!has_correlation || work->key.id != named.key.id) ids_are_operators = true;
      if (!has_correlation || !std::ranges::binary_search(calls, work->key, {}, &Numbered::key)) alone.push_back(named);
    }
    if (works.empty()) {
      // Intel's unitrace calls a launch by another name.
      constexpr std::string_view kIds[] = {"id"};
      works = find(kIds, is_work);
      calls = works.empty() ? calls : find(kIds, is_call);
      std::ranges::sort(calls, {},
                        [](const Numbered& call) { return std::tuple(call.key, call.start_ns, call.order); });
      link_by_name();
    }
    link_calls(std::move(works), calls);
    if (!ids_are_operators || alone.empty()) return;
    const auto operators = firsts(find(kExternalIds, is_operator));
    for (const Numbered& work : alone) {
      if (const Numbered* const of = first_of(operators, work)) add(*of, work);
    }
  }

 private:
  static constexpr std::string_view kExternalIds[] = {"External id", "external id"};

  // The spans of those roles, in one record or two, that have an argument of one of those names.
  template <typename Takes>
  std::vector<Numbered> find(std::span<const std::string_view> names, Takes&& takes) {
    std::vector<Numbered> found;
    for (std::uint32_t t = first_track_; t < profile_.tracks.size(); ++t) {
      const Track& track = profile_.tracks[t];
      for (const ArgumentColumn& column : track.arguments) {
        if (column.is_hidden || std::ranges::find(names, strings_.get(column.name)) == names.end()) continue;
        for (std::size_t i = 0; i < column.size(); ++i) {
          const std::uint32_t event = column.event(i);
          if (track.events.kind(event) != EventKind::kSpan || !takes(role_of(track.events, event))) continue;
          const ArgumentKey key = argument_key(column, i, strings_);
          if (key.type == ArgumentKey::Type::kNone) continue;
          found.push_back({{roots_.of(t), key}, track.events.start_ns(event), track.events[event].order, t, event});
        }
      }
    }
    return found;
  }

  // Also for work that came as a begin and an end.
  EventRole role_of(const EventColumns& events, std::uint32_t event) {
    if (events.role(event) != EventRole::kNone) return events.role(event);
    const StringId category = events.category(event);
    const auto [found, is_new] = roles_.try_emplace(category, EventRole::kNone);
    if (is_new) found->second = trace::role_of(strings_.get(category), "");
    return found->second;
  }

  // Works of one number, and the calls of it: sorted by number and time.
  void link_calls(std::vector<Numbered> works, const std::vector<Numbered>& calls) {
    std::ranges::sort(works, {}, [](const Numbered& work) { return std::tuple(work.key, work.start_ns, work.order); });
    auto call = calls.begin();
    std::vector<std::pair<std::span<const Numbered>, std::span<const Numbered>>> ambiguous;
    for (auto begin = works.begin(), end = begin; begin != works.end(); begin = end) {
      end = std::ranges::find_if(begin, works.end(), [&](const Numbered& work) { return work.key != begin->key; });
      call = std::lower_bound(call, calls.end(), begin->key,
                              [](const Numbered& one, const NumberKey& key) { return one.key < key; });
      const auto last =
          std::ranges::find_if(call, calls.end(), [&](const Numbered& one) { return one.key != begin->key; });
      if (last - call > 1) {
        ambiguous.emplace_back(std::span(begin, end), std::span(call, last));
      } else if (call != last) {
        std::ranges::for_each(begin, end, [&](const Numbered& work) { add(*call, work); });
      }
    }
    // A number that stands in the file once for each rank: which host launches on which device is told by them all.
    SharedNumbers shared(profile_.tracks);
    for (const auto& [of_work, of_call] : ambiguous) shared.count(of_work, of_call);
    for (const auto& [of_work, of_call] : ambiguous)
      shared.match(of_work, of_call, [&](const Numbered& from, const Numbered& to) { add(from, to); });
  }

  // As ONNX Runtime has it: each kernel is of the operator of its name that began last before it.
  void link_by_name() {
    constexpr std::string_view kNames[] = {"op_name"};
    const auto works = find(kNames, is_work);
    if (works.empty()) return;
    auto operators = find(kNames, [](EventRole role) { return role == EventRole::kOperator; });
    const auto time_of = [](const Numbered& one) { return std::tuple(one.key, one.start_ns, one.order); };
    std::ranges::sort(operators, {}, time_of);
    for (const Numbered& work : works) {
      const auto after = std::ranges::upper_bound(operators, time_of(work), {}, time_of);
      if (after != operators.begin() && (after - 1)->key == work.key) add(*(after - 1), work);
    }
  }

  // The first that was recorded of each number, sorted by number.
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
  const RootOfTrack& roots_;
  LargeVector<Flow>& flows_;
  std::unordered_map<StringId, EventRole> roles_;  // by category
};

}  // namespace

RootOfTrack::RootOfTrack(const std::vector<Track>& tracks, std::uint32_t first_track,
                         const std::vector<std::uint32_t>& roots)
    : first_track_(first_track) {
  if (roots.size() < 2) return;
  for (std::uint32_t t = first_track; t < tracks.size(); ++t) roots_.push_back(root_of(tracks, t));
}

void link_launches(const Capture& capture, std::uint32_t first_track, const RootOfTrack& roots,
                   LargeVector<Flow>& flows) {
  Launches(capture, first_track, roots, flows).link();
}

}  // namespace vizd::chrome_trace
