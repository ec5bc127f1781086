#include "analysis/devices/call_tree.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "analysis/figures/argument_cursor.h"
#include "model/module_names.h"

namespace vizd {
namespace {

// Where on the host work was launched: the call, or else its operator.
struct LaunchPlace {
  std::int64_t at_ns = 0;
  std::uint32_t track = 0, event = 0;
  bool is_call = false;
};

// The frames of one track, and the nodes that they are.
class FrameStack {
 public:
  struct Frame {
    std::uint32_t event = 0;
    FrameKind kind = FrameKind::kRange;
    std::uint32_t node = kNoId;  // once anything was launched in it
  };

  explicit FrameStack(const EventColumns& events) : events_(events) {}

  void add(std::uint32_t event, FrameKind kind) { frames_.push_back({event, kind}); }
  void sort() {
    const auto is_before = [this](const Frame& a, const Frame& b) {
      const std::int64_t from_a = events_.start_ns(a.event), from_b = events_.start_ns(b.event);
      if (from_a != from_b) return from_a < from_b;
      if (events_.length_ns(a.event) != events_.length_ns(b.event))
        return events_.length_ns(a.event) > events_.length_ns(b.event);
      return events_[a.event].order < events_[b.event].order;
    };
    if (!std::ranges::is_sorted(frames_, is_before)) std::ranges::stable_sort(frames_, is_before);
  }

  // The frames around that moment, outermost first; moments do not go back.
  std::vector<Frame*>& around(std::int64_t at_ns) {
    const auto close = [&](std::int64_t now_ns) {
      while (!open_.empty() && events_.end_ns(open_.back()->event) < now_ns) open_.pop_back();
    };
    for (; next_ < frames_.size() && events_.start_ns(frames_[next_].event) <= at_ns; ++next_) {
      close(events_.start_ns(frames_[next_].event));
      open_.push_back(&frames_[next_]);
    }
    close(at_ns);
    around_.clear();
    for (Frame* const frame : open_) {
      if (events_.end_ns(frame->event) >= at_ns) around_.push_back(frame);
    }
    return around_;
  }

 private:
  const EventColumns& events_;
  std::vector<Frame> frames_;
  std::vector<Frame*> open_, around_;
  std::size_t next_ = 0;
};

class TreeMaker {
 public:
  TreeMaker(const Capture& capture, const DeviceWork& work, const Operators& operators, const WorkFigures& figures)
      : strings_(capture.strings),
        tracks_(capture.profile.tracks),
        work_(work),
        operators_(operators),
        figures_(figures) {}

  CallTree make() {
    tree_.of_item.assign(work_.items.size(), kNoId);
    with_ranks_ = std::ranges::any_of(work_.devices,
                                      [this](const WorkDevice& d) { return d.root != work_.devices.front().root; });
    std::size_t first = 0;
    while (first < work_.items.size()) {
      const std::uint32_t root = work_.device_of(work_.items[first]).root;
      std::size_t end = first;
      while (end < work_.items.size() && work_.device_of(work_.items[end]).root == root) ++end;
      add_rank(root, first, end);
      first = end;
    }
    roll_up();
    return std::move(tree_);
  }

 private:
  using NodeKey = std::tuple<std::uint32_t, FrameKind, StringId>;
  struct KeyHash {
    std::size_t operator()(const NodeKey& key) const {
      const auto& [parent, kind, name] = key;
      return std::hash<std::uint64_t>()((std::uint64_t{parent} << 32 | index(name)) * 8 + static_cast<unsigned>(kind));
    }
  };
  using SequencePlace = std::pair<std::uint32_t, std::uint32_t>;  // track, event
  // What a call, or an operator, launched: work that the trace names, or that a capture does; and the nodes it is
  // below.
  struct Launch {
    bool has_own = false, has_captured = false;
    std::uint32_t node = kNoId, range = kNoId;
  };
  using CapturedCall = std::tuple<std::uint32_t, std::uint64_t, std::uint32_t>;  // node, launch, call
  // Names that captures tell count from here on where nodes are looked up: the trace's own have lower numbers.
  static constexpr std::uint32_t kFirstCaptured = std::uint32_t{1} << 31;

  std::uint32_t node_at(std::uint32_t parent, FrameKind kind, StringId name) {
    const auto [found, is_new] =
        places_.try_emplace({parent, kind, name}, static_cast<std::uint32_t>(tree_.nodes.size()));
    if (is_new)
      tree_.nodes.push_back({.parent = parent, .kind = kind, .name = index(name) < kFirstCaptured ? name : StringId{}});
    return found->second;
  }

