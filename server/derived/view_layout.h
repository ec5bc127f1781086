// Where the boxes of a part of a state lie: a layout of its own, as small as the part. Any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <stop_token>

#include "derived/pass_layout.h"
#include "layout/layout.h"
#include "rewrite/state_view.h"

namespace vizd {

struct ViewLayout {
  std::vector<LayoutNode> sizes;  // by box of the view
  Layout layout;                  // by box and edge of the view
};

// Edges over more than cut_layers layers are cut into stubs; kNoId cuts none, nor what leaves a hub.
ViewLayout lay_out_view(const History& history, std::uint32_t state, const StateView& view,
                        std::optional<std::uint32_t> cut_layers, Direction direction, std::stop_token stop);

}  // namespace vizd
