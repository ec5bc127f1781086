#include "formats/etdump/export_graphs.h"

#include <algorithm>
#include <array>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "formats/etdump/box_graph.h"
#include "formats/etdump/calls.h"
#include "formats/told_dialect.h"
#include "model/op_values.h"

namespace vizd::etdump {
namespace {

bool has_graph(const Method& method) { return method.aten || method.edge || !method.other.empty(); }

// An op's colour says what it does: by a part of its name, the first that fits.
std::string_view colour_of(const Box& box) {
  constexpr std::pair<std::string_view, std::string_view> kColours[] = {
      {"conv", "#f4b183"},      {"mm.", "#f4b183"},       {"linear", "#f4b183"},    {"matmul", "#f4b183"},
      {"attention", "#f4b183"}, {"norm", "#9dc3e6"},      {"softmax", "#9dc3e6"},   {"sum", "#9dc3e6"},
      {"mean", "#9dc3e6"},      {"pool", "#9dc3e6"},      {"amax", "#9dc3e6"},      {"view", "#d9d2e9"},
      {"permute", "#d9d2e9"},   {"transpose", "#d9d2e9"}, {"expand", "#d9d2e9"},    {"clone", "#d9d2e9"},
      {"squeeze", "#d9d2e9"},   {"slice", "#d9d2e9"},     {"select", "#d9d2e9"},    {"cat.", "#d9d2e9"},
      {"split", "#d9d2e9"},     {"copy", "#d9d2e9"},      {"embedding", "#ffe699"}, {"index", "#ffe699"},
      {"gather", "#ffe699"},    {"quantize", "#f8cbad"}};
  if (box.kind == BoxKind::kInput) return "#e2e6ee";
  if (box.kind == BoxKind::kConstant) return "#eeeeee";
  if (box.kind == BoxKind::kDelegate) return "#7fd1c7";
  for (const auto& [part, colour] : kColours)
    if (box.op.find(part) != box.op.npos) return colour;
  return "#a9d18e";
}

constexpr std::string_view kOutput = "output";

// Numbers on a method's ops.
struct Figures {
  std::map<std::uint32_t, double> time_by_node;       // of kernels, by place in the edge program
  std::map<std::uint32_t, double> time_by_partition;  // of delegate calls
  std::map<std::int64_t, double> error_by_handle;
};

// A node of several gets an equal part.
void add_time(const BlockEvent& event, const Method& method, double weight, Figures& figures) {
  if (!event.statistics) return;
  const double time = event.statistics->average * weight;
  if (is_delegate_call(event) && event.instruction) {
    // Partitions are the delegates' instructions, counted from 1.
    std::uint32_t number = 0;
    for (const auto& [instruction, call] : method.delegates) {
      number += method.debug_handles.contains(instruction) ? 1 : 0;
      if (instruction == *event.instruction) figures.time_by_partition[number] += time;
    }
  } else if (is_kernel(event) || (event.is_delegated && !event.is_approximate)) {
    for (const std::uint32_t node : event.nodes)
      figures.time_by_node[node] += time / static_cast<double>(event.nodes.size());
  }
}

Figures figures_of(const DumpBlocks& dump, const FindErrors& find_errors, const Method& method) {
  Figures figures;
  double count = 0;  // of blocks that ran it
  const auto runs = [&](const Block& block) {
    return block.method == &method &&
           std::ranges::any_of(block.events, [](const BlockEvent& event) { return is_work(event); });
  };
  for (const Block& block : dump.blocks) count += runs(block) ? 1 : 0;
  for (std::size_t i = 0; i < dump.blocks.size(); ++i) {
    const Block& block = dump.blocks[i];
    if (!runs(block)) continue;
    for (const BlockEvent& event : block.events) add_time(event, method, 1 / count, figures);
    if (!find_errors) continue;
    for (const auto& [handle, error] : find_errors(dump, i)) {
      double& worst = figures.error_by_handle[handle];
      worst = std::max(worst, error);
    }
  }
  return figures;
}

// The capture's ops of boxes. One a capture.
class GraphMaker {
 public:
  explicit GraphMaker(Capture& capture) : capture_(capture) {}

