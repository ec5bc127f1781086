// node: the nodes of passes with their lives. A pass is replayed when the walk comes to it, and forgotten behind it.
#include <array>
#include <stop_token>

#include "query/tables.h"
#include "rewrite/history.h"

namespace vizd::sql {
namespace {

enum NodeColumn {
  kNodeId,
  kNodeContext,
  kNodePass,
  kNodePlace,
  kNodeOp,
  kNodeLastOp,
  kNodeLabel,
  kNodeBorn,
  kNodeDied,
  kNodeVersions,
  kNodeMerged,
  kNodeColumns,
};

constexpr std::array<ColumnInfo, kNodeColumns> kColumnsOfNodes{{
    {"id", ColumnType::kInteger, "The node's number: 2^32 times the number of its pass, plus its place there"},
    {"context_id", ColumnType::kInteger, "context.id"},
    {"pass_id", ColumnType::kInteger, "pass.id; name one, because each selected pass is replayed"},
    {"place", ColumnType::kInteger, "Its place among the pass's nodes"},
    {"op", ColumnType::kText, "The op that it was at first"},
    {"last_op", ColumnType::kText, "The op that it was at last"},
    {"label", ColumnType::kText, "The text of its box at first"},
    {"born", ColumnType::kInteger, "The first state that contains it"},
    {"died", ColumnType::kInteger, "The first state after its end; null: it lived to the end"},
    {"versions", ColumnType::kInteger, "How many labels it had in all"},
    {"merged_into", ColumnType::kInteger, "node.id of the one that it became equal to"},
}};

constexpr unsigned kPassShift = 32;  // of an id

class NodeCursor : public Cursor {
 public:
  NodeCursor(const Catalog& catalog, const Budget& budget) : catalog_(catalog), budget_(budget) {}

  Result<void> start(std::span<const Constraint> constraints, int) override {
    Interval id, context;
    passes_ = {};
    for (const Constraint& constraint : constraints) {
      Interval& narrowed = constraint.column == kNodeId ? id : constraint.column == kNodePass ? passes_ : context;
      narrowed.narrow(constraint.compare, constraint.value);
    }
    if (id.is_empty() || context.is_empty()) passes_ = {1, 0};
    passes_.first = std::max({passes_.first, id.first >> kPassShift, std::int64_t{0}});
    passes_.last =
        std::min({passes_.last, id.last >> kPassShift, static_cast<std::int64_t>(catalog_.passes().size()) - 1});
    contexts_ = context;
    pass_ = passes_.first;
    return enter();
  }

  bool at_end() const override { return at_end_; }

  Result<void> next() override {
    if (++node_ < history_.nodes.size()) return {};
    ++pass_;
    return enter();
  }

  void write(int column, Cell& cell) const override {
    const HistoryNode& node = history_.nodes[node_];
    const auto version = [&](std::uint32_t number) -> const NodeVersion& {
      return history_.versions[node.first_version + number];
    };
    switch (column) {
      case kNodeId:
        return cell.integer(id());
      case kNodeContext:
        return cell.integer(context_id());
      case kNodePass:
        return cell.integer(pass_);
      case kNodePlace:
        return cell.integer(static_cast<std::int64_t>(node_));
      case kNodeOp:
        return cell.copied_text(kind_name(version(0)));
      case kNodeLastOp:
        return cell.copied_text(kind_name(version(node.version_count - 1)));
      case kNodeLabel:
        return cell.copied_text(history_.labels[version(0).label]);
      case kNodeBorn:
        return cell.integer(node.born);
      case kNodeDied:
        return node.died == kForever ? cell.null() : cell.integer(node.died);
      case kNodeVersions:
        return cell.integer(node.version_count);
      default:
        if (index(node.merged_into) == kNoId) return cell.null();
        return cell.integer(pass_ << kPassShift | static_cast<std::int64_t>(node.merged_into));
    }
  }

  std::int64_t id() const override { return pass_ << kPassShift | static_cast<std::int64_t>(node_); }

 private:
  std::string_view kind_name(const NodeVersion& version) const {
    return catalog_.capture(place_.source).dialect->kind_name(version.kind);
  }

  std::int64_t context_id() const {
    return global_id(catalog_.contexts(), place_.source,
                     catalog_.context_of_pass(place_.source, static_cast<std::uint32_t>(place_.at)));
  }

  // To the first node of this pass or a later one.
  Result<void> enter() {
    at_end_ = false;
    node_ = 0;
    for (; pass_ <= passes_.last; ++pass_) {
      place_ = catalog_.passes().place(static_cast<std::uint64_t>(pass_));
      if (!contexts_.has(context_id())) continue;
      std::stop_source stop;
      const auto watch = [&](std::uint32_t, std::uint32_t) {
        if (budget_.is_over()) stop.request_stop();
      };
      const Capture& capture = catalog_.capture(place_.source);
      auto history =
          build_history(capture, capture.rewrites.passes[place_.at], {.stop = stop.get_token(), .progress = watch});
      if (budget_.is_over()) return budget_.error();
      if (!history) return std::move(history).error();
      history_ = *std::move(history);
      if (!history_.nodes.empty()) return {};
    }
    at_end_ = true;
    return {};
  }

  const Catalog& catalog_;
  const Budget& budget_;
  Interval passes_, contexts_;
  std::int64_t pass_ = 0;
  Place place_;
  History history_;
  std::size_t node_ = 0;
  bool at_end_ = true;
};

class NodeTable : public Table {
 public:
  explicit NodeTable(const Catalog& catalog) : catalog_(catalog) {}

  std::string_view name() const override { return "node"; }
  std::string_view about() const override { return "Nodes of a pass's graphs, from the first state to the last."; }
  std::span<const ColumnInfo> columns() const override { return kColumnsOfNodes; }

  Plan plan(const PlanRequest& request) override {
    // A pass is dear to replay, a node of it cheap to hand over.
    constexpr double kNodesOfPass = 500, kCostOfPass = 1e5;
    Plan plan;
    double passes = static_cast<double>(catalog_.passes().size()) + 1;
    for (const Constraint& constraint : request.constraints) {
      plan.takes.push_back(constraint.column == kNodeId || constraint.column == kNodePass ||
                           constraint.column == kNodeContext);
      if (!plan.takes.back()) continue;
      const bool is_equal = constraint.compare == Compare::kEqual;
      if (is_equal) passes = constraint.column == kNodeContext ? std::min(passes, 10.0) : 1;
      plan.is_one_row = plan.is_one_row || (is_equal && constraint.column == kNodeId);
    }
    plan.is_ordered = request.order.empty() || (request.order[0].column == kNodeId && !request.order[0].is_descending);
    plan.rows = plan.is_one_row ? 1 : static_cast<std::int64_t>(passes * kNodesOfPass);
    plan.cost = passes * kCostOfPass;
    return plan;
  }

  std::unique_ptr<Cursor> open(const Budget& budget) override { return std::make_unique<NodeCursor>(catalog_, budget); }

 private:
  const Catalog& catalog_;
};

}  // namespace

void add_node_table(TableList& tables, Catalog& catalog) { tables.push_back(std::make_unique<NodeTable>(catalog)); }

}  // namespace vizd::sql
