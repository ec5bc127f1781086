// SliceNaming: what replays of graphs, captures of them and the host's calls say of a slice that is a device's work:
// columns of the table slice. Found when one of them is first asked for. Made for one query, on its thread.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "query/catalog.h"
#include "query/cell.h"
#include "query/table.h"

namespace vizd {
struct GraphReplays;
}

namespace vizd::sql {

enum class NamingColumn : std::uint8_t { kReplay, kNode, kStep, kModule, kLayer, kOperator, kFound };

inline constexpr std::array<ColumnInfo, 7> kNamingColumns{{
    {"replay_id", ColumnType::kInteger, "replay.id of the graph's replay that it is a part of"},
    {"graph_node_id", ColumnType::kInteger, "graph_node.id of the node that it is a run of"},
    {"step_id", ColumnType::kInteger, "step.id of the server's step that launched it"},
    {"module", ColumnType::kText, "The modules around its launch, or around the captured one of its node"},
    {"layer", ColumnType::kText, "The layer or block among them"},
    {"operator", ColumnType::kText, "The innermost operator around its launch, or around the captured one of its node"},
    {"found", ColumnType::kText, "How the work of a replay was named: id, order, guessed or none"},
}};

class SliceNaming {
 public:
  explicit SliceNaming(Catalog& catalog) : catalog_(catalog) {}

  // Null for what is no work of a device, and where nothing is told.
  void write(NamingColumn column, std::size_t source, std::uint32_t track, std::uint32_t event, Cell& cell);

 private:
  struct Work {
    std::uint32_t event = 0, rank = 0, place = 0;  // place in GraphReplays::work
  };
  // The numbers of a rank's first rows in the tables replay, graph_node and step.
  struct Rank {
    const GraphReplays* replays = nullptr;
    std::int64_t first_replay = 0, first_step = 0;
    std::vector<std::int64_t> first_node;  // by graph
  };
  struct OfCapture {
    std::vector<Rank> ranks;
    std::vector<std::vector<Work>> work;  // by track, by event
  };

  void find();
  void add(const GraphReplays& replays, OfCapture& to);
  const Work* find_work(std::size_t source, std::uint32_t track, std::uint32_t event);

  Catalog& catalog_;
  std::vector<OfCapture> captures_;
  std::int64_t replays_ = 0, nodes_ = 0, steps_ = 0;  // counted
  bool is_found_ = false;
};

}  // namespace vizd::sql
