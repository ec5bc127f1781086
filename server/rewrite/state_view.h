// StateView: a state's graph made smaller for the eye: the part around some nodes, without ops that are hidden, and
// with alike sub-graphs folded into one. Inlined nodes are in their users' labels but where they are asked for. Pure;
// any thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/capture.h"
#include "rewrite/history.h"

namespace vizd {

enum class Cone { kUp, kDown, kBoth };  // sources, users, both

struct ViewOptions {
  std::vector<NodeId> nodes = {};  // what to look at; empty: the whole graph
  Cone cone = Cone::kBoth;
  std::uint32_t radius = kNoId;              // edges away from the nodes
  std::optional<NodeId> between = {};        // instead of a cone: what lies on paths between this and nodes[0]
  std::vector<std::string> hidden_ops = {};  // by name; case does not count
  // Ops by name that read memory at an index: buffer at port 0, where to look at the others (tinygrad's INDEX). What
  // leads to nothing but that is hidden.
  std::vector<std::string> index_ops = {};
  // Whether nodes that only bodies hold (Dialect::body_sources) are hidden. This goes for every op that has a body,
  // except those in `turned`, for which it is the other way round.
  bool hides_bodies = false;
  std::vector<NodeId> turned = {};
  // Nodes whose sources are boxes too where they are only lines in their users' labels.
  std::vector<NodeId> with_excluded = {};
  // Nodes whose sub-graphs are alike but for integers are one box where there are so many; 0 folds nothing.
  std::uint32_t fold = 0;
  std::vector<NodeId> unfold = {};  // but not the groups of these
  std::size_t limit = 30'000;       // boxes
};

struct ViewEdge {
  NodeId source{};
  NodeId user{};
  std::uint32_t port = 0;
  std::uint32_t edge = kNoId;  // index into History::edges; none where bridged
  bool bridged = false;        // the user reads the source through hidden nodes
};

struct Fold {
  NodeId shown{};  // the one that stands for them
  std::vector<NodeId> nodes;
};

struct StateView {
  std::vector<NodeId> boxes;    // the nearest to what is looked at first; of a fold the one shown
  std::vector<ViewEdge> edges;  // between boxes; where one end is a fold, one edge for each two boxes
  std::vector<Fold> folds;
  std::vector<NodeId> excluded;  // boxes by ViewOptions::with_excluded only
  std::size_t of = 0;            // boxes in the whole graph
  std::size_t hidden = 0;        // in the part looked at
  std::size_t left_out = 0;      // by the limit
};

// Errors: kNotFound where a node asked for is no box of the state. Costs a pass over the graph.
Result<StateView> view_state(const Capture& capture, const History& history, std::uint32_t state,
                             const ViewOptions& options);

}  // namespace vizd
