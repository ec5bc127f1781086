// A pass's graph at one state as a document: Graphviz's dot, SVG as the page lays it out, JSON. Pure; any thread.
#pragma once

#include <string>

#include "model/capture.h"
#include "rewrite/history.h"

namespace vizd {

std::string graph_dot(const Capture& capture, const History& history, std::uint32_t state);
// Laid out as "compact this match's graph" does.
std::string graph_svg(const Capture& capture, const History& history, std::uint32_t state);
std::string graph_json(const Capture& capture, const History& history, std::uint32_t state);

}  // namespace vizd
