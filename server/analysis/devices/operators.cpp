#include "analysis/devices/operators.h"

#include <algorithm>
#include <map>
#include <optional>
#include <span>
#include <tuple>
#include <unordered_map>

#include "analysis/devices/items_by_track.h"
#include "analysis/figures/argument_cursor.h"
#include "model/enclosing_spans.h"

namespace vizd {
namespace {

using Place = std::pair<std::uint32_t, std::uint32_t>;  // track, event

class OperatorFinder {
 public:
  OperatorFinder(const Capture& capture, const DeviceWork& work)
      : strings_(capture.strings), tracks_(capture.profile.tracks), flows_(capture.profile.flows.span()), work_(work) {}

  Operators find() {
    read_flows();
    std::size_t first = 0;
    while (first < work_.items.size()) {
      const std::uint32_t root = work_.device_of(work_.items[first]).root;
      std::size_t end = first;
      while (end < work_.items.size() && work_.device_of(work_.items[end]).root == root) ++end;
      find_of_rank(root, first, end);
      first = end;
    }
    return std::move(operators_);
  }

 private:
  struct KnownOperator {
    ArgumentKey id;
    std::uint32_t order = 0;
    Place place;
  };

  // The items [first, end) are the rank's.
  void find_of_rank(std::uint32_t root, std::size_t first, std::size_t end) {
    read_ids(first, end);
    if (ids_are_operators_) read_operators(root);
    find_enclosing(first, end);
    if (ids_.empty() && call_ids_.empty() && enclosing_.empty() && leading_.empty()) return;
    for (std::size_t i = first; i < end; ++i) {
      const WorkItem& item = work_.items[i];
      std::optional<ArgumentKey> id = ids_.empty() ? std::nullopt : ids_[i - first];
      if (!id && item.call != kNoId) id = call_ids_[item.call];
      const KnownOperator* const known = ids_are_operators_ && id ? operator_of(*id, item) : nullptr;
      if (known != nullptr) {
        operators_.of_item.set(i, number_of(known->place));
      } else if (const auto around = enclosing_.find(item.call); item.call != kNoId && around != enclosing_.end()) {
        operators_.of_item.set(i, number_of(around->second));
        if (around->second.first != work_.calls[item.call].track) operators_.by_time_of_item.set(i, 1);
      } else if (const auto leading = leading_.find(key_of({item.track, item.event})); leading != leading_.end()) {
        operators_.of_item.set(i, number_of(leading->second));
      }
    }
  }

  static std::uint64_t key_of(const Place& place) { return std::uint64_t{place.first} << 32 | place.second; }

  // By work the operator that an arrow leads from.
  void read_flows() {
    for (const Flow& flow : flows_) {
      if (tracks_[flow.from_track].events.role(flow.from_event) != EventRole::kOperator) continue;
      if (!is_work(tracks_[flow.to_track].events.role(flow.to_event))) continue;
      leading_.try_emplace(key_of({flow.to_track, flow.to_event}), Place(flow.from_track, flow.from_event));
    }
  }

  static std::optional<ArgumentKey> external_id(ArgumentCursor& current, ArgumentCursor& older, std::uint32_t event) {
    const auto id = current.key_at(event);
    return id ? id : older.key_at(event);
  }

  void read_ids(std::size_t first, std::size_t end) {
    ids_.clear();
    call_ids_.clear();
    ids_are_operators_ = false;
    const std::vector<bool> having = tracks_with(tracks_, {"External id", "external id"}, strings_);
    if (std::ranges::find(having, true) == having.end()) return;
    ids_.assign(end - first, std::nullopt);
    for (const auto& [track, items] : items_by_track(work_, first, end, having)) {
      ArgumentCursor id(tracks_[track], "External id", strings_), older(tracks_[track], "external id", strings_);
      ArgumentCursor correlation(tracks_[track], "correlation", strings_);
      for (const auto& [event, item] : items) {
        const auto value = external_id(id, older, event);
        if (!value) continue;
        ids_[item - first] = value;
        if (correlation.key_at(event) != ids_[item - first]) ids_are_operators_ = true;
      }
    }
    if (!ids_are_operators_) return;
    for (const auto& [track, items] : calls_by_track(work_, first, end)) {
      ArgumentCursor id(tracks_[track], "External id", strings_), older(tracks_[track], "external id", strings_);
      for (const auto& [event, item] : items) call_ids_[work_.items[item].call] = external_id(id, older, event);
    }
  }

  void read_operators(std::uint32_t root) {
    known_.clear();
    for (std::uint32_t t = 0; t < tracks_.size(); ++t) {
      if (!is_below(tracks_, t, root)) continue;
      ArgumentCursor id(tracks_[t], "External id", strings_), older(tracks_[t], "external id", strings_);
      if (id.empty() && older.empty()) continue;
      for_each_operator(t, [&](std::uint32_t event) {
        if (const auto value = external_id(id, older, event))
          known_.push_back({*value, tracks_[t].events.order(event), {t, event}});
      });
    }
    std::ranges::sort(known_, {}, [](const KnownOperator& known) { return std::tuple(known.id, known.order); });
  }

  template <typename Visit>
  void for_each_operator(std::uint32_t t, Visit&& visit) {
    const EventColumns& events = tracks_[t].events;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      if (events.role(i) == EventRole::kOperator) visit(i);
    }
  }

