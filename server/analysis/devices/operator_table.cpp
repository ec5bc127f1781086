#include "analysis/devices/operator_table.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analysis/devices/host_calls.h"
#include "analysis/devices/memory_report.h"
#include "analysis/devices/python_frames.h"
#include "analysis/figures/argument_cursor.h"
#include "analysis/pytorch/profiler_flop.h"

namespace vizd {
namespace {

std::uint64_t key_of(std::uint32_t track, std::uint32_t event) { return std::uint64_t{track} << 32 | event; }

// Figures of the calls besides their times, by place in the list of calls.
struct CallFigures {
  std::vector<double> flop;                       // NaN where it is not known
  std::vector<std::int64_t> device_ns;            // of work launched for it and not for a call in it
  std::vector<std::int64_t> bytes, device_bytes;  // likewise
  std::vector<std::uint32_t> group;               // place in the texts
  bool has_device = false, has_memory = false, has_device_memory = false;
};

// A list of shapes as PyTorch writes it, however the file has spaces: "[[8, 16], [16]]".
std::string shapes_text(std::string_view json) {
  std::string text;
  for (const char c : json) {
    if (c == ' ') continue;
    text += c;
    if (c == ',') text += ' ';
  }
  return text;
}

// The text or stack that separates rows of one name.
struct GroupText {
  std::optional<std::string> text;
  std::vector<std::string_view> stack;
};

class FigureReader {
 public:
  FigureReader(const Capture& capture, const DeviceAnalysis& devices, const HostCalls& calls)
      : strings_(capture.strings), tracks_(capture.profile.tracks), devices_(devices), calls_(calls) {
    figures_.flop.assign(calls.size(), std::nan(""));
    figures_.device_ns.assign(calls.size(), 0);
    figures_.bytes = figures_.device_bytes = figures_.device_ns;
    figures_.group.assign(calls.size(), 0);
  }

  CallFigures read(std::uint32_t root) {
    for (std::size_t first = 0; first < calls_.size();) {
      std::size_t end = first;
      while (end < calls_.size() && calls_[end].track == calls_[first].track) ++end;
      read_flop(first, end);
      read_memory(first, end);
      first = end;
    }
    read_devices(root);
    return std::move(figures_);
  }

 private:
  // Calls of the thread [first, end) with their places, in the order of its events.
  std::vector<std::pair<std::uint32_t, std::uint32_t>> by_event(std::size_t first, std::size_t end) const {
    std::vector<std::pair<std::uint32_t, std::uint32_t>> places;
    for (std::size_t i = first; i < end; ++i) places.emplace_back(calls_[i].event, static_cast<std::uint32_t>(i));
    std::ranges::sort(places);
    return places;
  }

  static StringId text_of(const std::optional<ArgumentValue>& value) {
    const auto* const text = value ? std::get_if<StringId>(&*value) : nullptr;
    return text == nullptr ? StringId{} : *text;
  }

  // Calls with the same inputs have the same.
  void read_flop(std::size_t first, std::size_t end) {
    const Track& track = tracks_[calls_[first].track];
    ArgumentCursor dims(track, "Input Dims", strings_), concrete(track, "Concrete Inputs", strings_);
    ArgumentCursor types(track, "Input type", strings_), older_types(track, "Input types", strings_);
    if (dims.empty()) return;
    for (const auto& [event, place] : by_event(first, end)) {
      if (!calls_[place].is_operator) continue;
      const auto type = types.at(event), older = older_types.at(event);
      const std::tuple inputs(track.events.name(event), text_of(dims.at(event)), text_of(type ? type : older),
                              text_of(concrete.at(event)));
      const auto [known, is_new] = flop_.try_emplace(inputs);
      if (is_new) {
        const auto& [name, sizes, kinds, values] = inputs;
        known->second = profiler_flop({.name = strings_.get(name),
                                       .dims = strings_.get(sizes),
                                       .types = strings_.get(kinds),
                                       .concrete = strings_.get(values)});
      }
      if (known->second) figures_.flop[place] = *known->second;
    }
  }