  // Adds a graph's ops, and their numbers; the one under which all of them are.
  OpId add(const BoxGraph& graph, const Figures& figures) {
    std::vector<OpId> ops;
    for (const Box& box : graph.boxes) {
      ops.push_back(add_op(box, ops));
      measure(box, ops.back(), figures);
    }
    std::vector<OpId> outputs;
    for (const std::uint32_t output : graph.outputs) outputs.push_back(ops[output]);
    const std::uint16_t kind = kind_of(kOutput, "#e2e6ee", false);
    const ValueId identity = capture_.values.integer(1);
    return capture_.ops.add(kind, kNoneValue, outputs, argument_of("", "", kOutput, identity), kNoneValue);
  }

  void finish(std::string_view unit) {
    Rewrites& out = capture_.rewrites;
    const std::array<std::pair<std::string_view, std::string_view>, 3> names = {
        {{"time", unit}, {"delegate call", ""}, {"numeric gap", ""}}};
    for (std::size_t i = 0; i < names.size(); ++i) {
      if (values_[i].empty()) continue;
      OpMeasure& added = out.measures.emplace_back();
      added.name = capture_.strings.add(names[i].first);
      added.unit = capture_.strings.add(names[i].second);
      added.values.assign(values_[i].begin(), values_[i].end());
    }
    capture_.dialect = told::make_dialect(capture_, std::move(kinds_));
  }

 private:
  std::uint16_t kind_of(std::string_view name, std::string_view colour, bool is_inlined) {
    const auto [found, is_new] = kind_by_name_.try_emplace(std::string(name), kinds_.size());
    if (is_new && kinds_.size() < 0xFFFF) {
      kinds_.push_back({capture_.strings.add(name), capture_.strings.add(colour), is_inlined});
    }
    return static_cast<std::uint16_t>(std::min<std::size_t>(found->second, kinds_.size() - 1));
  }

  ValueId text_or_none(std::string_view text) { return text.empty() ? kNoneValue : capture_.values.string(text); }

  ValueId argument_of(std::string_view argument, std::string_view shape, std::string_view text, ValueId identity) {
    std::array<ValueId, static_cast<std::size_t>(OpField::kCount) * 2> items{};
    for (std::size_t i = 0; i < kOpFieldNames.size(); ++i) {
      items[i * 2] = capture_.values.string(kOpFieldNames[i]);
      items[i * 2 + 1] = kNoneValue;
    }
    const auto set = [&](OpField field, ValueId value) { items[static_cast<std::size_t>(field) * 2 + 1] = value; };
    set(OpField::kArgument, text_or_none(argument));
    set(OpField::kShape, text_or_none(shape));
    set(OpField::kText, text_or_none(text));
    set(OpField::kIdentity, identity);
    return capture_.values.object(kOpType, items);
  }

  OpId add_op(const Box& box, const std::vector<OpId>& ops) {
    std::vector<OpId> sources;
    for (const std::uint32_t source : box.sources) sources.push_back(ops[source]);
    const bool is_inlined = box.kind == BoxKind::kConstant;
    const std::string argument =
        is_inlined || box.detail.empty() ? box.detail.empty() ? box.name : box.detail : box.name + "\n" + box.detail;
    std::string text = box.name + " = " + box.op + "(" + box.detail + ") " + box.dtype + box.shape;
    if (!box.place.empty()) text += "  # " + box.place;
    const ValueId identity = capture_.values.integer(static_cast<std::int64_t>(box.identity));
    return capture_.ops.add(kind_of(box.op, colour_of(box), is_inlined), text_or_none(box.dtype), sources,
                            argument_of(argument, box.shape, text, identity), text_or_none(box.place));
  }

