// breakdown, call_tree, collective, straggler, collective_instance, kernel_sequence, operator and comparison: what the
// devices did, beside the table of kernels.
#include "query/answer_tables.h"

#include <map>
#include <utility>

#include "analysis/answers/device_answers.h"

namespace vizd::sql {
namespace {

std::unique_ptr<Table> breakdown_table(Catalog& catalog) {
  constexpr TableText kText{
      "breakdown",
      "Where the time of each device and each of its streams went: kinds of work, and causes of idle time.",
      "The row's number"};
  const auto answer = std::make_shared<AnswerRows<DeviceBreakdown>>();
  RowTable::Description table = answer_table(catalog, kText, answer, [](std::size_t, const DeviceAnalysis& devices) {
    return make_breakdowns(devices.work, {});
  });
  add_field_columns(table.columns, breakdown_fields(), [answer, &catalog](const Place& p) {
    return BreakdownLine{catalog.capture(p.source), answer->devices(p).work, answer->row(p)};
  });
  return finished_table(catalog, std::move(table));
}

// A node of the call tree, in the order in which it is read.
struct TreeNode {
  CallNode node;
  std::optional<std::uint32_t> parent;  // place in that order
};

std::vector<TreeNode> nodes_in_order(const CallTree& tree) {
  const std::vector<std::uint32_t> order = tree_order(tree);
  std::vector<std::uint32_t> place(tree.nodes.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i;
  std::vector<TreeNode> nodes;
  for (const std::uint32_t n : order) {
    const CallNode& node = tree.nodes[n];
    nodes.push_back({node, node.parent == kNoId ? std::nullopt : std::optional(place[node.parent])});
  }
  return nodes;
}

std::unique_ptr<Table> call_tree_table(Catalog& catalog) {
  constexpr TableText kText{
      "call_tree",
      "What the host was doing when it launched work: modules, operators, calls, kernels; the most time first.",
      "The node's number"};
  const auto answer = std::make_shared<AnswerRows<TreeNode>>();
  RowTable::Description table =
      answer_table(catalog, kText, answer, [&catalog](std::size_t source, const DeviceAnalysis& devices) {
        return nodes_in_order(
            make_call_tree(catalog.capture(source), devices.work, devices.operators, devices.figures));
      });
  table.columns.push_back({{"parent_id", ColumnType::kInteger, "call_tree.id of the node above it; null at the top"},
                           [answer](const Place& p, Cell& cell) {
                             const TreeNode& node = answer->row(p);
                             if (!node.parent) return cell.null();
                             std::uint64_t first = 0;
                             for (std::size_t s = 0; s < p.source; ++s) first += answer->captures[s].rows.size();
                             cell.integer(static_cast<std::int64_t>(first + *node.parent));
                           }});
  add_field_columns(table.columns,
                    choose_fields(call_tree_fields(), "kind name told_by calls launches total_ns flop bytes"),
                    [answer, &catalog](const Place& p) {
                      const TreeNode& node = answer->row(p);
                      return CallLine{.capture = catalog.capture(p.source), .row = node.node, .parent = node.parent};
                    });
  table.columns.push_back(longest_slice_column(
      catalog, "slice.id of the longest launch below it",
      [answer](const Place& p) { return answer->devices(p).work.items[answer->row(p).node.worst]; }));
  return finished_table(catalog, std::move(table));
}

std::unique_ptr<Table> collective_table(Catalog& catalog) {
  constexpr TableText kText{"collective", "What ranks exchanged, by kind, kernel, group and size; the most time first.",
                            "The row's number"};
  const auto answer = std::make_shared<AnswerRows<CollectiveRow>>();
  const auto ranks = std::make_shared<std::map<std::size_t, ProfiledRank>>();  // by capture
  RowTable::Description table =
      answer_table(catalog, kText, answer, [ranks, &catalog](std::size_t source, const DeviceAnalysis& devices) {
        const ProfiledRank rank{catalog.capture(source), devices.work, devices.operators};
        return find_collectives({&ranks->emplace(source, rank).first->second, 1}).rows;
      });
  add_field_columns(table.columns, collective_fields(), [answer, ranks](const Place& p) {
    return CollectiveLine{{&ranks->at(p.source), 1}, answer->row(p)};
  });
  return finished_table(catalog, std::move(table));
}

// What the ranks of all captures exchanged with one another; made for whichever table of it is walked first.
struct AllRanks {
  std::vector<std::shared_ptr<const DeviceAnalysis>> devices;
  std::vector<std::size_t> sources;  // of profiles
  std::vector<ProfiledRank> profiles;
  Collectives found;
  bool is_found = false;

  Result<void> find(Catalog& catalog) {
    if (std::exchange(is_found, true)) return {};
    for (std::size_t source = 0; source < catalog.sources().size(); ++source) {
      if (!catalog.capture(source).has_profile) continue;
      auto of_source = catalog.named_devices(source);
      if (!of_source) return std::move(of_source).error();
      devices.push_back(*std::move(of_source));
      sources.push_back(source);
      profiles.push_back({catalog.capture(source), devices.back()->work, devices.back()->operators});
    }
    found = find_collectives(profiles);
    return {};
  }
};

// A table of what all ranks did together, whose rows stand by the capture that source_of() tells.
template <typename Row, typename List, typename SourceOf>
RowTable::Description table_of_ranks(Catalog& catalog, const TableText& text,
                                     const std::shared_ptr<AnswerRows<Row>>& answer,
                                     const std::shared_ptr<AllRanks>& ranks, List list, SourceOf source_of) {
  RowTable::Description table =
      answer_table(catalog, text, answer, [](std::size_t, const DeviceAnalysis&) { return std::vector<Row>(); });
  table.count = [&catalog, answer, ranks, list, source_of](std::size_t source) -> Result<std::uint64_t> {
    VIZD_TRY(ranks->find(catalog));
    std::vector<Row>& rows = answer->captures[source].rows;
    for (const Row& row : list(*ranks)) {
      if (ranks->sources[source_of(row)] == source) rows.push_back(row);
    }
    return std::uint64_t{rows.size()};
  };
  return table;
}

std::unique_ptr<Table> straggler_table(Catalog& catalog, const std::shared_ptr<AllRanks>& ranks) {
  constexpr TableText kText{"straggler",
                            "Ranks that the others waited for at collectives, over all captures; the longest first "
                            "within a capture.",
                            "The row's number"};
  const auto answer = std::make_shared<AnswerRows<Straggler>>();
  RowTable::Description table = table_of_ranks(
      catalog, kText, answer, ranks, [](const AllRanks& of) { return of.found.stragglers; },
      [](const Straggler& row) { return row.launch.profile; });
  add_field_columns(table.columns, straggler_fields(), [answer, ranks](const Place& p) {
    return StragglerLine{ranks->profiles, answer->row(p)};
  });
  return finished_table(catalog, std::move(table));
}

std::unique_ptr<Table> collective_instance_table(Catalog& catalog, const std::shared_ptr<AllRanks>& ranks) {
  constexpr TableText kText{
      "collective_instance",
      "Each collective, over the ranks of all captures; it belongs to the capture of the last rank.",
      "The row's number"};
  const auto answer = std::make_shared<AnswerRows<CollectiveInstance>>();
  const auto last_of = [ranks](const CollectiveInstance& row) -> const CollectiveLaunch& {
    const Collective& collective = ranks->found.all[row.place];
    return collective.launches[collective.last.value_or(0)];
  };
  RowTable::Description table = table_of_ranks(
      catalog, kText, answer, ranks,
      [](const AllRanks& of) { return list_collectives(of.profiles, of.found, of.found.all.size()); },
      [last_of](const CollectiveInstance& row) { return last_of(row).profile; });
  add_field_columns(table.columns, collective_instance_fields(), [answer, ranks](const Place& p) {
    const CollectiveInstance& row = answer->row(p);
    const Collective& collective = ranks->found.all[row.place];
    return CollectiveInstanceLine{ranks->profiles, ranks->found.rows[collective.row], collective, row};
  });
  return finished_table(catalog, std::move(table));
}

std::unique_ptr<Table> sequence_table(Catalog& catalog) {
  constexpr TableText kText{"kernel_sequence",
                            "Kernels that follow one another on a stream at least three times; the most time first.",
                            "The sequence's number"};
  const auto answer = std::make_shared<AnswerRows<KernelSequence>>();
  RowTable::Description table =
      answer_table(catalog, kText, answer, [&catalog](std::size_t source, const DeviceAnalysis& devices) {
        return find_kernel_sequences(catalog.capture(source), devices.work, ~std::size_t{0});
      });
  add_field_columns(table.columns, sequence_fields(), [answer, &catalog](const Place& p) {
    return SequenceLine{catalog.capture(p.source), answer->row(p)};
  });
  table.columns.push_back(
      longest_slice_column(catalog, "slice.id of the first kernel of the occurrence that took longest",
                           [answer](const Place& p) { return answer->devices(p).work.items[answer->row(p).longest]; }));
  return finished_table(catalog, std::move(table));
}

std::unique_ptr<Table> operator_table(Catalog& catalog) {
  constexpr TableText kText{
      "operator",
      "Calls of PyTorch's operators and of annotated ranges by name, as in key_averages(); the most self time first.",
      "The row's number"};
  const auto answer = std::make_shared<AnswerRows<OperatorRow>>();
  RowTable::Description table =
      answer_table(catalog, kText, answer, [&catalog](std::size_t source, const DeviceAnalysis& devices) {
        return make_operator_table(catalog.capture(source), devices, {});
      });
  add_field_columns(table.columns, operator_fields(), [answer, &catalog](const Place& p) {
    return OperatorLine{catalog.capture(p.source), answer->row(p)};
  });
  table.columns.push_back(longest_slice_column(catalog, "slice.id of the longest call",
                                               [answer](const Place& p) { return answer->row(p).longest; }));
  return finished_table(catalog, std::move(table));
}

std::unique_ptr<Table> thread_time_table(Catalog& catalog) {
  constexpr TableText kText{
      "thread_time", "Where the time of each thread of the host went; a row without a thread is the sum over its rank.",
      "The row's number"};
  const auto answer = std::make_shared<AnswerRows<ThreadTime>>();
  RowTable::Description table = answer_table(
      catalog, kText, answer,
      [&catalog](std::size_t source, const DeviceAnalysis&) { return make_thread_times(catalog.capture(source), {}); });
  add_field_columns(table.columns, thread_fields(), [answer, &catalog](const Place& p) {
    return ThreadLine{catalog.capture(p.source), answer->row(p)};
  });
  return finished_table(catalog, std::move(table));
}

std::unique_ptr<Table> comparison_table(Catalog& catalog) {
  constexpr TableText kText{
      "comparison", "The kernels of the first capture, A, and of each other, B, by name: the largest change first.",
      "The row's number"};
  const auto answer = std::make_shared<AnswerRows<ComparedKernel>>();
  RowTable::Description table = answer_table(
      catalog, kText, answer, [](std::size_t, const DeviceAnalysis&) { return std::vector<ComparedKernel>(); });
  table.count = [answer, &catalog](std::size_t source) -> Result<std::uint64_t> {
    if (source == 0 || !catalog.capture(0).has_profile || !catalog.capture(source).has_profile) return std::uint64_t{0};
    const auto before = catalog.named_devices(0), after = catalog.named_devices(source);
    if (!before) return before.error();
    if (!after) return after.error();
    auto& rows = answer->captures[source].rows;
    rows = compare_kernels({catalog.capture(0), (*before)->work, (*before)->operators},
                           {catalog.capture(source), (*after)->work, (*after)->operators}, KernelJoin::kName);
    return std::uint64_t{rows.size()};
  };
  add_field_columns(table.columns,
                    choose_fields(comparison_fields(),
                                  "class name a_launches b_launches a_total_ns b_total_ns a_median_ns "
                                  "b_median_ns delta_launches delta_total_ns total_ratio "
                                  "median_change_ns state"),
                    [answer](const Place& p) { return ComparisonLine{answer->row(p)}; });
  return finished_table(catalog, std::move(table));
}

}  // namespace

void add_answer_tables(TableList& tables, Catalog& catalog) {
  tables.push_back(breakdown_table(catalog));
  tables.push_back(call_tree_table(catalog));
  tables.push_back(collective_table(catalog));
  const auto ranks = std::make_shared<AllRanks>();
  tables.push_back(straggler_table(catalog, ranks));
  tables.push_back(collective_instance_table(catalog, ranks));
  tables.push_back(sequence_table(catalog));
  tables.push_back(operator_table(catalog));
  tables.push_back(thread_time_table(catalog));
  tables.push_back(comparison_table(catalog));
}

}  // namespace vizd::sql