  // The items [first, end) are the rank's.
  void add_rank(std::uint32_t root, std::size_t first, std::size_t end) {
    top_ = with_ranks_ && root != kNoId ? node_at(kNoId, FrameKind::kRank, tracks_[root].name) : kNoId;
    if (top_ != kNoId) ++tree_.nodes[top_].calls;
    read_sequences(root);
    launches_.clear();
    std::map<std::uint32_t, std::vector<LaunchPlace>> by_track;
    for (std::size_t i = first; i < end; ++i) {
      const auto place = launch_place(static_cast<std::uint32_t>(i));
      if (!place) continue;
      const auto [launch, is_new] = launches_.try_emplace(key_of(*place));
      if (is_new) by_track[place->track].push_back(*place);
      (operators_.captured_of(i) != nullptr ? launch->second.has_captured : launch->second.has_own) = true;
    }
    find_forward_modules();
    for (auto& [track, places] : by_track) add_launches(track, places);
    for (std::size_t i = first; i < end; ++i) {
      const auto place = launch_place(static_cast<std::uint32_t>(i));
      const Launch* const launch = place ? &launches_[key_of(*place)] : nullptr;
      std::uint32_t node = launch == nullptr ? top_ : launch->node;
      if (const CapturedOperator* const captured = operators_.captured_of(i))
        node = below_captured(*captured, place ? key_of(*place) : i, launch == nullptr ? top_ : launch->range);
      add_kernel(static_cast<std::uint32_t>(i), node);
    }
    count_captured_calls();
  }

  // The node of the innermost captured frame. launch: a number of the launch of the graph.
  std::uint32_t below_captured(const CapturedOperator& captured, std::uint64_t launch, std::uint32_t parent) {
    for (const CapturedOperator::Frame& frame : captured.frames) {
      const FrameKind kind = frame.is_operator ? FrameKind::kOperator : FrameKind::kModule;
      const auto [name, is_new] = captured_names_.try_emplace(
          frame.name, StringId{kFirstCaptured + static_cast<std::uint32_t>(captured_names_.size())});
      parent = node_at(parent, kind, name->second);
      tree_.nodes[parent].captured = frame.name;
      const CapturedCall call{parent, launch, frame.is_operator ? frame.call : kNoId};
      last_call_.resize(tree_.nodes.size());
      if (std::exchange(last_call_[parent], call) != call) captured_calls_.push_back(call);
    }
    return parent;
  }

  // Each once, of however many kernels.
  void count_captured_calls() {
    std::ranges::sort(captured_calls_);
    const auto repeated = std::ranges::unique(captured_calls_);
    captured_calls_.erase(repeated.begin(), repeated.end());
    for (const auto& [node, launch, call] : captured_calls_) ++tree_.nodes[node].calls;
    captured_calls_.clear();
    last_call_.clear();
  }

  static std::uint64_t key_of(const LaunchPlace& place) { return std::uint64_t{place.track} << 32 | place.event; }

  std::optional<LaunchPlace> launch_place(std::uint32_t i) const {
    const WorkItem& item = work_.items[i];
    if (item.call != kNoId) {
      const ProfileEvent& call = work_.calls[item.call];
      return LaunchPlace{call.start_ns, call.track, call.event, true};
    }
    if (operators_.of_item[i] == kNoId) return std::nullopt;
    const ProfileEvent& op = operators_.all[operators_.of_item[i]];
    return LaunchPlace{op.start_ns, op.track, op.event, false};
  }

  static std::optional<FrameKind> frame_kind(std::string_view category, std::string_view name) {
    if (category == "user_annotation") return FrameKind::kRange;
    if (category == "python_function" && is_module_name(name)) return FrameKind::kModule;
    return std::nullopt;
  }

  FrameStack frames_of(std::uint32_t t) {
    const EventColumns& events = tracks_[t].events;
    FrameStack stack(events);
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      if (events.kind(i) != EventKind::kSpan || events.is_step(i)) continue;
      if (events.role(i) == EventRole::kOperator) {
        stack.add(i, FrameKind::kOperator);
        continue;
      }
      const auto [known, is_new] = kinds_.try_emplace({events.category(i), events.name(i)});
      if (is_new) known->second = frame_kind(strings_.get(events.category(i)), strings_.get(events.name(i)));
      if (known->second) stack.add(i, *known->second);
    }
    stack.sort();
    return stack;
  }

