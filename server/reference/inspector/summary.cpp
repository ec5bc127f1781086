#include "reference/inspector/summary.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <ranges>

#include "base/json_writer.h"
#include "reference/inspector/block_gap.h"
#include "reference/inspector/delegation.h"
#include "reference/inspector/module_totals.h"
#include "reference/inspector/module_tree.h"
#include "reference/inspector/numeric_gap.h"
#include "reference/inspector/shares.h"
#include "reference/inspector/value_summary.h"

namespace vizd::inspector {
namespace {

// One record and its line's end.
class Record {
 public:
  Record(std::string_view what, const WriteText& write) : write_(write), json_(line_) {
    json_.begin_object().key("record").text(what);
  }
  Record(const Record&) = delete;
  Record& operator=(const Record&) = delete;
  ~Record() {
    json_.end_object();
    write_(line_ += '\n');
  }
  JsonWriter& json() { return json_; }

 private:
  const WriteText& write_;
  std::string line_;
  JsonWriter json_;
};

void write_values(JsonWriter& json, const std::vector<Value>* values) {
  if (values == nullptr || values->empty()) {
    json.null();
    return;
  }
  json.begin_array();
  for (const Value& value : *values) write_value(json, value);
  json.end_array();
}

void write_statistics(JsonWriter& json, const std::optional<Statistics>& statistics) {
  const auto put = [&](std::string_view name, double value) {
    json.key(name);
    statistics ? json.real(value) : json.null();
  };
  const Statistics s = statistics.value_or(Statistics{});
  put("avg", s.average);
  put("p10", s.p10);
  put("p50", s.p50);
  put("p90", s.p90);
  put("min", s.least);
  put("max", s.greatest);
}

std::string_view metadata_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

class SummaryWriter {
 public:
  SummaryWriter(const Inspection& inspection, Comparator* comparator, const WriteText& write)
      : inspection_(inspection), comparator_(comparator), write_(write) {}

  void write() {
    for (std::size_t i = 0; i < inspection_.blocks.size(); ++i) {
      const Block& block = inspection_.blocks[i];
      for (const BlockEvent& event : block.events) add_event(i, block, event);
      Record record("block", write_);
      JsonWriter& json = record.json();
      json.key("block_index").number(i).key("block").text(block.name);
      json.key("bundled_input").number(block.bundled_input).key("iterations").number(block.runs.size());
      json.key("method").text_or_null(block.method != nullptr ? std::optional<std::string_view>(block.method->name)
                                                              : std::nullopt);
      json.key("source_unit").text(scale_name(inspection_.settings.source));
      json.key("unit").text(scale_name(inspection_.settings.target)).key("whole").real(whole_of(block));
      write_values(json.key("run_output"), &block.outputs);
      write_values(json.key("reference_output"), block.reference_outputs);
    }
    if (!inspection_.settings.is_reference) {
      for (std::size_t i = 0; i < inspection_.blocks.size(); ++i) {
        add_sums(i);
        add_delegation(i);
      }
    }
    if (inspection_.record != nullptr) add_nodes();
    if (inspection_.record != nullptr || inspection_.references.dump != nullptr) add_gaps();
    if (inspection_.record == nullptr) return;
    if (!inspection_.settings.is_reference) return;
    for (const std::string& key : module_keys(inspection_)) {
      Record record("module", write_);
      record.json().key("name").text(key).key("total").real(module_total(inspection_, key));
    }
  }

