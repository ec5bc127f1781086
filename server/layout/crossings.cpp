// count_crossings: plain geometry over the drawn polylines, so that it can check the layout and measure others.
#include <algorithm>
#include <compare>
#include <vector>

#include "layout/layout.h"

namespace vizd {
namespace {

struct Point {
  double x = 0;
  double y = 0;
  auto operator<=>(const Point&) const = default;
};

struct Segment {
  Point a;  // a <= b
  Point b;
  std::uint32_t owner = 0;  // the node whose trunk it belongs to
  auto operator<=>(const Segment&) const = default;
};

// Above 0 where c lies to the left of the line from a to b, 0 where it lies on it.
double side(Point a, Point b, Point c) { return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x); }

// True where each passes through the other; touching is not enough.
bool cross(const Segment& s, const Segment& t) {
  return side(s.a, s.b, t.a) * side(s.a, s.b, t.b) < 0 && side(t.a, t.b, s.a) * side(t.a, t.b, s.b) < 0;
}

std::vector<Segment> drawn_segments(const Layout& layout, std::span<const LayoutEdge> edges) {
  std::vector<Segment> segments;
  const auto add = [&](Point from, Point to, std::uint32_t owner) {
    if (from != to) segments.push_back({std::min(from, to), std::max(from, to), owner});
  };
  for (std::size_t edge = 0; edge < edges.size(); ++edge) {
    const EdgeRoute& route = layout.routes[edge];
    if (route.cut || route.point_count == 0) continue;
    const std::uint32_t owner = route.reversed ? edges[edge].user : edges[edge].source;
    Point last;
    for (std::size_t i = 0; i < route.point_count; ++i) {
      const std::size_t at = 2 * (route.first_point + i);
      const Point point{double{layout.points_px[at]}, double{layout.points_px[at + 1]}};
      if (i > 0) add(last, point, owner);
      last = point;
    }
    add(last, {double{route.end_x_px}, double{route.end_y_px}}, owner);
  }
  std::sort(segments.begin(), segments.end());
  segments.erase(std::unique(segments.begin(), segments.end()), segments.end());
  return segments;
}

}  // namespace

std::uint64_t count_crossings(const Layout& layout, std::span<const LayoutEdge> edges) {
  std::uint64_t crossings = 0;
  std::vector<Segment> open;  // those that reach past where the present one starts
  for (const Segment& segment : drawn_segments(layout, edges)) {
    std::erase_if(open, [&](const Segment& other) { return other.b.x <= segment.a.x && other.a.x < segment.a.x; });
    for (const Segment& other : open) {
      if (cross(segment, other)) ++crossings;
    }
    open.push_back(segment);
  }
  return crossings;
}

}  // namespace vizd
