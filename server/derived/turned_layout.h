// Layouts lead from left to right. One from top to bottom is made of boxes that lie on their sides, and turned after
// that: x and y change places.
#pragma once

#include <utility>

#include "layout/layout.h"

namespace vizd {

inline LayoutNode turned(const LayoutNode& size) { return {size.height_px, size.width_px}; }

// Turns a Layout or an EpochLayout. The caller turns its sizes back.
template <typename AnyLayout>
void turn(AnyLayout& layout) {
  std::swap(layout.x_px, layout.y_px);
  std::swap(layout.width_px, layout.height_px);
  for (std::size_t i = 0; i + 1 < layout.points_px.size(); i += 2)
    std::swap(layout.points_px[i], layout.points_px[i + 1]);
  for (EdgeRoute& route : layout.routes) std::swap(route.end_x_px, route.end_y_px);
}

}  // namespace vizd
