// What annotations say of nodes, in their own arguments or in a file; and what surrounds the calls that launched work
// outside of replays.
#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/devices/items_by_track.h"
#include "analysis/figures/argument_cursor.h"
#include "analysis/graph_replay/graph_replays.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

class NodeAnnotator {
 public:
  explicit NodeAnnotator(GraphReplays& made) : made_(made) {}

  void annotate() {
    const auto& tracks = made_.capture.profile.tracks;
    const StringTable& strings = made_.capture.strings;
    const std::size_t end = made_.first_item + made_.work.size();
    const auto nodes = tracks_with(tracks, {"graph node id"}, strings);
    for (const auto& [track, items] : items_by_track(made_.analysis.work, made_.first_item, end, nodes)) {
      ArgumentCursor annotation(tracks[track], "annotation", strings), name(tracks[track], "name", strings),
          module(tracks[track], "module_fqn", strings);
      for (const auto& [event, item] : items) {
        NamedWork& work = made_.work[item - made_.first_item];
        if (!work.node_id) continue;
        NodeNote note = note_of(annotation.at(event));
        if (const auto own = name.at(event)) note.name = value_text(*own, strings);
        if (const auto own = module.at(event)) note.module = value_text(*own, strings);
        if (const auto filed = made_.sources->notes.find(*work.node_id);
            note.is_empty() && filed != made_.sources->notes.end())
          note = *filed->second;
        apply(note, work);
      }
    }
  }

 private:
  NodeNote note_of(const std::optional<ArgumentValue>& annotation) {
    const auto* const text = annotation ? std::get_if<StringId>(&*annotation) : nullptr;
    if (text == nullptr) return {};
    const auto [found, is_new] = notes_.try_emplace(*text);
    if (!is_new) return found->second;
    const std::string_view json = made_.capture.strings.get(*text);
    auto note = read_json_note(json);
    if (!note) note = NodeNote{.name = std::string(json), .module = {}};
    return found->second = *note;
  }

  void apply(const NodeNote& note, NamedWork& work) {
    if (note.is_empty()) return;
    StringTable& strings = made_.sources->strings;
    const StringId label = note.name ? strings.add(*note.name) : kNoText;
    const auto& module = note.module_or_name();
    const StringId said = module ? strings.add(*module) : kNoText;
    if (module) work.found = Found::kId;
    const auto [found, is_new] =
        said_.try_emplace({work.said, label, said}, static_cast<std::uint32_t>(made_.said.size()));
    if (is_new) {
      SaidOfWork more = made_.said[work.said];
      more.label = label;
      if (module) {
        more.module = said;
        const auto layer = layer_of_module(*module);
        more.layer = layer ? strings.add(layer->name) : kNoText;
        more.layer_index = layer ? std::optional(layer->index) : std::nullopt;
      }
      made_.said.push_back(more);
    }
    work.said = found->second;
  }

  GraphReplays& made_;
  std::map<StringId, NodeNote> notes_;  // by the text of an argument
  std::map<std::tuple<std::uint32_t, StringId, StringId>, std::uint32_t> said_;
};

class EagerContext {
 public:
  explicit EagerContext(GraphReplays& made) : made_(made) {}

  void find() {
    for (auto& [thread, items] : items_by_thread()) {
      std::ranges::sort(items, {}, [&](std::uint32_t i) { return std::pair(made_.call_ns(i), i); });
      std::vector<std::int64_t> times_ns;
      for (const std::uint32_t i : items) times_ns.push_back(made_.call_ns(i));
      made_.host->around(thread, times_ns, [&, &of = items](std::size_t k, auto around) { surround(of[k], around); });
    }
    for (std::uint32_t i = 0; i < made_.work.size(); ++i) {
      if (made_.work[i].replay == kNoId) take(i, says_[i]);
    }
    follow_pieces();
  }

 private:
  struct Surroundings {
    StringId module = kNoText, layer = kNoText;
    std::optional<std::int64_t> layer_index = {};
  };

  std::map<std::uint32_t, std::vector<std::uint32_t>> items_by_thread() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_thread;
    says_.resize(made_.work.size());
    for (std::uint32_t i = 0; i < made_.work.size(); ++i) {
      const std::uint32_t call = made_.item(i).call;
      if (made_.work[i].replay != kNoId || call == kNoId) continue;
      const std::uint32_t thread = made_.host->thread_of(made_.analysis.work.calls[call].track);
      if (thread != kNoId) by_thread[thread].push_back(i);
    }
    return by_thread;
  }

  void surround(std::uint32_t i, std::span<const HostEvent* const> around) {
    ModulePath modules;
    for (const HostEvent* const event : around) {
      if (event->kind != HostEvent::Kind::kFrame) continue;
      made_.work[i].has_stack = true;
      modules.add(made_.capture.strings.get(event->name));
    }
    Surroundings& says = says_[i];
    if (!modules.path().empty()) says.module = made_.sources->strings.add(modules.path());
    if (modules.layer_index()) says.layer = made_.sources->strings.add(modules.layer());
    says.layer_index = modules.layer_index();
  }

  void take(std::uint32_t i, const Surroundings& says) {
    StringId operator_name = kNoText;
    const Operators& operators = made_.analysis.operators;
    if (const std::uint32_t of = operators.of_item[made_.first_item + i]; of != kNoId) {
      const ProfileEvent& event = operators.all[of];
      const EventColumns& events = made_.capture.profile.tracks[event.track].events;
      operator_name = made_.sources->strings.add(made_.capture.strings.get(events.name(event.event)));
    }
    made_.work[i].said = said_for(
        {.operator_name = operator_name, .module = says.module, .layer = says.layer, .layer_index = says.layer_index});
  }

  std::uint32_t said_for(const SaidOfWork& said) {
    const auto [found, is_new] =
        said_.try_emplace(std::tuple(said.operator_name, said.module, said.layer, said.layer_index, said.piece),
                          static_cast<std::uint32_t>(made_.said.size()));
    if (is_new) made_.said.push_back(said);
    return found->second;
  }

  // A step's own work follows the piece that was replayed last.
  void follow_pieces() {
    std::map<std::uint32_t, std::vector<std::uint32_t>> by_step;
    for (std::uint32_t i = 0; i < made_.work.size(); ++i) {
      if (made_.work[i].step != kNoId) by_step[made_.work[i].step].push_back(i);
    }
    for (auto& [step, items] : by_step) {
      sort_by_call(made_, items);
      std::optional<std::int64_t> piece;
      for (const std::uint32_t i : items) {
        NamedWork& work = made_.work[i];
        if (work.replay != kNoId) {
          piece = made_.said_of(work).piece;
        } else if (piece) {
          SaidOfWork said = made_.said_of(work);
          said.piece = piece;
          work.said = said_for(said);
        }
      }
    }
  }

  GraphReplays& made_;
  std::vector<Surroundings> says_;
  std::map<std::tuple<StringId, StringId, StringId, std::optional<std::int64_t>, std::optional<std::int64_t>>,
           std::uint32_t>
      said_;
};

}  // namespace

void sort_by_call(const GraphReplays& replays, std::vector<std::uint32_t>& items) {
  std::ranges::sort(items, {}, [&](std::uint32_t i) {
    return std::tuple(replays.call_ns(i), replays.work[i].place, replays.item(i).start_ns, i);
  });
}

void annotate_nodes(GraphReplays& made) { NodeAnnotator(made).annotate(); }

void find_context_of_eager_work(GraphReplays& made) { EagerContext(made).find(); }

}  // namespace vizd
