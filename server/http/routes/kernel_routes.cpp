// GET /api/v1/kernel-graph: launches of kernels and the buffers that they hand to one another, laid out.
#include <algorithm>

#include "analysis/devices/kernel_graph.h"
#include "base/json_writer.h"
#include "http/routes/layout_json.h"
#include "http/routes/timeline_request.h"
#include "layout/label_size.h"
#include "layout/layout_graph.h"

namespace vizd {
namespace {

// Room for the second line of a box: how long the kernel ran, and the launch's number.
constexpr std::string_view kSecondLine = "\n000.000 ms  #0000000";

std::string_view name_of(const Capture& capture, const KernelRun& run) {
  const bool has_context = index(run.context) < capture.rewrites.contexts.size();
  return capture.strings.get(has_context ? capture.rewrites.contexts[index(run.context)].name
                                         : capture.profile.tracks[run.track].launches[run.launch].name);
}

const Allocation& allocation_of(const Capture& capture, const BufferUse& use) {
  return capture.profile.tracks[use.track].allocations[use.allocation];
}

void write_runs(JsonWriter& json, const Capture& capture, const KernelGraph& graph) {
  const std::vector<std::string> paths = track_paths(capture.profile.tracks, capture.strings);
  const std::int64_t start_ns = capture.profile.start_ns;
  json.column("runs", graph.runs, [&](JsonWriter& j, const KernelRun& run) {
    const Track& track = capture.profile.tracks[run.track];
    const Launch& launch = track.launches[run.launch];
    j.begin_object().key("name").text(name_of(capture, run)).key("lane").text(paths[run.track]);
    j.key("number").number(launch.number).key("at_ns").number(launch.at_ns - start_ns);
    j.key("dur_ns").number(run.dur_ns).key("events").number(run.events);
    j.key("context");
    index(run.context) == kNoId ? j.null() : j.number(index(run.context));
    j.key("event");
    if (run.event == kNoId) {
      j.null();
    } else {
      j.begin_object().key("index").number(run.event);
      j.key("start_ns").number(track.events.start_ns(run.event) - start_ns).end_object();
    }
    j.end_object();
  });
}

void write_uses(JsonWriter& json, const Capture& capture, const KernelGraph& graph) {
  const auto numbers = [&](std::string_view name, auto value_of) {
    json.column(name, graph.uses, [&](JsonWriter& j, const BufferUse& use) { j.number(value_of(use)); });
  };
  json.key("uses").begin_object();
  numbers("run", [](const BufferUse& use) { return use.run; });
  numbers("lane", [](const BufferUse& use) { return use.track; });
  numbers("allocation", [](const BufferUse& use) { return use.allocation; });
  numbers("buffer", [&](const BufferUse& use) { return allocation_of(capture, use).key; });
  numbers("bytes", [&](const BufferUse& use) { return allocation_of(capture, use).size_bytes(); });
  numbers("argument", [](const BufferUse& use) { return use.argument; });
  numbers("mode", [](const BufferUse& use) { return (use.reads ? 1 : 0) + (use.writes ? 2 : 0); });
  json.end_object();
}

// Boxes by run, edges as BufferEdges: several buffers between two runs are several ports.
Layout lay_out(const KernelGraph& graph, const std::vector<LayoutNode>& sizes) {
  std::vector<LayoutEdge> edges;
  for (const BufferEdge& edge : graph.edges) edges.push_back({edge.from, edge.to, graph.uses[edge.use].argument});
  return layout_graph(sizes, edges, {});
}

Response kernel_graph_answer(const Request& request, const Services& services) {
  const auto loaded = profile_of(request, services);
  if (!loaded) return error_response(loaded.error());
  const Capture& capture = (*loaded)->capture;
  const KernelGraph graph = kernel_graph(capture);
  std::vector<LayoutNode> sizes;
  for (const KernelRun& run : graph.runs) {
    const LabelSize size = label_size(std::string(name_of(capture, run)) + std::string(kSecondLine));
    sizes.push_back({size.width_px, size.height_px});
  }
  const Layout layout = lay_out(graph, sizes);
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("left_out").number(graph.left_out);
  write_runs(json, capture, graph);
  write_uses(json, capture, graph);
  json.key("edges").begin_object();
  json.column("from", graph.edges, [](JsonWriter& j, const BufferEdge& edge) { j.number(edge.from); });
  json.column("to", graph.edges, [](JsonWriter& j, const BufferEdge& edge) { j.number(edge.to); });
  json.column("use", graph.edges, [](JsonWriter& j, const BufferEdge& edge) { j.number(edge.use); });
  json.column("cut", layout.routes, [](JsonWriter& j, const EdgeRoute& route) { j.number(route.cut ? 1 : 0); });
  json.column("points", layout.routes,
              [&](JsonWriter& j, const EdgeRoute& route) { write_way(j, layout.points_px, route); });
  json.end_object().key("layout").begin_object();
  json.column("x", layout.x_px, [](JsonWriter& j, float px) { write_px(j, px); });
  json.column("y", layout.y_px, [](JsonWriter& j, float px) { write_px(j, px); });
  json.column("w", sizes, [](JsonWriter& j, const LayoutNode& size) { write_px(j, size.width_px); });
  json.column("h", sizes, [](JsonWriter& j, const LayoutNode& size) { write_px(j, size.height_px); });
  write_px(json.key("width"), layout.width_px);
  write_px(json.key("height"), layout.height_px);
  json.end_object().end_object();
  return Response::json(std::move(text));
}

}  // namespace

void add_kernel_routes(Router& router, const Services& services) {
  router.add("/api/v1/kernel-graph",
             [services](const Request& request, auto) { return kernel_graph_answer(request, services); });
}

}  // namespace vizd