 private:
  void add_event(std::size_t block_index, const Block& block, const BlockEvent& event) {
    Record record("event", write_);
    JsonWriter& json = record.json();
    json.key("block").text(block.name).key("block_index").number(block_index);
    json.key("bundled_input").number(block.bundled_input).key("name").text(event.name).key("instruction");
    event.instruction ? json.number(*event.instruction) : json.null();
    if (event.is_timed) {
      const auto most = std::min(event.iterations(), inspection_.settings.most_raw_values);
      json.column("start", std::views::iota(std::size_t{0}, most),
                  [&](JsonWriter& to, std::size_t iteration) { to.number(event.start(iteration)); });
      json.column("raw", std::span(event.raw).first(most), [](JsonWriter& to, double raw) { to.real(raw); });
    } else {
      json.key("start").null().key("raw").null();
    }
    write_statistics(json, event.statistics);
    json.key("is_delegated").boolean(event.is_delegated).key("delegate_id");
    if (event.delegate_number) {
      json.number(*event.delegate_number);
    } else {
      event.is_delegated ? json.text(event.delegate_text) : json.null();
    }
    json.key("delegate").text_or_null(event.backend);
    json.column("op_types", event.op_types, [](JsonWriter& to, const std::string& op) { to.text(op); });
    if (event.debug_handles) {
      json.column("debug_handles", *event.debug_handles,
                  [](JsonWriter& to, std::int64_t handle) { to.number(handle); });
    } else {
      json.key("debug_handles").null();
    }
    write_nodes(json, block, event);
    if (event.metadata.empty()) {
      json.key("delegate_metadata").null();
    } else {
      json.column("delegate_metadata", event.metadata,
                  [](JsonWriter& to, auto bytes) { to.text(metadata_text(bytes)); });
    }
    write_values(json.key("debug_data"), &event.values);
    if (inspection_.settings.is_reference) return;
    json.key("occurrence").number(event.occurrence).key("is_approximate").boolean(event.is_approximate);
    json.key("has_op_of_kernel").boolean(event.has_op_of_kernel);
    if (inspection_.settings.metadata.are_given()) write_fields(json, event);
  }

  void write_fields(JsonWriter& json, const BlockEvent& event) {
    json.key("delegate_fields").begin_object();
    for (const auto& [name, values] : inspection_.settings.metadata.columns(event)) {
      json.column(name, values, [](JsonWriter& to, const std::optional<MetadataValue>& value) {
        if (!value) {
          to.null();
        } else if (const auto* whole = std::get_if<std::int64_t>(&*value)) {
          to.number(*whole);
        } else if (const auto* real = std::get_if<double>(&*value)) {
          to.real(*real);
        } else {
          to.text(std::get<std::string>(*value));
        }
      });
    }
    json.end_object();
  }

  void write_nodes(JsonWriter& json, const Block& block, const BlockEvent& event) {
    json.key("stack_traces").begin_object();
    for (const std::uint32_t place : event.nodes) {
      const ProgramNode& node = block.method->edge->nodes[place];
      json.key(node.name + "_").text_or_null(node.stack_trace);
    }
    json.end_object().key("module_hierarchy").begin_object();
    for (const std::uint32_t place : event.nodes) {
      const ProgramNode& node = block.method->edge->nodes[place];
      json.key(node.name + "_");
      if (!node.modules) {
        json.null();
        continue;
      }
      json.begin_object();
      for (const ModuleLevel& level : *node.modules)
        json.key(level.key).begin_array().text(level.path).text(level.type).end_array();
      json.end_object();
    }
    json.end_object();
  }

  // Where the time of a block went: by name, by who ran it, by module.
  void add_sums(std::size_t block_index) {
    const Block& block = inspection_.blocks[block_index];
    const double whole = whole_of(block);
    const auto share = [&](double part) { return whole > 0 ? part / whole : 0; };
    for (const NameShare& row : by_name(block)) {
      Record record("name", write_);
      JsonWriter& json = record.json();
      json.key("block_index").number(block_index).key("name").text(row.name).key("calls").number(row.calls);
      json.key("total").real(row.total).key("self").real(row.self).key("share").real(row.is_apart ? 0
                                                                                                  : share(row.self));
      json.key("is_delegated").boolean(row.is_delegated).key("delegate").text(row.backend);
      json.key("has_own_clock").boolean(row.is_apart);
    }
    for (const BackendShare& row : by_backend(block)) {
      Record record("delegation", write_);
      JsonWriter& json = record.json();
      json.key("block_index").number(block_index).key("delegate").text(row.backend).key("calls").number(row.calls);
      json.key("nodes").number(row.nodes).key("total").real(row.total).key("share").real(share(row.total));
    }
    for (const ModuleRow& row : module_tree(block)) {
      Record record("module", write_);
      JsonWriter& json = record.json();
      json.key("block_index").number(block_index).key("name").text(row.path).key("type").text(row.type);
      json.key("depth").number(row.depth).key("total").real(row.total).key("self").real(row.self);
      json.key("share").real(share(row.total)).key("events").number(row.events);
    }
  }

