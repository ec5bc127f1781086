// step, replay and graph_node: the steps of a server of models, the graphs that it replayed in them, and their nodes.
#include <array>
#include <utility>

#include "analysis/answers/replay_answers.h"
#include "analysis/graph_replay/named_replays.h"
#include "query/answer_tables.h"

namespace vizd::sql {
namespace {

// A row, and the rank that it is of.
template <typename Row>
struct RowOfRank {
  Row row;
  const GraphReplays* replays;

  ReplayLine<Row> line() const { return {*replays, row}; }
};

// Words that mean something else in SQL.
template <typename Line>
Fields<Line> renamed(Fields<Line> fields) {
  constexpr std::pair<std::string_view, std::string_view> kOtherWords[] = {{"id", "by_id"},
                                                                           {"order", "by_order"},
                                                                           {"none", "unnamed"},
                                                                           {"operator", "operator_name"},
                                                                           {"range", "range_number"}};
  std::erase_if(fields, [](const Field<Line>& field) { return field.info.name == "record"; });
  for (Field<Line>& field : fields) {
    for (const auto& [name, other] : kOtherWords) {
      if (field.info.name == name) field.info.name = other;
    }
  }
  return fields;
}

// make(replays): the rows of a rank.
template <typename Row, typename Make>
std::pair<RowTable::Description, std::shared_ptr<AnswerRows<RowOfRank<Row>>>> replay_table(
    Catalog& catalog, const TableText& text, const Fields<ReplayLine<Row>>& fields, Make make) {
  const auto answer = std::make_shared<AnswerRows<RowOfRank<Row>>>();
  RowTable::Description table = answer_table(
      catalog, text, answer, [](std::size_t, const DeviceAnalysis&) { return std::vector<RowOfRank<Row>>(); });
  table.count = [&catalog, answer, make](std::size_t source) -> Result<std::uint64_t> {
    if (!catalog.capture(source).has_profile) return std::uint64_t{0};
    const auto replays = catalog.replays(source);
    if (!replays) return replays.error();
    auto& rows = answer->captures[source].rows;
    for (const GraphReplays& rank : (*replays)->ranks) {
      for (Row& row : make(rank)) rows.push_back({std::move(row), &rank});
    }
    return std::uint64_t{rows.size()};
  };
  add_field_columns(table.columns, renamed(fields), [answer](const Place& p) { return answer->row(p).line(); });
  return {std::move(table), answer};
}

}  // namespace

void add_replay_tables(TableList& tables, Catalog& catalog) {
  constexpr TableText kSteps{"step", "The steps of a model server, as its annotations name them.", "The row's number"};
  constexpr TableText kReplays{"replay", "Each replay of a CUDA or HIP graph.", "The row's number"};
  constexpr TableText kNodes{
      "graph_node", "The nodes of replayed graphs, each over all replays, named from the capture.", "The row's number"};
  tables.push_back(
      finished_table(catalog, replay_table<StepRow>(catalog, kSteps, step_fields(), [](const GraphReplays& rank) {
                                return step_rows(rank);
                              }).first));
  tables.push_back(
      finished_table(catalog, replay_table<ReplayRow>(catalog, kReplays, replay_fields(), [](const GraphReplays& rank) {
                                return replay_rows(rank, ChosenWork(rank, {}));
                              }).first));
  auto [nodes, answer] = replay_table<NodeRow>(
      catalog, kNodes, node_fields(), [](const GraphReplays& rank) { return node_rows(rank, ChosenWork(rank, {})); });
  const auto add_inputs = [&nodes = nodes, answer = answer](std::string_view name, std::string_view about,
                                                            StringId SaidOfWork::*inputs) {
    nodes.columns.push_back({{name, ColumnType::kText, about}, [answer, inputs](const Place& p, Cell& cell) {
                               const RowOfRank<NodeRow>& row = answer->row(p);
                               const StringId id = row.row.said->*inputs;
                               id == kNoText ? cell.null() : cell.text(row.replays->text(id));
                             }});
  };
  add_inputs("input_dims", "The captured operator's inputs' shapes, as JSON", &SaidOfWork::input_dims);
  add_inputs("input_types", "Their types, as JSON", &SaidOfWork::input_types);
  tables.push_back(finished_table(catalog, std::move(nodes)));
}

}  // namespace vizd::sql