  // For each sequence number: the last forward operator, which the backward one belongs to; numbers that two threads
  // use are not known.
  void read_sequences(std::uint32_t root) {
    forward_.clear();
    backward_.clear();
    for (std::uint32_t t = 0; t < tracks_.size(); ++t) {
      if (!is_below(tracks_, t, root)) continue;
      ArgumentCursor sequence(tracks_[t], "Sequence number", strings_);
      if (sequence.empty()) continue;
      ArgumentCursor forward_thread(tracks_[t], "Fwd thread id", strings_);
      const EventColumns& events = tracks_[t].events;
      for (std::uint32_t i = 0; i < events.size(); ++i) {
        const auto number = integer_of(sequence.at(i));
        if (!number || *number < 0) continue;
        if (integer_of(forward_thread.at(i)).value_or(0) != 0) {
          backward_[std::uint64_t{t} << 32 | i] = *number;
          continue;
        }
        const auto [found, is_new] = forward_.try_emplace(*number, SequencePlace{t, i});
        if (is_new || found->second.second == kNoId) continue;
        if (found->second.first != t) {
          found->second.second = kNoId;
        } else if (events.start_ns(i) >= events.start_ns(found->second.second)) {
          found->second.second = i;
        }
      }
    }
    if (backward_.empty()) forward_.clear();
  }

  static std::optional<std::int64_t> integer_of(const std::optional<ArgumentValue>& value) {
    const auto* const number = value ? std::get_if<std::int64_t>(&*value) : nullptr;
    return number == nullptr ? std::nullopt : std::optional(*number);
  }

  // Finds the modules around the forward operators that backward ones ask for.
  void find_forward_modules() {
    module_of_sequence_.clear();
    std::map<std::uint32_t, std::vector<std::pair<std::int64_t, std::int64_t>>> wanted;  // by track: time, number
    for (const auto& [event, number] : backward_) {
      const auto found = forward_.find(number);
      if (found == forward_.end() || found->second.second == kNoId) continue;
      const auto& [track, forward_event] = found->second;
      wanted[track].emplace_back(tracks_[track].events.start_ns(forward_event), number);
    }
    for (auto& [track, moments] : wanted) {
      std::ranges::sort(moments);
      FrameStack frames = frames_of(track);
      for (const auto& [at_ns, number] : moments) {
        std::vector<StringId> modules;
        for (const FrameStack::Frame* const frame : frames.around(at_ns)) {
          if (frame->kind == FrameKind::kModule) modules.push_back(tracks_[track].events.name(frame->event));
        }
        if (!modules.empty()) module_of_sequence_[number] = std::move(modules);
      }
    }
  }

  void add_launches(std::uint32_t track, std::vector<LaunchPlace>& places) {
    std::ranges::sort(places, {}, [](const LaunchPlace& p) { return std::pair(p.at_ns, p.event); });
    const EventColumns& events = tracks_[track].events;
    FrameStack frames = frames_of(track);
    for (const LaunchPlace& place : places) {
      Launch& launch = launches_[key_of(place)];
      const auto& around = frames.around(place.at_ns);
      if (launch.has_captured) launch.range = node_of_ranges(track, around);
      if (!launch.has_own) continue;
      launch.node = top_;
      for (FrameStack::Frame* const frame : around) launch.node = node_of(track, *frame, launch.node);
      if (!place.is_call) continue;
      launch.node = node_at(launch.node, FrameKind::kCall, events.name(place.event));
      ++tree_.nodes[launch.node].calls;
    }
  }

  // The innermost of the ranges that lie around everything else.
  std::uint32_t node_of_ranges(std::uint32_t track, const std::vector<FrameStack::Frame*>& around) {
    std::uint32_t node = top_;
    for (FrameStack::Frame* const frame : around) {
      if (frame->kind != FrameKind::kRange) break;
      node = node_of(track, *frame, node);
    }
    return node;
  }

  std::uint32_t node_of(std::uint32_t track, FrameStack::Frame& frame, std::uint32_t parent) {
    if (frame.node != kNoId) return frame.node;
    if (parent == top_) parent = below_forward_modules(track, frame, parent);
    frame.node = node_at(parent, frame.kind, tracks_[track].events.name(frame.event));
    ++tree_.nodes[frame.node].calls;
    return frame.node;
  }

  // The node of the module of a backward operator's forward operator.
  std::uint32_t below_forward_modules(std::uint32_t track, const FrameStack::Frame& frame, std::uint32_t parent) {
    const auto number = backward_.find(std::uint64_t{track} << 32 | frame.event);
    if (frame.kind != FrameKind::kOperator || number == backward_.end()) return parent;
    const auto modules = module_of_sequence_.find(number->second);
    if (modules == module_of_sequence_.end()) return parent;
    for (const StringId module : modules->second) parent = node_at(parent, FrameKind::kModule, module);
    return parent;
  }

