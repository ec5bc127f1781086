#include "http/routes/pass_json.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "http/routes/layout_json.h"
#include "http/routes/location_json.h"

namespace vizd {
namespace {

template <typename Items, typename Value>
void column(JsonWriter& json, std::string_view name, const Items& items, Value&& value) {
  json.column(name, items, [&](JsonWriter& j, const auto& item) { j.number(value(item)); });
}

std::vector<std::uint32_t> count_up(std::uint32_t from, std::uint32_t to) {
  std::vector<std::uint32_t> numbers(to - from);
  std::iota(numbers.begin(), numbers.end(), from);
  return numbers;
}

// The places and sizes of nodes, and of the whole.
void write_places(JsonWriter& json, const EpochLayout& layout, const std::vector<std::uint32_t>& nodes) {
  json.column("x", nodes, [&](JsonWriter& j, std::uint32_t n) { write_px(j, layout.x_px[n]); });
  json.column("y", nodes, [&](JsonWriter& j, std::uint32_t n) { write_px(j, layout.y_px[n]); });
  json.column("w", nodes, [&](JsonWriter& j, std::uint32_t n) { write_px(j, layout.sizes[n].width_px); });
  json.column("h", nodes, [&](JsonWriter& j, std::uint32_t n) { write_px(j, layout.sizes[n].height_px); });
  write_px(json.key("width"), layout.width_px);
  write_px(json.key("height"), layout.height_px);
}

// Whether an edge is a line from middle to middle, which needs no word.
bool is_plain(const EpochLayout& layout, const HistoryEdge& edge, const EdgeRoute& route) {
  if (route.point_count == 0) return true;
  if (route.cut || route.reversed || route.point_count > 1) return false;
  const std::size_t user = index(edge.user);
  return std::abs(layout.y_px[user] + layout.sizes[user].height_px / 2 - route.end_y_px) < 0.5F;
}

// Nodes number in order of birth: those born in the states from to to lie together.
std::pair<std::uint32_t, std::uint32_t> born_between(const History& history, std::uint32_t from, std::uint32_t to) {
  const auto& nodes = history.nodes;
  const auto before = [](const HistoryNode& node, std::uint32_t state) { return node.born < state; };
  const auto first = std::lower_bound(nodes.begin(), nodes.end(), from, before);
  const auto last = std::lower_bound(first, nodes.end(), to + 1, before);
  return {static_cast<std::uint32_t>(first - nodes.begin()), static_cast<std::uint32_t>(last - nodes.begin())};
}

}  // namespace

std::span<const std::uint32_t> PassWriter::ByState::between(std::uint32_t from, std::uint32_t to) const {
  return std::span(items).subspan(first_of[from], first_of[to + 1] - first_of[from]);
}

template <typename StateOf>
PassWriter::ByState PassWriter::by_state(std::size_t count, std::uint32_t state_count, StateOf state_of) {
  ByState result;
  result.first_of.assign(state_count + 1, 0);
  for (std::size_t i = 0; i < count; ++i) {
    if (const std::uint32_t state = state_of(i); state < state_count) ++result.first_of[state + 1];
  }
  std::partial_sum(result.first_of.begin(), result.first_of.end(), result.first_of.begin());
  std::vector<std::uint32_t> next(result.first_of.begin(), result.first_of.end() - 1);
  result.items.resize(result.first_of.back());
  for (std::size_t i = 0; i < count; ++i) {
    if (const std::uint32_t state = state_of(i); state < state_count)
      result.items[next[state]++] = static_cast<std::uint32_t>(i);
  }
  return result;
}

const PassWriter::Order& PassWriter::order(const History& history) {
  if (order_.history == &history) return order_;
  const std::uint32_t states = history.state_count;
  order_.history = &history;
  order_.node_of_version.assign(history.versions.size(), 0);
  for (std::uint32_t n = 0; n < history.nodes.size(); ++n) {
    const HistoryNode& node = history.nodes[n];
    std::fill_n(order_.node_of_version.begin() + node.first_version, node.version_count, n);
  }
  order_.versions = by_state(history.versions.size(), states, [&](std::size_t v) {
    return history.nodes[order_.node_of_version[v]].first_version == v ? kForever : history.versions[v].state;
  });
  order_.deaths = by_state(history.nodes.size(), states, [&](std::size_t n) { return history.nodes[n].died; });
  order_.edges = by_state(history.edges.size(), states, [&](std::size_t e) { return history.edges[e].born; });
  order_.edge_deaths = by_state(history.edges.size(), states, [&](std::size_t e) { return history.edges[e].died; });
  order_.edge_number = edge_numbers(history);
  return order_;
}

PassWriter::PassWriter(const Capture& capture, const Pass& pass, SourceLines& sources)
    : capture_(capture), pass_(pass), sources_(sources) {
  for (const Match& match : capture.rewrites.matches_of(pass)) {
    const auto number = static_cast<std::uint32_t>(rule_numbers_.size());
    rule_numbers_.try_emplace(static_cast<std::uint32_t>(index(match.rule)), number);
  }
}

std::uint32_t PassWriter::label_number(const std::string& label) {
  const auto [found, added] = label_numbers_.try_emplace(label, static_cast<std::uint32_t>(label_numbers_.size()));
  if (added) new_labels_.push_back(found->first);
  return found->second;
}

std::uint32_t PassWriter::kind_number(std::uint16_t kind) {
  const auto [found, added] = kind_numbers_.try_emplace(kind, static_cast<std::uint32_t>(kind_numbers_.size()));
  if (added) new_kinds_.push_back(kind);
  return found->second;
}

// The columns of nodes, one item a version; state_key names the column of the versions' states, "" leaves it out.
void PassWriter::write_nodes(JsonWriter& json, const History& history, std::span<const std::uint32_t> versions,
                             std::string_view state_key) {
  const auto version = [&](std::uint32_t v) -> const NodeVersion& { return history.versions[v]; };
  const auto& node_of = order(history).node_of_version;
  json.begin_object();
  column(json, "id", versions, [&](std::uint32_t v) { return node_of[v]; });
  if (!state_key.empty()) column(json, state_key, versions, [&](std::uint32_t v) { return version(v).state; });
  column(json, "kind", versions, [&](std::uint32_t v) { return kind_number(version(v).kind); });
  column(json, "label", versions, [&](std::uint32_t v) { return label_number(history.labels[version(v).label]); });
  column(json, "inlined", versions, [&](std::uint32_t v) { return version(v).inlined ? 1 : 0; });
  column(json, "ref", versions,
         [&](std::uint32_t v) { return or_minus_one(static_cast<std::uint32_t>(index(version(v).ref))); });
  json.column("tag", versions, [&](JsonWriter& j, std::uint32_t v) {
    const ValueId tag = version(v).tag;
    tag == kNoneValue ? j.null() : j.text(capture_.dialect->value_text(tag));
  });
  json.end_object();
}

void PassWriter::write_edges(JsonWriter& json, const History& history, std::span<const std::uint32_t> edges,
                             bool with_birth) {
  const auto edge = [&](std::uint32_t e) -> const HistoryEdge& { return history.edges[e]; };
  json.begin_object();
  column(json, "source", edges, [&](std::uint32_t e) { return index(edge(e).source); });
  column(json, "user", edges, [&](std::uint32_t e) { return index(edge(e).user); });
  column(json, "port", edges, [&](std::uint32_t e) { return edge(e).port; });
  if (with_birth) column(json, "born", edges, [&](std::uint32_t e) { return edge(e).born; });
  json.end_object();
}

void PassWriter::write_new_names(JsonWriter& json) {
  json.column("labels", new_labels_, [](JsonWriter& j, std::string_view label) { j.text(label); });
  json.column("kinds", new_kinds_, [&](JsonWriter& j, std::uint16_t kind) {
    j.begin_object().key("name").text(capture_.dialect->kind_name(kind));
    j.key("colour").text(capture_.dialect->kind_colour(kind));
    j.key("body").number(capture_.dialect->body_sources(kind)).end_object();
  });
  new_labels_.clear();
  new_kinds_.clear();
}

std::string PassWriter::graph(const History& history, const EpochLayout& layout, std::uint32_t epoch) {
  std::string text;
  JsonWriter json(text);
  const auto [first, last] = born_between(history, 0, 0);
  std::vector<std::uint32_t> versions;
  for (std::uint32_t n = first; n < last; ++n) versions.push_back(history.nodes[n].first_version);
  json.begin_object().key("states").number(pass_.match_count + 1);
  std::vector<LocationId> rules(rule_numbers_.size());
  for (const auto& [location, number] : rule_numbers_) rules[number] = LocationId{location};
  json.column("locations", rules, [&](JsonWriter& j, LocationId rule) { write_location(j, capture_, rule, sources_); });
  json.key("nodes");
  write_nodes(json, history, versions, "");
  json.key("edges");
  write_edges(json, history, order(history).edges.between(0, 0), false);
  write_new_names(json);
  json.key("root").number(index(history.roots.front().root)).key("epoch").number(epoch);
  write_places(json, layout, count_up(first, last));
  json.end_object();
  return text;
}

std::string PassWriter::matches(const History& history, std::uint32_t from, std::uint32_t to) {
  const Order& all = order(history);
  const auto applied = capture_.rewrites.matches_of(pass_).subspan(from - 1, to - from + 1);
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("from").number(from).key("to").number(to);
  column(json, "rule", applied,
         [&](const Match& match) { return rule_numbers_.at(static_cast<std::uint32_t>(index(match.rule))); });
  if (std::any_of(applied.begin(), applied.end(), [](const Match& match) { return match.dur_s < 0; })) {
    json.key("dur_ns").null();
  } else {
    column(json, "dur_ns", applied, [](const Match& match) { return std::llround(match.dur_s * 1e9); });
  }
  const auto [first, last] = born_between(history, from, to);
  std::vector<std::uint32_t> first_versions;
  for (const std::uint32_t n : count_up(first, last)) first_versions.push_back(history.nodes[n].first_version);
  json.key("nodes");
  write_nodes(json, history, first_versions, "born");
  json.key("versions");
  write_nodes(json, history, all.versions.between(from, to), "state");
  const auto deaths = all.deaths.between(from, to);
  json.key("deaths").begin_object();
  column(json, "id", deaths, [](std::uint32_t n) { return n; });
  column(json, "state", deaths, [&](std::uint32_t n) { return history.nodes[n].died; });
  column(json, "into", deaths, [&](std::uint32_t n) {
    return or_minus_one(static_cast<std::uint32_t>(index(history.nodes[n].merged_into)));
  });
  json.end_object().key("edges");
  write_edges(json, history, all.edges.between(from, to), true);
  const auto edge_deaths = all.edge_deaths.between(from, to);
  json.key("edge_deaths").begin_object();
  column(json, "edge", edge_deaths, [&](std::uint32_t e) { return all.edge_number[e]; });
  column(json, "state", edge_deaths, [&](std::uint32_t e) { return history.edges[e].died; });
  json.end_object();
  std::vector<RootVersion> roots;
  for (const RootVersion& root : history.roots) {
    if (root.state >= from && root.state <= to) roots.push_back(root);
  }
  json.key("roots").begin_object();
  column(json, "state", roots, [](const RootVersion& root) { return root.state; });
  column(json, "id", roots, [](const RootVersion& root) { return index(root.root); });
  json.end_object().key("errors").begin_array();
  for (const auto& [state, message] : history.errors) {
    if (state >= from && state <= to) json.begin_array().number(state).text(message).end_array();
  }
  json.end_array();
  write_new_names(json);
  json.end_object();
  return text;
}

std::string PassWriter::layout(const History& history, const EpochLayout& layout, LayoutName name,
                               Direction direction) {
  const bool is_down = direction == Direction::kDown;
  std::vector<std::uint32_t> nodes;
  for (std::uint32_t n = 0; n < layout.sizes.size(); ++n) {
    if (layout.sizes[n].width_px > 0) nodes.push_back(n);
  }
  std::vector<std::uint32_t> edges;
  std::uint32_t drawn = 0;
  std::uint32_t cut = 0;
  for (const std::uint32_t e : order(history).edges.items) {
    const EdgeRoute& route = layout.routes[e];
    drawn += route.point_count > 0;
    cut += route.cut;
    if (is_down ? route.point_count > 0 : !is_plain(layout, history.edges[e], route)) edges.push_back(e);
  }
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  write_name(json, name);
  json.key("from").number(layout.epoch.from).key("to").number(layout.epoch.to);
  column(json, "id", nodes, [](std::uint32_t n) { return n; });
  write_places(json, layout, nodes);
  json.key("edges").begin_object();
  column(json, "edge", edges, [&](std::uint32_t e) { return order_.edge_number[e]; });
  column(json, "cut", edges, [&](std::uint32_t e) { return layout.routes[e].cut ? 1 : 0; });
  column(json, "back", edges, [&](std::uint32_t e) { return layout.routes[e].reversed ? 1 : 0; });
  json.column("points", edges,
              [&](JsonWriter& j, std::uint32_t e) { write_way(j, layout.points_px, layout.routes[e]); });
  json.end_object().key("cut_share").real(cut_share(cut, drawn));
  json.key("optimal").boolean(layout.ranks_optimal);
  json.key("coarse").boolean(is_coarse(nodes.size())).key("down").boolean(is_down);
  if (!is_down) {
    const LayoutNode down = size_down(layout);
    json.key("size_down").begin_array();
    write_px(json, down.width_px);
    write_px(json, down.height_px);
    json.end_array();
  }
  json.end_object();
  return text;
}

}  // namespace vizd