  // Call by call, and node by node of what was left between them.
  void add_delegation(std::size_t block_index) {
    const Block& block = inspection_.blocks[block_index];
    const double whole = whole_of(block);
    for (const DelegationPart& part : delegation_of(block)) {
      Record record("partition", write_);
      JsonWriter& json = record.json();
      json.key("block_index").number(block_index).key("partition");
      part.partition != 0 ? json.number(part.partition) : json.null();
      json.key("delegate").text(part.backend).key("instruction");
      part.instruction ? json.number(*part.instruction) : json.null();
      json.key("nodes").begin_array();
      for (const std::uint32_t node : part.nodes) json.text(block.method->edge->nodes[node].name);
      json.end_array().key("ops").begin_object();
      for (const auto& [op, count] : part.ops) json.key(op).number(count);
      json.end_object().key("total");
      part.total ? json.real(*part.total) : json.null();
      json.key("share").real(whole > 0 ? part.total.value_or(0) / whole : 0).key("dtype").text(part.dtype);
      json.column("before", part.before, [](JsonWriter& to, std::uint32_t call) { to.number(call); });
      json.column("after", part.after, [](JsonWriter& to, std::uint32_t call) { to.number(call); });
      json.key("why").text(reason_of(part));
    }
  }

  void add_nodes() {
    for (const Method& method : inspection_.record->methods) {
      if (!method.edge || (inspection_.settings.is_reference && method.name != "forward")) continue;
      for (const ProgramNode& node : method.edge->nodes) {
        Record record("node", write_);
        record.json().key("method").text(method.name).key("node").text(node.name).key("op").text(node.op);
        record.json().key("debug_handle");
        node.debug_handle ? record.json().number(*node.debug_handle) : record.json().null();
      }
    }
  }

  void add_gaps() {
    if (inspection_.settings.is_reference) {
      if (inspection_.record == nullptr || inspection_.references.tensors.empty()) return;
      std::vector<GapEvent> events;
      for (const Block& block : inspection_.blocks) std::ranges::move(gap_events(block), std::back_inserter(events));
      for (const GapMetric metric : {GapMetric::kMse, GapMetric::kL1, GapMetric::kSnr}) {
        const auto gaps = inspector_gaps(*inspection_.record, events, inspection_.references.tensors, metric);
        if (!gaps) continue;  // the Inspector raises an error there
        for (const InspectorGap& gap : *gaps) {
          Record record("gap", write_);
          JsonWriter& json = record.json();
          json.key("metric").text(metric_name(metric));
          json.column("aot_ops", gap.aot_ops, [](JsonWriter& to, const std::string& op) { to.text(op); });
          json.column("runtime_ops", gap.runtime_ops, [](JsonWriter& to, const std::string& op) { to.text(op); });
          // A list only where the op has one of outputs.
          json.key("gap");
          if (gap.gaps.size() == 1) {
            write_real(json, gap.gaps.front());
          } else {
            json.begin_array();
            for (const double value : gap.gaps) write_real(json, value);
            json.end_array();
          }
        }
      }
      return;
    }
    for (std::size_t i = 0; i < inspection_.blocks.size(); ++i)
      for (OutputGaps& gaps : gaps_of(inspection_, i)) add_gaps_of(i, gaps);
  }