  void add_kernel(std::uint32_t i, std::uint32_t parent) {
    const WorkItem& item = work_.items[i];
    const std::uint32_t place = node_at(parent, FrameKind::kKernel, tracks_[item.track].events.name(item.event));
    tree_.of_item[i] = place;
    CallNode& node = tree_.nodes[place];
    const WorkItem& worst = work_.items[node.worst];
    if (node.launches == 0 || length_of(item) > length_of(worst)) node.worst = i;
    ++node.calls;
    ++node.launches;
    node.total_ns += length_of(item);
    if (!std::isnan(figures_.flop[i])) node.flop += figures_.flop[i];
    if (!std::isnan(figures_.bytes[i])) node.bytes += figures_.bytes[i];
  }

  static std::int64_t length_of(const WorkItem& item) { return item.end_ns - item.start_ns; }

  // Children come after their parents.
  void roll_up() {
    for (std::size_t n = tree_.nodes.size(); n-- > 0;) {
      const CallNode& node = tree_.nodes[n];
      if (node.parent == kNoId) continue;
      CallNode& parent = tree_.nodes[node.parent];
      if (parent.launches == 0 || length_of(work_.items[node.worst]) > length_of(work_.items[parent.worst]))
        parent.worst = node.worst;
      parent.launches += node.launches;
      parent.total_ns += node.total_ns;
      parent.flop += node.flop;
      parent.bytes += node.bytes;
    }
  }

  const StringTable& strings_;
  const std::vector<Track>& tracks_;
  const DeviceWork& work_;
  const Operators& operators_;
  const WorkFigures& figures_;
  CallTree tree_;
  bool with_ranks_ = false;
  std::uint32_t top_ = kNoId;
  std::unordered_map<NodeKey, std::uint32_t, KeyHash> places_;
  std::map<std::pair<StringId, StringId>, std::optional<FrameKind>> kinds_;
  std::unordered_map<std::uint64_t, Launch> launches_;  // by the call's track and event
  std::unordered_map<std::string_view, StringId> captured_names_;
  std::vector<CapturedCall> captured_calls_, last_call_;      // of the rank; the last one of each node
  std::unordered_map<std::int64_t, SequencePlace> forward_;   // by sequence number
  std::unordered_map<std::uint64_t, std::int64_t> backward_;  // sequence number by track and event
  std::unordered_map<std::int64_t, std::vector<StringId>> module_of_sequence_;
};

}  // namespace

CallTree make_call_tree(const Capture& capture, const DeviceWork& work, const Operators& operators,
                        const WorkFigures& figures) {
  return TreeMaker(capture, work, operators, figures).make();
}

std::string_view frame_name(const CallNode& node, const StringTable& strings) {
  if (!node.captured.empty()) return node.captured;
  const std::string_view name = strings.get(node.name);
  return node.kind == FrameKind::kModule ? module_name(name) : name;
}

std::uint32_t module_of(const CallTree& tree, std::uint32_t node) {
  while (node != kNoId && tree.nodes[node].kind != FrameKind::kModule) node = tree.nodes[node].parent;
  return node;
}

std::string module_path(const CallTree& tree, std::uint32_t node, const StringTable& strings) {
  std::string path;
  for (node = module_of(tree, node); node != kNoId; node = tree.nodes[node].parent) {
    if (tree.nodes[node].kind != FrameKind::kModule) continue;
    const std::string name(frame_name(tree.nodes[node], strings));
    path = path.empty() ? name : name + " / " + path;
  }
  return path;
}

std::vector<std::uint32_t> tree_order(const CallTree& tree) {
  std::vector<std::vector<std::uint32_t>> children(tree.nodes.size());
  std::vector<std::uint32_t> waiting, order;
  for (std::uint32_t n = 0; n < tree.nodes.size(); ++n) {
    const std::uint32_t parent = tree.nodes[n].parent;
    (parent == kNoId ? waiting : children[parent]).push_back(n);
  }
  const auto least_first = [&](std::vector<std::uint32_t>& nodes) {
    std::ranges::stable_sort(nodes, [&](std::uint32_t a, std::uint32_t b) {
      return tree.nodes[a].total_ns != tree.nodes[b].total_ns ? tree.nodes[a].total_ns < tree.nodes[b].total_ns : a > b;
    });
  };
  least_first(waiting);
  while (!waiting.empty()) {
    const std::uint32_t n = waiting.back();
    waiting.pop_back();
    order.push_back(n);
    least_first(children[n]);
    waiting.insert(waiting.end(), children[n].begin(), children[n].end());
  }
  return order;
}

}  // namespace vizd
