// GET /api/v1/node/CONTEXT/PASS/NODE: a node's biography; of a state, GET /api/v1/measures/CONTEXT/PASS/STATE: numbers
// on nodes, and GET /api/v1/memories/CONTEXT/PASS/STATE: where their values lie.
#include <algorithm>
#include <unordered_map>

#include "base/json_writer.h"
#include "http/routes/routes.h"
#include "model/op_memory.h"
#include "rewrite/biography.h"

namespace vizd {
namespace {

// A hub has thousands of users over its life; the page shows the first.
constexpr std::size_t kMostEdges = 1000;

class NodeWriter {
 public:
  NodeWriter(JsonWriter& json, const ReplayedPass& pass, NodeId node, SourceLines& sources)
      : json_(json),
        pass_(pass),
        capture_(pass.capture->capture),
        history_(pass.history),
        life_(history_.nodes[index(node)]),
        node_(node),
        sources_(sources) {}

  void write() {
    const Biography biography = biography_of(capture_, pass_.of(), history_, node_);
    json_.begin_object().key("id").number(index(node_));
    json_.key("born").number(life_.born).key("died").number(or_minus_one(life_.died));
    write_rule(json_.key("born_by"), life_.born);
    write_rule(json_.key("died_by"), life_.died);
    json_.key("into").number(or_minus_one(life_.merged_into));
    json_.column("absorbed", biography.absorbed, [](JsonWriter& j, NodeId node) { j.number(index(node)); });
    json_.key("made_from").number(or_minus_one(biography.made_from));
    json_.key("replaced_by").number(or_minus_one(biography.replaced_by));
    const auto versions = std::span(history_.versions).subspan(life_.first_version, life_.version_count);
    json_.column("versions", versions, [this](JsonWriter&, const NodeVersion& version) { write_version(version); });
    write_edges("sources", pass_.index().edges_of_user(node_), &HistoryEdge::source);
    write_edges("users", pass_.index().edges_of_source(node_), &HistoryEdge::user);
    json_.key("users_total").number(pass_.index().edges_of_source(node_).size()).end_object();
  }

 private:
  // The match that leads to a state, or null for none.
  void write_rule(JsonWriter& json, std::uint32_t state) {
    if (state == 0 || state >= history_.state_count) {
      json.null();
      return;
    }
    const LocationId rule = capture_.rewrites.matches_of(pass_.of())[state - 1].rule;
    const Location& at = capture_.rewrites.locations[index(rule)];
    const std::string_view file = capture_.strings.get(at.file);
    const auto code = sources_.line(capture_, at);
    json.begin_object().key("location").number(index(rule)).key("file").text(file).key("line").number(at.line);
    json.key("code").text_or_null(code).key("state").number(state).end_object();
  }

  void write_version(const NodeVersion& version) {
    const Dialect& dialect = *capture_.dialect;
    json_.begin_object().key("state").number(version.state);
    json_.key("kind").begin_object().key("name").text(dialect.kind_name(version.kind));
    json_.key("colour").text(dialect.kind_colour(version.kind)).end_object();
    json_.key("label").text(history_.labels[version.label]);
    json_.key("dtype").text(dialect.value_text(version.dtype)).key("arg").text(dialect.value_text(version.arg));
    version.tag == kNoneValue ? json_.key("tag").null() : json_.key("tag").text(dialect.value_text(version.tag));
    json_.key("inlined").number(version.inlined ? 1 : 0);
    json_.key("ref").number(or_minus_one(static_cast<std::uint32_t>(version.ref)));
    write_rule(json_.key("rule"), version.state);
    json_.end_object();
  }

  void write_edges(std::string_view name, std::span<const EdgeId> ids, NodeId HistoryEdge::*other) {
    const auto sent = ids.first(std::min(ids.size(), kMostEdges));
    const auto column = [&](std::string_view key, auto value_of) {
      json_.column(key, sent, [&](JsonWriter& j, EdgeId e) { j.number(value_of(history_.edges[index(e)])); });
    };
    json_.key(name).begin_object();
    column("id", [&](const HistoryEdge& edge) { return index(edge.*other); });
    column("port", [](const HistoryEdge& edge) { return edge.port; });
    column("born", [](const HistoryEdge& edge) { return edge.born; });
    column("died", [](const HistoryEdge& edge) { return or_minus_one(edge.died); });
    json_.end_object();
  }

