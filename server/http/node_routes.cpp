// GET /api/v1/node/CONTEXT/PASS/NODE: a node's biography.
#include <algorithm>

#include "base/json_writer.h"
#include "http/routes.h"
#include "rewrite/biography.h"

namespace vizd {
namespace {

// A hub has thousands of users over its life; the page shows the first.
constexpr std::size_t kMostEdges = 1000;

std::int64_t signed_id(std::uint32_t id) { return id == kNoId ? -1 : std::int64_t{id}; }
std::int64_t signed_id(NodeId id) { return signed_id(static_cast<std::uint32_t>(id)); }

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
    json_.key("born").number(life_.born).key("died").number(signed_id(life_.died));
    write_rule(json_.key("born_by"), life_.born);
    write_rule(json_.key("died_by"), life_.died);
    json_.key("into").number(signed_id(life_.merged_into));
    json_.column("absorbed", biography.absorbed, [](JsonWriter& j, NodeId node) { j.number(index(node)); });
    json_.key("made_from").number(signed_id(biography.made_from));
    json_.key("replaced_by").number(signed_id(biography.replaced_by));
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
    json_.key("ref").number(signed_id(static_cast<std::uint32_t>(version.ref)));
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
    column("died", [](const HistoryEdge& edge) { return signed_id(edge.died); });
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

}  // namespace

void add_node_routes(Router& router, const Services& services) {
  router.add("/api/v1/node/{}/{}/{}",
             [services](const Request& request, auto arguments) { return node_answer(request, arguments, services); });
}

}  // namespace vizd
