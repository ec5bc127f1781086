#include "cli/rewrites/graph_export.h"

#include <fmt/format.h>

#include <iterator>

#include "base/clean_text.h"
#include "base/json_writer.h"
#include "base/lines.h"
#include "cli/command_line/terminal.h"
#include "derived/pass_layout.h"
#include "rewrite/history_index.h"

namespace vizd {
namespace {

// Calls visit(node, version) for each box of the state.
template <typename Visit>
void for_each_box(const History& history, std::uint32_t state, Visit&& visit) {
  for (std::size_t i = 0; i < history.nodes.size(); ++i) {
    if (!lives_at(history.nodes[i].born, history.nodes[i].died, state)) continue;
    const NodeVersion& version = version_at(history, to_id<NodeId>(i), state);
    if (!version.inlined) visit(i, version);
  }
}

// Calls visit(index, edge) for each edge between two boxes.
template <typename Visit>
void for_each_edge(const History& history, std::uint32_t state, Visit&& visit) {
  for (std::size_t i = 0; i < history.edges.size(); ++i) {
    const HistoryEdge& edge = history.edges[i];
    if (!lives_at(edge.born, edge.died, state)) continue;
    if (version_at(history, edge.source, state).inlined || version_at(history, edge.user, state).inlined) continue;
    visit(i, edge);
  }
}

std::string dot_text(std::string_view label) {
  std::string out = "\"";
  for (const char c : many_lines(label, false)) {
    if (c == '"' || c == '\\') out += '\\';
    c == '\n' ? out += "\\n" : out += c;
  }
  return out + "\"";
}

constexpr float kPadding = 8, kLineHeight = 14, kMargin = 16;

void append_box(std::string& svg, const EpochLayout& layout, std::size_t node, std::string_view colour,
                std::string_view label) {
  const float x = layout.x_px[node], y = layout.y_px[node];
  fmt::format_to(std::back_inserter(svg),
                 "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"4\" fill=\"{}\"/>\n<text>", x,
                 y, layout.sizes[node].width_px, layout.sizes[node].height_px, markup_text(colour));
  const std::string plain = many_lines(label, false);
  float line_y = y + kPadding + kLineHeight * 0.7f;
  for (const std::string_view line : split_lines(plain)) {
    fmt::format_to(std::back_inserter(svg), "<tspan x=\"{:.1f}\" y=\"{:.1f}\">{}</tspan>", x + kPadding, line_y,
                   markup_text(line));
    line_y += kLineHeight;
  }
  svg += "</text>\n";
}

void append_edge(std::string& svg, const EpochLayout& layout, std::size_t edge, const HistoryEdge& ends) {
  const EdgeRoute& route = layout.routes[edge];
  const std::size_t source = index(ends.source);
  const float x = layout.x_px[source] + layout.sizes[source].width_px;
  const float y = layout.y_px[source] + layout.sizes[source].height_px / 2;
  fmt::format_to(std::back_inserter(svg), "<path d=\"M{:.1f} {:.1f}", x, y);
  for (std::uint32_t i = 0; i < route.point_count; ++i) {
    const std::size_t at = 2 * (std::size_t{route.first_point} + i);
    fmt::format_to(std::back_inserter(svg), " L{:.1f} {:.1f}", layout.points_px[at], layout.points_px[at + 1]);
  }
  const std::size_t user = index(ends.user);
  const bool is_placed = route.end_x_px != 0 || route.end_y_px != 0;
  fmt::format_to(std::back_inserter(svg), " L{:.1f} {:.1f}\"{}/>\n", is_placed ? route.end_x_px : layout.x_px[user],
                 is_placed ? route.end_y_px : layout.y_px[user] + layout.sizes[user].height_px / 2,
                 route.cut ? " stroke-dasharray=\"3 3\"" : "");
}

}  // namespace

std::string graph_dot(const Capture& capture, const History& history, std::uint32_t state) {
  std::string out =
      "digraph vizd {\n  rankdir=LR;\n  node [shape=box, style=\"filled,rounded\", fontname=monospace];\n";
  for_each_box(history, state, [&](std::size_t node, const NodeVersion& version) {
    fmt::format_to(std::back_inserter(out), "  n{} [label={}, fillcolor={}];\n", node,
                   dot_text(history.labels[version.label]), dot_text(capture.dialect->kind_colour(version.kind)));
  });
  for_each_edge(history, state, [&](std::size_t, const HistoryEdge& edge) {
    fmt::format_to(std::back_inserter(out), "  n{} -> n{} [headlabel=\"{}\"];\n", index(edge.source), index(edge.user),
                   edge.port);
  });
  return out + "}\n";
}

std::string graph_svg(const Capture& capture, const History& history, std::uint32_t state) {
  const EpochLayout layout = lay_out_states(history, state, state, {});
  std::string svg = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{:.0f} {:.0f} {:.0f} {:.0f}\">\n"
      "<g fill=\"none\" stroke=\"#8a8f98\">\n",
      -kMargin, -kMargin, layout.width_px + 2 * kMargin, layout.height_px + 2 * kMargin);
  for_each_edge(history, state, [&](std::size_t i, const HistoryEdge& edge) { append_edge(svg, layout, i, edge); });
  svg += "</g>\n<g font-family=\"monospace\" font-size=\"11\" fill=\"#16181d\">\n";
  for_each_box(history, state, [&](std::size_t node, const NodeVersion& version) {
    append_box(svg, layout, node, capture.dialect->kind_colour(version.kind), history.labels[version.label]);
  });
  return svg + "</g>\n</svg>\n";
}

std::string graph_json(const Capture& capture, const History& history, std::uint32_t state) {
  std::string out;
  JsonWriter json(out);
  json.begin_object().key("root").number(index(root_at(history, state))).key("nodes").begin_array();
  for_each_box(history, state, [&](std::size_t node, const NodeVersion& version) {
    json.begin_object().key("id").number(node).key("op").text(capture.dialect->kind_name(version.kind));
    json.key("dtype").text(capture.dialect->value_text(version.dtype));
    json.key("label").text(many_lines(history.labels[version.label], false));
    json.key("colour").text(capture.dialect->kind_colour(version.kind)).end_object();
  });
  json.end_array().key("edges").begin_array();
  for_each_edge(history, state, [&](std::size_t, const HistoryEdge& edge) {
    json.begin_object().key("source").number(index(edge.source)).key("user").number(index(edge.user));
    json.key("port").number(edge.port).end_object();
  });
  json.end_array().end_object();
  return out + "\n";
}

}  // namespace vizd
