#include "http/routes/layout_json.h"

#include <array>
#include <cmath>
#include <numeric>
#include <string_view>

namespace vizd {

void write_name(JsonWriter& json, LayoutName name) {
  constexpr std::array<std::string_view, 5> kKinds = {"epoch", "better", "down", "state", "view"};
  json.key("kind").text(kKinds[static_cast<std::size_t>(name.kind)]).key("number").number(name.number);
}

void write_px(JsonWriter& json, float value) { json.real(std::round(double{value} * 10) / 10); }

void write_way(JsonWriter& json, std::span<const float> points_px, const EdgeRoute& route) {
  json.begin_array();
  for (std::uint32_t i = 1; i < route.point_count; ++i) {
    write_px(json, points_px[2 * std::size_t{route.first_point + i}]);
    write_px(json, points_px[2 * std::size_t{route.first_point + i} + 1]);
  }
  write_px(json, route.end_x_px);
  write_px(json, route.end_y_px);
  json.end_array();
}

std::vector<std::uint32_t> edge_numbers(const History& history) {
  std::vector<std::uint32_t> next(history.state_count + 1, 0);
  for (const HistoryEdge& edge : history.edges) ++next[edge.born + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  std::vector<std::uint32_t> numbers;
  numbers.reserve(history.edges.size());
  for (const HistoryEdge& edge : history.edges) numbers.push_back(next[edge.born]++);
  return numbers;
}

double cut_share(std::size_t cut, std::size_t drawn) {
  return drawn == 0 ? 0 : std::round(1000.0 * static_cast<double>(cut) / static_cast<double>(drawn)) / 1000;
}

}  // namespace vizd