  // A report counts for the innermost call that has begun by then and not ended.
  void read_memory(std::size_t first, std::size_t end) {
    std::vector<MemoryReport> reports = memory_reports(tracks_[calls_[first].track], strings_);
    std::ranges::stable_sort(reports, {}, &MemoryReport::at_ns);
    std::uint32_t open = kNoId;
    std::size_t next = first;
    for (const MemoryReport& report : reports) {
      for (; next < end && calls_[next].start_ns <= report.at_ns; ++next) open = static_cast<std::uint32_t>(next);
      while (open != kNoId && calls_[open].end_ns <= report.at_ns) open = calls_[open].parent;
      (report.is_of_host() ? figures_.has_memory : figures_.has_device_memory) = true;
      if (open != kNoId) (report.is_of_host() ? figures_.bytes : figures_.device_bytes)[open] += report.bytes;
    }
  }

  void read_devices(std::uint32_t root) {
    const DeviceWork& work = devices_.work;
    std::unordered_map<std::uint64_t, std::uint32_t> places;
    for (std::size_t i = 0; i < work.items.size(); ++i) {
      if (work.device_of(work.items[i]).root != root) continue;
      figures_.has_device = true;
      const std::uint32_t of = devices_.operators.of_item[i];
      if (of == kNoId) continue;
      if (places.empty()) {
        for (std::uint32_t c = 0; c < calls_.size(); ++c) places[key_of(calls_[c].track, calls_[c].event)] = c;
      }
      const ProfileEvent& call = devices_.operators.all[of];
      if (const auto found = places.find(key_of(call.track, call.event)); found != places.end())
        figures_.device_ns[found->second] += work.items[i].end_ns - work.items[i].start_ns;
    }
  }

  const StringTable& strings_;
  const std::vector<Track>& tracks_;
  const DeviceAnalysis& devices_;
  const HostCalls& calls_;
  std::map<std::tuple<StringId, StringId, StringId, StringId>, std::optional<double>> flop_;
  CallFigures figures_;
};

// Says of each call what tells its row from others of its name.
class CallGrouper {
 public:
  CallGrouper(const Capture& capture, const HostCalls& calls, const OperatorChoice& choice)
      : strings_(capture.strings), profile_(capture.profile), calls_(calls), choice_(choice), group_(calls.size(), 0) {
    texts.emplace_back();  // nothing
  }

  std::vector<std::uint32_t> group() {
    if (choice_.group == OperatorGroup::kName) return std::move(group_);
    for (std::size_t first = 0; first < calls_.size();) {
      std::size_t end = first;
      while (end < calls_.size() && calls_[end].track == calls_[first].track) ++end;
      choice_.group == OperatorGroup::kShape ? by_shape(first, end) : by_frames(first, end);
      first = end;
    }
    if (choice_.group == OperatorGroup::kModule || choice_.group == OperatorGroup::kLine) go_forward();
    return std::move(group_);
  }

  std::vector<GroupText> texts;

 private:
  void by_shape(std::size_t first, std::size_t end) {
    ArgumentCursor dims(profile_.tracks[calls_[first].track], "Input Dims", strings_);
    if (dims.empty()) return;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> order;
    for (std::size_t i = first; i < end; ++i) order.emplace_back(calls_[i].event, static_cast<std::uint32_t>(i));
    std::ranges::sort(order);
    for (const auto& [event, place] : order) {
      const auto value = dims.at(event);
      const auto* const text = value ? std::get_if<StringId>(&*value) : nullptr;
      group_[place] = number_of({text == nullptr ? std::string("[]") : shapes_text(strings_.get(*text)), {}});
    }
  }

