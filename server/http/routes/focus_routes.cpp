// GET /api/v1/focus/CONTEXT/PASS/STATE: a part of a state's graph, or all of it made smaller, with its own layout.
#include <algorithm>

#include "base/json_writer.h"
#include "derived/view_layout.h"
#include "http/routes/layout_json.h"
#include "http/routes/routes.h"
#include "model/dialect.h"
#include "rewrite/state_view.h"

namespace vizd {
namespace {

constexpr std::uint32_t kBoxes = 30'000;
constexpr std::uint32_t kMostBoxes = 100'000;
constexpr std::size_t kMostOfList = 1000;  // of a list in a parameter
// Far beyond the numbers of epochs and of single states (rewrite_routes.cpp).

std::vector<std::string_view> split(std::string_view list) {
  std::vector<std::string_view> items;
  while (!list.empty()) {
    const auto comma = list.find(',');
    if (comma != 0) items.push_back(list.substr(0, comma));
    list = comma == std::string_view::npos ? std::string_view{} : list.substr(comma + 1);
  }
  return items;
}

Result<std::vector<NodeId>> read_nodes(const Request& request, std::string_view name, std::size_t count) {
  std::vector<NodeId> nodes;
  const auto items = split(request.parameter(name).value_or(""));
  if (items.size() > kMostOfList) return Error{ErrorKind::kTooLarge, "names more than 1,000 nodes", std::string(name)};
  for (const std::string_view item : items) {
    const auto node = parse_index(item, count, "node");
    if (!node) return node.error();
    nodes.push_back(to_id<NodeId>(*node));
  }
  return nodes;
}

Result<Cone> read_cone(const Request& request) {
  const std::string_view cone = request.parameter("cone").value_or("both");
  if (cone == "up") return Cone::kUp;
  if (cone == "down") return Cone::kDown;
  if (cone == "both") return Cone::kBoth;
  return Error{ErrorKind::kBadInput, "no such cone; use up, down or both", std::string(cone.substr(0, 40))};
}

Result<ViewOptions> read_options(const Request& request, const Dialect& dialect, std::size_t node_count) {
  ViewOptions options;
  auto nodes = read_nodes(request, "node", node_count), unfold = read_nodes(request, "unfold", node_count);
  auto turned = read_nodes(request, "turn", node_count);
  auto with_excluded = read_nodes(request, "excluded_of", node_count);
  if (!turned) return turned.error();
  if (!with_excluded) return with_excluded.error();
  options.turned = std::move(*turned);
  options.with_excluded = std::move(*with_excluded);
  if (!nodes) return nodes.error();
  if (!unfold) return unfold.error();
  options.nodes = std::move(*nodes);
  options.unfold = std::move(*unfold);
  const auto between = parse_parameter(request, "between", node_count, "node", kNoId);
  if (!between) return between.error();
  if (*between != kNoId) options.between = NodeId{*between};
  const auto cone = read_cone(request);
  if (!cone) return cone.error();
  options.cone = *cone;
  const auto radius = parse_parameter(request, "radius", kNoId, "radius", kNoId);
  if (!radius) return radius.error();
  options.radius = *radius;
  const auto fold = parse_parameter(request, "fold", kNoId, "fold", 0);
  if (!fold) return fold.error();
  options.fold = *fold;
  const auto limit = parse_parameter(request, "limit", kNoId, "limit", kBoxes);
  if (!limit) return limit.error();
  options.limit = std::clamp<std::uint32_t>(*limit, 1, kMostBoxes);
  const auto names = split(request.parameter("hide").value_or(""));
  if (names.size() > kMostOfList) return Error{ErrorKind::kTooLarge, "names more than 1,000 ops", "hide"};
  options.hidden_ops.assign(names.begin(), names.end());
  const auto add = [](std::vector<std::string>& to, const std::vector<std::string_view>& ops) {
    to.insert(to.end(), ops.begin(), ops.end());
  };
  if (request.asks_for("hide_constants")) add(options.hidden_ops, dialect.constant_ops());
  if (request.asks_for("hide_index")) add(options.index_ops, dialect.index_ops());
  options.hides_bodies = request.asks_for("hide_bodies");
  return options;
}

// Over how many layers an edge may lead before it is cut; none where the layout is to choose, kNoId for any.
Result<std::optional<std::uint32_t>> read_cut_layers(const Request& request) {
  if (!request.parameter("cut")) return std::optional<std::uint32_t>();
  const auto layers = parse_parameter(request, "cut", kNoId, "number of layers", 0);
  if (!layers) return layers.error();
  return std::optional(*layers == 0 ? kNoId : *layers);
}

void write_edges(JsonWriter& json, const History& history, const StateView& view, const ViewLayout& placed) {
  const std::vector<std::uint32_t> number = edge_numbers(history);
  std::vector<std::uint32_t> drawn;
  for (std::uint32_t i = 0; i < view.edges.size(); ++i) {
    if (placed.layout.routes[i].point_count > 0) drawn.push_back(i);
  }
  const auto numbers = [&](std::string_view name, auto value_of) {
    json.column(name, drawn, [&](JsonWriter& j, std::uint32_t i) { j.number(value_of(i)); });
  };
  json.key("edges").begin_object();
  numbers("edge", [&](std::uint32_t i) {
    return view.edges[i].edge == kNoId ? std::int64_t{-1} : std::int64_t{number[view.edges[i].edge]};
  });
  numbers("source", [&](std::uint32_t i) { return index(view.edges[i].source); });
  numbers("user", [&](std::uint32_t i) { return index(view.edges[i].user); });
  numbers("port", [&](std::uint32_t i) { return view.edges[i].port; });
  numbers("bridged", [&](std::uint32_t i) { return view.edges[i].bridged ? 1 : 0; });
  numbers("cut", [&](std::uint32_t i) { return placed.layout.routes[i].cut ? 1 : 0; });
  numbers("back", [&](std::uint32_t i) { return placed.layout.routes[i].reversed ? 1 : 0; });
  json.column("points", drawn,
              [&](JsonWriter& j, std::uint32_t i) { write_way(j, placed.layout.points_px, placed.layout.routes[i]); });
  json.end_object().key("cut_share").real(cut_share(placed.layout.cut_edges, drawn.size()));
}

void write_layout(JsonWriter& json, const History& history, std::uint32_t state, const StateView& view,
                  const ViewLayout& placed, Direction direction) {
  json.begin_object().key("down").boolean(direction == Direction::kDown);
  write_name(json, {LayoutKind::kView, state});
  json.key("from").number(state).key("to").number(state);
  json.column("id", view.boxes, [](JsonWriter& j, NodeId node) { j.number(index(node)); });
  json.column("x", placed.layout.x_px, [](JsonWriter& j, float px) { write_px(j, px); });
  json.column("y", placed.layout.y_px, [](JsonWriter& j, float px) { write_px(j, px); });
  json.column("w", placed.sizes, [](JsonWriter& j, const LayoutNode& size) { write_px(j, size.width_px); });
  json.column("h", placed.sizes, [](JsonWriter& j, const LayoutNode& size) { write_px(j, size.height_px); });
  write_edges(json, history, view, placed);
  write_px(json.key("width"), placed.layout.width_px);
  write_px(json.key("height"), placed.layout.height_px);
  json.key("optimal").boolean(placed.layout.ranks_optimal);
  json.key("coarse").boolean(is_coarse(view.boxes.size())).end_object();
}

std::string focus_json(const History& history, std::uint32_t state, const StateView& view, const ViewLayout& placed,
                       Direction direction) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("state").number(state).key("of").number(view.of);
  json.key("left_out").number(view.left_out).key("hidden").number(view.hidden);
  json.column("folds", view.folds, [](JsonWriter& j, const Fold& fold) {
    j.begin_object().key("id").number(index(fold.shown));
    j.column("ids", fold.nodes, [](JsonWriter& ids, NodeId node) { ids.number(index(node)); }).end_object();
  });
  json.column("excluded", view.excluded, [](JsonWriter& j, NodeId node) { j.number(index(node)); });
  write_layout(json.key("layout"), history, state, view, placed, direction);
  json.end_object();
  return text;
}

Response focus_answer(const Request& request, std::span<const std::string_view> arguments, const Services& services) {
  const auto place = find_pass(request, arguments.first(2), services);
  if (!place) return error_response(place.error());
  const auto state = parse_index(arguments[2], place->pass().match_count + std::size_t{1}, "state");
  if (!state) return error_response(state.error());
  const auto pass = replayed(*place, request, services);
  if (!pass) return error_response(pass.error());
  const History& history = (*pass)->history;
  const auto options = read_options(request, *place->loaded->capture.dialect, history.nodes.size());
  if (!options) return error_response(options.error());
  const auto turn = services.heavy.begin(request);
  if (!turn) return error_response(turn.error());
  const auto view = view_state(place->loaded->capture, history, *state, *options);
  if (!view) return error_response(view.error());
  const auto cut_layers = read_cut_layers(request);
  if (!cut_layers) return error_response(cut_layers.error());
  const Direction direction = request.asks_for("down") ? Direction::kDown : Direction::kRight;
  const ViewLayout placed = lay_out_view(history, *state, *view, *cut_layers, direction, request.left);
  if (turn->budget.is_over()) return error_response(turn->budget.error());
  return Response::json(focus_json(history, *state, *view, placed, direction));
}

}  // namespace

void add_focus_routes(Router& router, const Services& services) {
  router.add("/api/v1/focus/{}/{}/{}",
             [services](const Request& request, auto arguments) { return focus_answer(request, arguments, services); });
}

}  // namespace vizd