  void measure(const Box& box, OpId op, const Figures& figures) {
    double time = 0;
    bool has_time = false;
    const auto take = [&](const auto& map, auto key) {
      const auto found = map.find(key);
      if (found == map.end()) return;
      time += found->second;
      has_time = true;
    };
    if (box.kind == BoxKind::kDelegate) {
      take(figures.time_by_partition, box.partition);
    } else {
      for (const std::uint32_t node : box.nodes) take(figures.time_by_node, node);
    }
    if (has_time) values_[0].insert_or_assign(op, time);
    if (box.partition != 0) values_[1].insert_or_assign(op, box.partition);
    for (const std::int64_t handle : box.debug_handles) {
      const auto found = figures.error_by_handle.find(handle);
      if (found == figures.error_by_handle.end()) continue;
      double& worst = values_[2][op];
      worst = std::max(worst, found->second);
    }
  }

  Capture& capture_;
  std::vector<told::OpKind> kinds_;
  std::unordered_map<std::string, std::size_t> kind_by_name_;
  std::array<std::map<OpId, double>, 3> values_;  // time, partition, numeric gap
};

// A method's context, pass by pass.
class ContextMaker {
 public:
  ContextMaker(Capture& capture, GraphMaker& graphs) : capture_(capture), out_(capture.rewrites), graphs_(graphs) {}

  void add(const Method& method, const Figures& figures) {
    Context& context = out_.contexts.emplace_back();
    context.name = capture_.strings.add(method.name);
    context.first_pass = static_cast<std::uint32_t>(out_.passes.size());
    std::vector<std::pair<OpId, LocationId>> states;
    if (method.aten)
      states.emplace_back(graphs_.add(boxes_of(method, *method.aten, false), figures), LocationId{kNoId});
    if (method.edge) {
      states.emplace_back(graphs_.add(boxes_of(method, *method.edge, true), figures),
                          location("to_edge", "the ATen program becomes the edge program"));
      if (const auto delegated = delegated_boxes(method)) {
        states.emplace_back(graphs_.add(*delegated, figures),
                            location("to_backend", "delegates take their parts of the edge program"));
      }
    }
    if (!states.empty()) add_pass("export", states);
    for (const auto& [name, program] : method.other) {
      add_pass(name, {{graphs_.add(boxes_of(method, program, false), figures), LocationId{kNoId}}});
    }
    out_.contexts.back().pass_count = static_cast<std::uint32_t>(out_.passes.size()) - out_.contexts.back().first_pass;
  }

 private:
  LocationId location(std::string_view name, std::string_view about) {
    const auto [found, is_new] = locations_.try_emplace(std::string(name), to_id<LocationId>(out_.locations.size()));
    if (is_new) out_.locations.push_back({capture_.strings.add(name), 0, capture_.strings.add(about)});
    return found->second;
  }

  void add_pass(std::string_view name, const std::vector<std::pair<OpId, LocationId>>& states) {
    Pass pass;
    pass.name = capture_.strings.add(name);
    pass.location = location("torch.export", "the program as it was exported");
    pass.sink = states.front().first;
    pass.whole_graphs = true;
    pass.first_match = static_cast<std::uint32_t>(out_.matches.size());
    for (std::size_t i = 1; i < states.size(); ++i) {
      out_.matches.push_back({states[i - 1].first, states[i].first, states[i].second, -1});
    }
    pass.match_count = static_cast<std::uint32_t>(out_.matches.size()) - pass.first_match;
    out_.passes.push_back(pass);
  }

  Capture& capture_;
  Rewrites& out_;
  GraphMaker& graphs_;
  std::map<std::string, LocationId> locations_;
};

}  // namespace

void add_graphs(const DumpBlocks& dump, const FindErrors& find_errors, Capture& capture) {
  if (dump.record == nullptr || std::ranges::none_of(dump.record->methods, has_graph)) return;
  GraphMaker graphs(capture);
  ContextMaker contexts(capture, graphs);
  for (const Method& method : dump.record->methods)
    if (has_graph(method)) contexts.add(method, figures_of(dump, find_errors, method));
  graphs.finish(scale_name(dump.settings.target));
  capture.has_rewrites = true;
}

std::optional<ContextId> context_of(const EtRecord& record, const Method* method) {
  std::size_t number = 0;
  for (const Method& each : record.methods) {
    if (!has_graph(each)) continue;
    if (&each == method) return to_id<ContextId>(number);
    ++number;
  }
  return std::nullopt;
}

}  // namespace vizd::etdump