  void by_frames(std::size_t first, std::size_t end) {
    PythonFrames frames(profile_.tracks[calls_[first].track], strings_);
    if (frames.empty()) return;
    std::unordered_map<std::uint32_t, std::uint32_t> known;
    for (std::size_t i = first; i < end; ++i) {
      const std::uint32_t frame = frames.at(calls_[i].start_ns);
      const auto [found, is_new] = known.try_emplace(frame, 0);
      if (is_new) found->second = number_of(text_of(frames, frame));
      group_[i] = found->second;
    }
  }

  GroupText text_of(const PythonFrames& frames, std::uint32_t frame) const {
    if (choice_.group == OperatorGroup::kStack) return {{}, frames.stack(frame, choice_.frames)};
    std::string text =
        choice_.group == OperatorGroup::kModule ? frames.modules(frame) : std::string(frames.line(frame));
    return text.empty() ? GroupText() : GroupText{std::move(text), {}};
  }

  // A backward call belongs to the module of the forward call that an arrow leads from, and to that call's line where
  // it has none of its own. An arrow to a call holds for all calls inside it.
  void go_forward() {
    std::unordered_map<std::uint64_t, std::uint32_t> places;
    for (std::uint32_t c = 0; c < calls_.size(); ++c) places[key_of(calls_[c].track, calls_[c].event)] = c;
    std::vector<std::uint32_t> forward(calls_.size(), kNoId);
    for (const Flow& flow : profile_.flows.span()) {
      const auto from = places.find(key_of(flow.from_track, flow.from_event));
      const auto to = places.find(key_of(flow.to_track, flow.to_event));
      if (from != places.end() && to != places.end() && from->second != to->second) forward[to->second] = from->second;
    }
    const std::vector<std::uint32_t> own = group_;
    for (std::size_t c = 0; c < calls_.size(); ++c) {
      if (forward[c] == kNoId && calls_[c].parent != kNoId) forward[c] = forward[calls_[c].parent];
      if (forward[c] != kNoId && own[c] == 0) group_[c] = own[forward[c]];
    }
  }

  std::uint32_t number_of(GroupText of) {
    std::string key = of.text.value_or("");
    for (const std::string_view frame : of.stack) key.append(frame).append("\n");
    if (!of.text && of.stack.empty()) return 0;
    const auto [found, is_new] = numbers_.try_emplace(std::move(key), static_cast<std::uint32_t>(texts.size()));
    if (is_new) texts.push_back(std::move(of));
    return found->second;
  }

  const StringTable& strings_;
  const Profile& profile_;
  const HostCalls& calls_;
  const OperatorChoice& choice_;
  std::vector<std::uint32_t> group_;
  std::unordered_map<std::string, std::uint32_t> numbers_;
};

class OperatorSums {
 public:
  OperatorSums(const Capture& capture, const DeviceAnalysis& devices, const OperatorChoice& choice)
      : capture_(capture), devices_(devices), choice_(choice) {}

  std::vector<OperatorRow> of_rank(std::uint32_t root) {
    const HostScope scope(capture_, choice_.scope, root);
    if (!scope.has_rank()) return {};
    const HostCalls calls = find_host_calls(capture_, root);
    figures_ = FigureReader(capture_, devices_, calls).read(root);
    CallGrouper grouper(capture_, calls, choice_);
    figures_.group = grouper.group();
    const FileValue rank = rank_of(capture_, root);
    rows_.clear();
    places_.clear();
    std::vector<Below> below = sums_below(calls);
    for (std::uint32_t c = 0; c < calls.size(); ++c) {
      const std::uint32_t whole = calls[c].whole == kNoId ? c : calls[c].whole;
      if (!scope.holds(calls[whole])) continue;
      OperatorRow& row = row_of(calls[whole], figures_.group[whole], grouper.texts);
      row.root = root;
      row.rank = rank;
      add_self(row, calls[c], c);
      if (whole == c) add_call(row, calls[c], c, below[c]);
    }
    finish();
    return std::move(rows_);
  }

 private:
  struct Below {
    std::int64_t device_ns = 0, bytes = 0, device_bytes = 0;
  };