  void add_gaps_of(std::size_t block_index, OutputGaps& gaps) {
    for (std::size_t i = 0; i < gaps.rows.size(); ++i) {
      const OutputGap& row = gaps.rows[i];
      const auto add = [&](std::string_view metric, double gap) {
        Record record("gap", write_);
        JsonWriter& json = record.json();
        json.key("block_index").number(block_index).key("metric").text(metric);
        json.column("aot_ops", row.aot_ops, [](JsonWriter& to, const std::string& op) { to.text(op); });
        json.key("runtime_ops").begin_array();
        if (!row.runtime_op.empty()) json.text(row.runtime_op);
        json.end_array();
        write_real(json.key("gap"), gap);
        json.key("node").text(row.node).key("op").text(row.op).key("output").number(row.output);
        json.key("instruction");
        row.instruction < 0 ? json.null() : json.number(row.instruction);
        json.key("occurrence").number(row.occurrence).key("debug_handle");
        row.debug_handle < 0 ? json.null() : json.number(row.debug_handle);
        json.key("relative_error");
        write_real(json, row.relative_error);
        json.key("is_first_grown").boolean(gaps.first_grown == i);
      };
      for (const GapMetric metric : kGapMetrics) add(metric_name(metric), row.metric(metric));
      if (comparator_ == nullptr) continue;
      if (const auto gap = comparator_->gap(row.reference, row.runtime)) {
        add(comparator_->name(), *gap);
      } else {
        gaps.not_compared.push_back(fmt::format("{}: {}", row.node, gap.error().text()));
      }
    }
    for (const std::string& reason : gaps.not_compared) {
      Record record("not compared", write_);
      record.json().key("block_index").number(block_index).key("reason").text(reason);
    }
  }

  const Inspection& inspection_;
  Comparator* const comparator_;  // null: none is asked for
  const WriteText& write_;
};

struct RunSums {
  std::uint64_t outputs = 0;
  std::map<std::string, std::uint64_t> names, ticks;
  std::map<std::int32_t, std::uint64_t> allocations;

  explicit RunSums(const etdump::Run& run) {
    for (const DebugEvent& event : run.debug_events) outputs += event.value.is_output ? 1 : 0;
    for (const ProfileEvent& event : run.profile_events) {
      const std::string name = event.of.shown_name();
      ++names[name];
      ticks[name] += elapsed_ticks(event.start, event.end);
    }
    for (const AllocationEvent& event : run.allocation_events) allocations[event.allocator] += event.size_bytes;
  }
};

}  // namespace

void write_summary(const Inspection& inspection, Comparator* comparator, const WriteText& write) {
  SummaryWriter(inspection, comparator, write).write();
}

Result<void> write_runs(const EtdumpFile& file, const WriteText& write) {
  return file.for_each_run([&](const etdump::Run& run) -> Result<void> {
    const RunSums sums(run);
    const auto put = [](JsonWriter& json, std::string_view key, const auto& counts, auto&& name_of) {
      json.key(key).begin_object();
      for (const auto& [name, count] : counts) json.key(name_of(name)).number(count);
      json.end_object();
    };
    const auto as_it_is = [](const std::string& name) { return name; };
    Record record("run", write);
    JsonWriter& json = record.json();
    json.key("name").text(run.name).key("bundled_input").number(run.bundled_input);
    json.key("profile_events").number(run.profile_events.size()).key("debug_events").number(run.debug_events.size());
    json.key("allocation_events").number(run.allocation_events.size()).key("outputs").number(sums.outputs);
    put(json, "names", sums.names, as_it_is);
    put(json, "ticks", sums.ticks, as_it_is);
    put(json, "allocations", sums.allocations, [](std::int32_t allocator) { return std::to_string(allocator); });
    return {};
  });
}

}  // namespace vizd::inspector
