#include "reference/inspector/own_tables.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <optional>
#include <string>
#include <utility>

#include "formats/etdump/calls.h"
#include "formats/etdump/modules.h"
#include "reference/inspector/block_gap.h"
#include "reference/inspector/delegation.h"
#include "reference/inspector/module_tree.h"
#include "reference/inspector/shares.h"

namespace vizd::inspector {
namespace {

using Row = std::vector<OwnCell>;

// A spreadsheet has no other numbers than finite ones.
OwnCell real_cell(double value) {
  if (std::isfinite(value)) return value;
  return std::string(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
}

template <typename Number>
OwnCell whole_cell(Number number) {
  return static_cast<std::int64_t>(number);
}

template <typename Number>
OwnCell optional_cell(const std::optional<Number>& number) {
  return number ? whole_cell(*number) : OwnCell();
}

std::string yes_or_nothing(bool is_so) { return is_so ? "yes" : ""; }

class Tables {
 public:
  explicit Tables(const Inspection& inspection)
      : inspection_(inspection), unit_(fmt::format(" ({})", scale_name(inspection.settings.target))) {}

  std::vector<OwnTable> make() {
    std::vector<OwnTable> tables;
    tables.push_back(make("events",
                          {"event", "instruction", "pass", "iterations", "avg" + unit_, "p10" + unit_, "p50" + unit_,
                           "p90" + unit_, "min" + unit_, "max" + unit_, "op types", "nodes", "module", "delegate",
                           "delegate id", "delegated", "approximate"},
                          &Tables::add_events));
    tables.push_back(
        make("names",
             {"name", "delegate", "delegated", "calls", "total" + unit_, "self" + unit_, "share", "clock of its own"},
             &Tables::add_names));
    tables.push_back(make("modules", {"module", "type", "depth", "events", "total" + unit_, "self" + unit_, "share"},
                          &Tables::add_modules));
    tables.push_back(
        make("delegation", {"delegate", "calls", "nodes", "total" + unit_, "share"}, &Tables::add_delegation));
    tables.push_back(make("partitions",
                          {"partition", "delegate", "instruction", "nodes", "ops", "total" + unit_, "share", "type",
                           "after partitions", "before partitions", "why not delegated"},
                          &Tables::add_partitions));
    tables.push_back(make("gaps",
                          {"node", "op", "event", "instruction", "pass", "output", "relative error", "MSE", "L1",
                           "SNR (dB)", "cosine", "max relative", "error grows here"},
                          &Tables::add_gaps));
    return tables;
  }

 private:
  using Add = void (Tables::*)(std::size_t block, OwnTable& table) const;

  OwnTable make(std::string name, std::vector<std::string> columns, Add add) const {
    OwnTable table{.name = std::move(name), .columns = {"block", "bundled input", "method"}, .rows = {}};
    for (std::string& column : columns) table.columns.push_back(std::move(column));
    for (std::size_t i = 0; i < inspection_.blocks.size(); ++i) (this->*add)(i, table);
    return table;
  }

  void put(std::size_t place, OwnTable& table, Row cells) const {
    const Block& block = inspection_.blocks[place];
    Row row{block.name, block.bundled_input < 0 ? OwnCell() : whole_cell(block.bundled_input),
            block.method == nullptr ? std::string() : block.method->name};
    for (OwnCell& cell : cells) row.push_back(std::move(cell));
    table.rows.push_back(std::move(row));
  }

  double share_of(std::size_t place, double part) const {
    const double whole = whole_of(inspection_.blocks[place]);
    return whole > 0 ? part / whole : 0;
  }

  static std::string nodes_text(const Block& block, const BlockEvent& event) {
    std::vector<std::string_view> names;
    for (const std::uint32_t node : event.nodes) names.push_back(block.method->edge->nodes[node].name);
    return fmt::format("{}", fmt::join(names, ", "));
  }

  void add_events(std::size_t place, OwnTable& table) const {
    const Block& block = inspection_.blocks[place];
    for (const BlockEvent& event : block.events) {
      if (is_operator_call(event.name)) continue;
      Row row{event.name, optional_cell(event.instruction), whole_cell(event.occurrence),
              whole_cell(event.iterations())};
      const Statistics s = event.statistics.value_or(Statistics{});
      for (const double figure : {s.average, s.p10, s.p50, s.p90, s.least, s.greatest})
        row.push_back(event.statistics ? real_cell(figure) : OwnCell());
      for (std::string text : {fmt::format("{}", fmt::join(event.op_types, ", ")), nodes_text(block, event),
                               common_module_path(block, event), event.backend.value_or(""), event.delegate_id(),
                               yes_or_nothing(event.is_delegated), yes_or_nothing(event.is_approximate)})
        row.emplace_back(std::move(text));
      put(place, table, std::move(row));
    }
  }

  void add_names(std::size_t place, OwnTable& table) const {
    for (const NameShare& name : by_name(inspection_.blocks[place])) {
      put(place, table,
          {name.name, name.backend, yes_or_nothing(name.is_delegated), whole_cell(name.calls), real_cell(name.total),
           real_cell(name.self), real_cell(name.is_apart ? 0 : share_of(place, name.self)),
           yes_or_nothing(name.is_apart)});
    }
  }

  void add_modules(std::size_t place, OwnTable& table) const {
    for (const ModuleRow& module : module_tree(inspection_.blocks[place])) {
      put(place, table,
          {module.path, module.type, whole_cell(module.depth), whole_cell(module.events), real_cell(module.total),
           real_cell(module.self), real_cell(share_of(place, module.total))});
    }
  }

  void add_delegation(std::size_t place, OwnTable& table) const {
    for (const BackendShare& backend : by_backend(inspection_.blocks[place])) {
      put(place, table,
          {backend.backend.empty() ? "portable kernels" : backend.backend, whole_cell(backend.calls),
           whole_cell(backend.nodes), real_cell(backend.total), real_cell(share_of(place, backend.total))});
    }
  }

  void add_partitions(std::size_t place, OwnTable& table) const {
    const Block& block = inspection_.blocks[place];
    for (const DelegationPart& part : delegation_of(block)) {
      std::vector<std::string> nodes, ops;
      for (const std::uint32_t node : part.nodes) nodes.push_back(block.method->edge->nodes[node].name);
      for (const auto& [op, count] : part.ops) ops.push_back(count == 1 ? op : fmt::format("{} x {}", count, op));
      put(place, table,
          {part.partition == 0 ? OwnCell() : whole_cell(part.partition), part.backend, optional_cell(part.instruction),
           fmt::format("{}", fmt::join(nodes, ", ")), fmt::format("{}", fmt::join(ops, ", ")),
           part.total ? real_cell(*part.total) : OwnCell(), real_cell(share_of(place, part.total.value_or(0))),
           part.dtype, fmt::format("{}", fmt::join(part.before, ", ")), fmt::format("{}", fmt::join(part.after, ", ")),
           reason_of(part)});
    }
  }

  void add_gaps(std::size_t place, OwnTable& table) const {
    for (const OutputGaps& gaps : gaps_of(inspection_, place)) {
      for (std::size_t i = 0; i < gaps.rows.size(); ++i) {
        const OutputGap& gap = gaps.rows[i];
        put(place, table,
            {gap.node, gap.op, gap.runtime_op, gap.instruction < 0 ? OwnCell() : whole_cell(gap.instruction),
             whole_cell(gap.occurrence), whole_cell(gap.output), real_cell(gap.relative_error), real_cell(gap.mse),
             real_cell(gap.l1), real_cell(gap.snr), real_cell(gap.cosine), real_cell(gap.max_relative),
             yes_or_nothing(gaps.first_grown == i)});
      }
    }
  }

  const Inspection& inspection_;
  const std::string unit_;
};

}  // namespace

std::vector<OwnTable> tables_of(const Inspection& inspection) { return Tables(inspection).make(); }

}  // namespace vizd::inspector
