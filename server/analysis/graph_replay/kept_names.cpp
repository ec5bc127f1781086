#include "analysis/graph_replay/kept_names.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "analysis/devices/items_by_track.h"
#include "analysis/figures/argument_cursor.h"
#include "model/argument_json.h"

namespace vizd {
namespace {

constexpr std::string_view kReplay = "replay", kGraph = "graph", kNode = "node", kFound = "found",
                           kOperator = "operator", kModule = "module", kLayer = "layer", kLayerIndex = "layer_index",
                           kPiece = "piece";

std::vector<bool> all_tracks(const Capture& capture) { return std::vector<bool>(capture.profile.tracks.size(), true); }

// Adds the arguments of one track, event by event.
class NameWriter {
 public:
  NameWriter(Capture& capture, std::uint32_t track)
      : strings_(capture.strings), columns_(capture.profile.tracks[track].arguments) {}

  void add(std::uint32_t event, const GraphReplays& replays, const NamedWork& work) {
    const SaidOfWork& said = replays.said_of(work);
    add_number(event, kReplay, work.replay);
    add_number(event, kGraph, replays.replays[work.replay].graph);
    add_number(event, kNode, work.node);
    add_text(event, kFound, found_name(work.found));
    const auto add_said = [&](std::string_view name, StringId text) {
      if (text != kNoText) add_text(event, name, replays.text(text));
    };
    add_said(kOperator, said.operator_name), add_said(kModule, said.module), add_said(kLayer, said.layer);
    if (said.layer_index) add_number(event, kLayerIndex, *said.layer_index);
    if (said.piece) add_number(event, kPiece, *said.piece);
  }

 private:
  ArgumentColumn& column(std::string_view name, ArgumentType type) {
    return find_or_add_argument(columns_, strings_.add(name), strings_.add(""), type);
  }
  void add_number(std::uint32_t event, std::string_view name, std::int64_t number) {
    column(name, ArgumentType::kInteger).push_number(event, number);
  }
  void add_text(std::uint32_t event, std::string_view name, std::string_view text) {
    const StringId id = strings_.add(text);
    column(name, ArgumentType::kText).push_number(event, static_cast<std::int64_t>(index(id)));
  }

  StringTable& strings_;
  std::vector<ArgumentColumn>& columns_;
};

// The arguments of one track, asked for by rising events.
class NameReader {
 public:
  NameReader(const Track& track, GraphReplays& made)
      : made_(made),
        strings_(made.capture.strings),
        graph_(track, kGraph, strings_),
        node_(track, kNode, strings_),
        found_(track, kFound, strings_),
        operator_(track, kOperator, strings_),
        module_(track, kModule, strings_),
        layer_(track, kLayer, strings_),
        layer_index_(track, kLayerIndex, strings_),
        piece_(track, kPiece, strings_) {}

  struct Names {
    Found found;
    SaidOfWork said;
    std::int64_t graph;
    std::uint32_t node;
  };

  // None where they are not there, or mean nothing.
  std::optional<Names> at(std::uint32_t event) {
    const auto found = found_.at(event);
    const auto graph = number_of(graph_.at(event)), node = number_of(node_.at(event));
    if (!found || !graph || !node || *node < 0 || *node >= std::int64_t{kNoId}) return std::nullopt;
    const auto* const name = std::ranges::find(kFoundNames, value_text(*found, strings_));
    if (name == std::end(kFoundNames)) return std::nullopt;
    SaidOfWork said{.operator_name = text_of(operator_.at(event)),
                    .module = text_of(module_.at(event)),
                    .layer = text_of(layer_.at(event)),
                    .layer_index = number_of(layer_index_.at(event)),
                    .piece = number_of(piece_.at(event))};
    return Names{static_cast<Found>(name - std::begin(kFoundNames)), said, *graph, static_cast<std::uint32_t>(*node)};
  }

 private:
  StringId text_of(const std::optional<ArgumentValue>& value) {
    return value ? made_.sources->strings.add(value_text(*value, strings_)) : kNoText;
  }
  static std::optional<std::int64_t> number_of(const std::optional<ArgumentValue>& value) {
    const auto* const number = value ? std::get_if<std::int64_t>(&*value) : nullptr;
    return number == nullptr ? std::nullopt : std::optional(*number);
  }

  GraphReplays& made_;
  const StringTable& strings_;
  ArgumentCursor graph_, node_, found_, operator_, module_, layer_, layer_index_, piece_;
};

}  // namespace

bool may_have_replays(const Capture& capture) {
  if (!capture.has_profile) return false;
  for (std::size_t i = 0; i < capture.strings.size(); ++i) {
    const std::string_view text = capture.strings.get(to_id<StringId>(i));
    if (text == "graph node id" || (text.size() < 64 && is_graph_launch(text))) return true;
  }
  return false;
}

bool may_have_steps(const Capture& capture) {
  constexpr std::size_t kLongestName = 400;
  for (std::size_t i = 0; i < capture.strings.size(); ++i) {
    const std::string_view text = capture.strings.get(to_id<StringId>(i));
    if (text.size() < kLongestName && parse_step_name(text)) return true;
  }
  return false;
}

void keep_names(Capture& capture, const GraphReplays& replays) {
  const std::size_t end = replays.first_item + replays.work.size();
  const auto having = tracks_with(capture.profile.tracks, {kFound}, capture.strings);
  std::vector<bool> is_named(replays.replays.size());
  for (const NamedWork& work : replays.work) {
    if (work.replay != kNoId && work.found != Found::kNone) is_named[work.replay] = true;
  }
  for (const auto& [track, items] :
       items_by_track(replays.analysis.work, replays.first_item, end, all_tracks(capture))) {
    if (having[track]) continue;
    NameWriter writer(capture, track);
    for (const auto& [event, item] : items) {
      const NamedWork& work = replays.work[item - replays.first_item];
      if (work.replay != kNoId && is_named[work.replay]) writer.add(event, replays, work);
    }
  }
}

void take_kept_names(GraphReplays& made) {
  const std::size_t end = made.first_item + made.work.size();
  const auto having = tracks_with(made.capture.profile.tracks, {kFound}, made.capture.strings);
  std::map<std::tuple<StringId, StringId, StringId, std::optional<std::int64_t>, std::optional<std::int64_t>>,
           std::uint32_t>
      places;
  for (const auto& [track, items] : items_by_track(made.analysis.work, made.first_item, end, having)) {
    NameReader reader(made.capture.profile.tracks[track], made);
    for (const auto& [event, item] : items) {
      NamedWork& work = made.work[item - made.first_item];
      if (work.replay == kNoId || work.found != Found::kNone || !made.replays[work.replay].ranges.empty()) continue;
      const auto kept = reader.at(event);
      if (!kept) continue;
      const SaidOfWork& said = kept->said;
      const auto [place, is_new] =
          places.try_emplace({said.operator_name, said.module, said.layer, said.layer_index, said.piece},
                             static_cast<std::uint32_t>(made.said.size()));
      if (is_new) made.said.push_back(said);
      work.found = kept->found;
      work.said = place->second;
      work.kept_node = kept->node;
      made.replays[work.replay].kept_graph = kept->graph;
    }
  }
}

}  // namespace vizd