  JsonWriter& json_;
  const ReplayedPass& pass_;
  const Capture& capture_;
  const History& history_;
  const HistoryNode& life_;
  NodeId node_;
  SourceLines& sources_;
};

Response node_answer(const Request& request, std::span<const std::string_view> arguments, const Services& services) {
  const auto pass = find_replayed(request, arguments.first(2), services);
  if (!pass) return error_response(pass.error());
  const auto node = parse_index(arguments[2], (*pass)->history.nodes.size(), "node");
  if (!node) return error_response(node.error());
  std::string text;
  JsonWriter json(text);
  NodeWriter(json, **pass, to_id<NodeId>(*node), services.sources).write();
  return Response::json(std::move(text));
}

// A measure has its values by op; the ops of a state are made again for that.
Response measures_answer(const Request& request, std::span<const std::string_view> arguments,
                         const Services& services) {
  const auto pass = find_replayed(request, arguments.first(2), services);
  if (!pass) return error_response(pass.error());
  const auto state = parse_index(arguments[2], (*pass)->history.state_count, "state");
  if (!state) return error_response(state.error());
  const Capture& capture = (*pass)->capture->capture;
  const StateGraph graph = graph_at(capture, (*pass)->history, *state);
  std::string text;
  JsonWriter json(text);
  json.begin_object();
  json.column("measures", capture.rewrites.measures, [&](JsonWriter& j, const OpMeasure& measure) {
    const std::unordered_map<OpId, double> values(measure.values.begin(), measure.values.end());
    std::vector<std::pair<std::size_t, double>> found;
    for (std::size_t node = 0; node < graph.op_of_node.size(); ++node) {
      const auto value = values.find(graph.op_of_node[node]);
      if (value != values.end()) found.emplace_back(node, value->second);
    }
    j.begin_object().key("name").text(capture.strings.get(measure.name));
    j.key("unit").text(capture.strings.get(measure.unit));
    j.column("id", found, [](JsonWriter& w, const auto& of) { w.number(of.first); });
    j.column("value", found, [](JsonWriter& w, const auto& of) { w.real(of.second); }).end_object();
  });
  json.end_object();
  return Response::json(std::move(text));
}

// Which memory the value of each node lies in, in that state.
Response memories_answer(const Request& request, std::span<const std::string_view> arguments,
                         const Services& services) {
  const auto pass = find_replayed(request, arguments.first(2), services);
  if (!pass) return error_response(pass.error());
  const auto state = parse_index(arguments[2], (*pass)->history.state_count, "state");
  if (!state) return error_response(state.error());
  const Capture& capture = (*pass)->capture->capture;
  const StateGraph graph = graph_at(capture, (*pass)->history, *state);
  const auto analysis = capture.dialect->analyse(*graph.graph);
  auto* const memories = dynamic_cast<TellsMemory*>(analysis.get());
  if (memories == nullptr || memories->memories().empty())
    return error_response({ErrorKind::kNotFound, "the capture does not say where values are", "memories"});
  std::unordered_map<OpId, std::size_t> node_of_op;
  for (std::size_t node = 0; node < graph.op_of_node.size(); ++node) node_of_op.emplace(graph.op_of_node[node], node);
  std::vector<std::pair<std::size_t, std::size_t>> found;
  for (const OpId op : toposort(*graph.graph, graph.root)) {
    const auto memory = memories->memory_of(op);
    if (const auto node = node_of_op.find(op); memory && node != node_of_op.end())
      found.emplace_back(node->second, *memory);
  }
  std::string text;
  JsonWriter json(text);
  json.begin_object().column("memories", memories->memories(), [](JsonWriter& j, const OpMemory& memory) {
    j.begin_object().key("name").text(memory.name).key("colour").text(memory.colour).end_object();
  });
  json.column("id", found, [](JsonWriter& j, const auto& of) { j.number(of.first); });
  json.column("memory", found, [](JsonWriter& j, const auto& of) { j.number(of.second); }).end_object();
  return Response::json(std::move(text));
}

}  // namespace

void add_node_routes(Router& router, const Services& services) {
  router.add("/api/v1/node/{}/{}/{}",
             [services](const Request& request, auto arguments) { return node_answer(request, arguments, services); });
  router.add("/api/v1/measures/{}/{}/{}", [services](const Request& request, auto arguments) {
    return measures_answer(request, arguments, services);
  });
  router.add("/api/v1/memories/{}/{}/{}", [services](const Request& request, auto arguments) {
    return memories_answer(request, arguments, services);
  });
}

}  // namespace vizd