  // The operator of that id. Where the file has it several times, as where ranks were pasted into one: the one on the
  // thread of the call, else in its process, that began last before the call; else the first in the file.
  const KnownOperator* operator_of(const ArgumentKey& id, const WorkItem& item) const {
    const auto all = std::ranges::equal_range(known_, id, {}, &KnownOperator::id);
    if (all.empty()) return nullptr;
    if (all.size() == 1 || item.call == kNoId) return &all.front();
    const ProfileEvent& call = work_.calls[item.call];
    const auto fitness = [&](const KnownOperator& known) {
      const std::uint32_t track = known.place.first;
      const std::int64_t start_ns = tracks_[track].events.start_ns(known.place.second);
      return std::tuple(track == call.track, tracks_[track].parent == tracks_[call.track].parent,
                        start_ns <= call.start_ns, start_ns <= call.start_ns ? start_ns : 0);
    };
    constexpr std::ptrdiff_t kMostLooked = 256;  // as many ranks do not stand in one file
    const auto last = all.begin() + std::min(kMostLooked, std::ranges::ssize(all));
    return &*std::ranges::max_element(all.begin(), last, {}, fitness);
  }

  // By call the operator around its start.
  void find_enclosing(std::size_t first, std::size_t end) {
    enclosing_.clear();
    if (work_.calls.empty()) return;
    std::map<std::uint32_t, std::vector<std::uint32_t>> calls;  // by track
    for (std::size_t i = first; i < end; ++i) {
      if (const std::uint32_t call = work_.items[i].call; call != kNoId) calls[work_.calls[call].track].push_back(call);
    }
    for (auto& [track, of_track] : calls) {
      const auto start_of = [&](std::uint32_t call) { return work_.calls[call].start_ns; };
      std::ranges::sort(of_track, {}, [&](std::uint32_t call) { return std::pair(start_of(call), call); });
      const auto rest = std::ranges::unique(of_track);
      of_track.erase(rest.begin(), rest.end());
      const EventColumns& events = tracks_[track].events;
      EnclosingSpans operators(events, [&](std::uint32_t i) { return events.role(i) == EventRole::kOperator; });
      for (const std::uint32_t call : of_track) {
        if (const auto around = operators.at(start_of(call))) enclosing_[call] = {track, *around};
      }
      if (is_unplaced(track)) find_by_time(track, of_track);
    }
  }

  // Whether the profiler could not tell on which thread the track's calls were: "thread -1698949248".
  bool is_unplaced(std::uint32_t track) const {
    constexpr std::string_view kBegin = "thread -";
    const std::string_view name = strings_.get(tracks_[track].name);
    return name.starts_with(kBegin) && name.size() > kBegin.size() &&
           name.find_first_not_of("0123456789", kBegin.size()) == name.npos;
  }

  // Gives each call of an unplaced track the operator that was open when it began, where exactly one thread of the
  // process had one open. calls: by time.
  void find_by_time(std::uint32_t track, std::span<const std::uint32_t> calls) {
    std::vector<std::uint32_t> threads_open(calls.size());
    std::vector<Place> open(calls.size());
    for (std::uint32_t t = 0; t < tracks_.size(); ++t) {
      if (t == track || tracks_[t].parent != tracks_[track].parent || tracks_[t].kind != TrackKind::kThread) continue;
      const EventColumns& events = tracks_[t].events;
      EnclosingSpans operators(events, [&](std::uint32_t i) { return events.role(i) == EventRole::kOperator; });
      for (std::size_t c = 0; c < calls.size(); ++c) {
        const auto around = operators.at(work_.calls[calls[c]].start_ns);
        if (!around) continue;
        ++threads_open[c];
        open[c] = {t, *around};
      }
    }
    for (std::size_t c = 0; c < calls.size(); ++c) {
      if (threads_open[c] == 1) enclosing_.try_emplace(calls[c], open[c]);
    }
  }

  std::uint32_t number_of(const Place& place) {
    const auto [found, is_new] = numbers_.try_emplace(key_of(place), static_cast<std::uint32_t>(operators_.all.size()));
    if (is_new) {
      const EventColumns& events = tracks_[place.first].events;
      operators_.all.push_back({.start_ns = events.start_ns(place.second),
                                .end_ns = events.end_ns(place.second),
                                .track = place.first,
                                .event = place.second,
                                .order = events.order(place.second)});
    }
    return found->second;
  }

  const StringTable& strings_;
  const std::vector<Track>& tracks_;
  const std::span<const Flow> flows_;
  const DeviceWork& work_;
  Operators operators_;
  std::unordered_map<std::uint64_t, Place> leading_;  // by work
  std::vector<std::optional<ArgumentKey>> ids_;       // by item of the rank
  std::unordered_map<std::uint32_t, std::optional<ArgumentKey>> call_ids_;
  bool ids_are_operators_ = false;
  std::vector<KnownOperator> known_;  // by id
  std::unordered_map<std::uint32_t, Place> enclosing_;
  std::unordered_map<std::uint64_t, std::uint32_t> numbers_;
};

}  // namespace

Operators find_operators(const Capture& capture, const DeviceWork& work) {
  return OperatorFinder(capture, work).find();
}

}  // namespace vizd