  // Sums each call with all calls inside it.
  std::vector<Below> sums_below(const HostCalls& calls) const {
    std::vector<Below> below(calls.size());
    for (std::size_t c = calls.size(); c-- > 0;) {
      below[c].device_ns += figures_.device_ns[c];
      below[c].bytes += figures_.bytes[c];
      below[c].device_bytes += figures_.device_bytes[c];
      if (calls[c].parent == kNoId) continue;
      Below& parent = below[calls[c].parent];
      parent.device_ns += below[c].device_ns;
      parent.bytes += below[c].bytes;
      parent.device_bytes += below[c].device_bytes;
    }
    return below;
  }

  OperatorRow& row_of(const HostCall& call, std::uint32_t group, const std::vector<GroupText>& texts) {
    const std::string_view name =
        host_call_name(capture_.strings.get(capture_.profile.tracks[call.track].events.name(call.event)));
    const auto [found, is_new] = places_.try_emplace({name, group}, rows_.size());
    if (!is_new) return rows_[found->second];
    OperatorRow& row = rows_.emplace_back();
    row.name = name;
    row.group = texts[group].text;
    row.stack = texts[group].stack;
    row.is_operator = call.is_operator;
    if (figures_.has_device) row.device_total_ns = row.device_self_ns = 0;
    if (figures_.has_memory) row.bytes = row.self_bytes = 0;
    if (figures_.has_device_memory) row.device_bytes = row.device_self_bytes = 0;
    return row;
  }

  // Adds the self figures of a call, or of a call that counts as part of it.
  void add_self(OperatorRow& row, const HostCall& call, std::uint32_t c) const {
    row.self_ns += call.self_ns();
    if (row.device_self_ns) *row.device_self_ns += figures_.device_ns[c];
    if (row.self_bytes) *row.self_bytes += figures_.bytes[c];
    if (row.device_self_bytes) *row.device_self_bytes += figures_.device_bytes[c];
  }

  void add_call(OperatorRow& row, const HostCall& call, std::uint32_t c, const Below& below) const {
    if (row.calls++ == 0 || call.dur_ns() > row.max_ns) {
      row.max_ns = call.dur_ns();
      row.longest = call;
    }
    row.total_ns += call.dur_ns();
    if (!std::isnan(figures_.flop[c])) row.flop = row.flop.value_or(0) + figures_.flop[c];
    if (row.device_total_ns) *row.device_total_ns += below.device_ns;
    if (row.bytes) *row.bytes += below.bytes;
    if (row.device_bytes) *row.device_bytes += below.device_bytes;
  }

  void finish() {
    std::int64_t all_ns = 0;
    for (const OperatorRow& row : rows_) all_ns += row.self_ns;
    for (OperatorRow& row : rows_)
      row.self_percent = all_ns == 0 ? 0 : 100 * static_cast<double>(row.self_ns) / static_cast<double>(all_ns);
    std::ranges::stable_sort(rows_, std::greater(), &OperatorRow::self_ns);
  }

  const Capture& capture_;
  const DeviceAnalysis& devices_;
  const OperatorChoice& choice_;
  CallFigures figures_;
  std::map<std::pair<std::string_view, std::uint32_t>, std::size_t> places_;
  std::vector<OperatorRow> rows_;
};

}  // namespace

std::optional<OperatorGroup> operator_group(std::string_view name) {
  const auto found = std::ranges::find(kOperatorGroupNames, name);
  if (found == std::end(kOperatorGroupNames)) return std::nullopt;
  return static_cast<OperatorGroup>(found - std::begin(kOperatorGroupNames));
}

std::vector<OperatorRow> make_operator_table(const Capture& capture, const DeviceAnalysis& devices,
                                             const OperatorChoice& choice) {
  std::vector<OperatorRow> all;
  OperatorSums sums(capture, devices, choice);
  for (const std::uint32_t root : rank_roots(capture)) {
    std::vector<OperatorRow> rows = sums.of_rank(root);
    std::ranges::move(rows, std::back_inserter(all));
  }
  return all;
}

}  // namespace vizd
