#include "http/routes/program_json.h"

#include <algorithm>

#include "base/json_writer.h"
#include "http/transport/message.h"
#include "layout/label_size.h"
#include "layout/layout_graph.h"
#include "system/sandbox.h"

namespace vizd {
namespace {

// A block's box: a head line, then its instructions; of many the first and last. The page draws by the same numbers.
constexpr std::uint32_t kMostBoxLines = 24;
constexpr float kBoxLinePx = 17;
constexpr float kBoxPadPx = 10;
constexpr std::size_t kMnemonicColumns = 12;
constexpr std::size_t kMostBoxColumns = 60;
// The width of a head line that also has the block's cycles: "1a2c loop 1  37.3 %, 18 a round".
constexpr std::size_t kHeatColumns = 34;

void write_missing(JsonWriter& json, const std::vector<Tool>& tools) {
  json.column("missing", tools, [](JsonWriter& j, Tool tool) {
    const MissingTool about = describe_missing(tool);
    j.begin_object().key("program").text(about.program).key("package").text(about.package);
    j.key("brings").text(about.brings).end_object();
  });
}

void write_texts(JsonWriter& json, const std::vector<std::string>& texts) {
  json.begin_array();
  for (const std::string& text : texts) json.text(text);
  json.end_array();
}

void write_memory_operands(JsonWriter& json, const std::vector<MemoryOperand>& memory) {
  json.begin_array();
  for (const MemoryOperand& m : memory) {
    json.begin_object().key("base").text(m.base).key("index").text(m.index).key("scale").number(m.scale);
    json.key("displacement").number(m.displacement).key("size_bytes").number(m.size_bytes);
    json.key("access").text(m.is_read && m.is_written ? "rw" : m.is_written ? "w" : m.is_read ? "r" : "");
    json.end_object();
  }
  json.end_array();
}

void write_instructions(JsonWriter& json, const Disassembly& code) {
  const auto& all = code.instructions;
  json.key("instructions").begin_object();
  json.column("address", all, [](JsonWriter& j, const Instruction& i) { j.number(i.address); });
  json.column("bytes", all, [](JsonWriter& j, const Instruction& i) { j.text(i.bytes); });
  json.column("mnemonic", all, [](JsonWriter& j, const Instruction& i) { j.text(i.mnemonic); });
  json.column("operands", all, [](JsonWriter& j, const Instruction& i) { j.text(i.operands); });
  json.column("kind", all, [](JsonWriter& j, const Instruction& i) { j.number(static_cast<unsigned>(i.kind)); });
  json.column("line", all, [](JsonWriter& j, const Instruction& i) { j.number(i.line); });
  json.column("reads", all, [](JsonWriter& j, const Instruction& i) { write_texts(j, i.reads); });
  json.column("writes", all, [](JsonWriter& j, const Instruction& i) { write_texts(j, i.writes); });
  json.column("memory", all, [](JsonWriter& j, const Instruction& i) { write_memory_operands(j, i.memory); });
  json.column("target", all, [&](JsonWriter& j, const Instruction& i) {
    const auto found = std::lower_bound(all.begin(), all.end(), i.target.value_or(0),
                                        [](const Instruction& a, std::uint64_t at) { return a.address < at; });
    const bool is_here = i.target && found != all.end() && found->address == *i.target;
    j.number(is_here ? found - all.begin() : -1);
  });
  json.end_object();
  json.key("kinds").begin_array();
  for (std::size_t kind = 0; kind < kInstructionKinds; ++kind) json.text(name_of(static_cast<InstructionKind>(kind)));
  json.end_array().key("families").begin_object();
  for (const auto& [name, family] : code.families) json.key(name).text(family);
  json.end_object();
}

std::int64_t loop_number(std::uint32_t loop) { return loop == kNoLoop ? -1 : std::int64_t{loop}; }

void write_flow(JsonWriter& json, const ControlFlow& flow) {
  json.key("blocks").begin_object();
  json.column("first", flow.blocks, [](JsonWriter& j, const BasicBlock& b) { j.number(b.first); });
  json.column("count", flow.blocks, [](JsonWriter& j, const BasicBlock& b) { j.number(b.count); });
  json.column("loop", flow.blocks, [](JsonWriter& j, const BasicBlock& b) { j.number(loop_number(b.loop)); });
  json.column("depth", flow.blocks, [](JsonWriter& j, const BasicBlock& b) { j.number(b.depth); });
  json.column("padding", flow.blocks, [](JsonWriter& j, const BasicBlock& b) { j.number(b.is_padding ? 1 : 0); });
  json.end_object().key("edges").begin_object();
  json.column("from", flow.edges, [](JsonWriter& j, const FlowEdge& e) { j.number(e.from); });
  json.column("to", flow.edges, [](JsonWriter& j, const FlowEdge& e) { j.number(e.to); });
  json.column("jump", flow.edges, [](JsonWriter& j, const FlowEdge& e) { j.number(e.is_jump ? 1 : 0); });
  json.column("back", flow.edges, [](JsonWriter& j, const FlowEdge& e) { j.number(e.is_back ? 1 : 0); });
  json.end_object().key("loops").begin_object();
  json.column("head", flow.loops, [](JsonWriter& j, const Loop& l) { j.number(l.head); });
  json.column("parent", flow.loops, [](JsonWriter& j, const Loop& l) { j.number(loop_number(l.parent)); });
  json.column("depth", flow.loops, [](JsonWriter& j, const Loop& l) { j.number(l.depth); });
  json.column("blocks", flow.loops, [](JsonWriter& j, const Loop& l) {
    j.begin_array();
    for (const std::uint32_t block : l.blocks) j.number(block);
    j.end_array();
  });
  json.end_object();
}

LayoutNode box_of(const BasicBlock& block, const std::vector<Instruction>& instructions, std::size_t least_columns) {
  std::size_t columns = least_columns;
  for (std::uint32_t i = block.first; i < block.first + block.count; ++i) {
    const std::size_t mnemonic = std::max(kMnemonicColumns, instructions[i].mnemonic.size() + 1);
    columns = std::max(columns, mnemonic + instructions[i].operands.size());
  }
  const std::uint32_t lines = 1 + std::min(block.count, kMostBoxLines);
  return {kLabelColumnPx * static_cast<float>(std::min(columns, kMostBoxColumns)) + 2 * kBoxPadPx,
          kBoxLinePx * static_cast<float>(lines) + 2 * kBoxPadPx};
}

// The blocks that are drawn: all but padding, and none where there are too many for anybody to look at.
std::vector<std::uint32_t> drawn_blocks(const ControlFlow& flow) {
  constexpr std::size_t kMostDrawn = 2000;
  std::vector<std::uint32_t> drawn;
  for (std::uint32_t b = 0; b < flow.blocks.size() && flow.blocks.size() <= kMostDrawn; ++b) {
    if (!flow.blocks[b].is_padding) drawn.push_back(b);
  }
  return drawn;
}

// The graph view's layout goes from left to right; control flow is read from top to bottom. So width and height change
// places on the way in, and x and y on the way out.
void write_code_layout(JsonWriter& json, const ProgramCode& code) {
  const std::vector<std::uint32_t> drawn = drawn_blocks(code.flow);
  std::vector<LayoutNode> nodes;
  std::vector<std::uint32_t> node_of(code.flow.blocks.size());
  const std::size_t least_columns = code.code.architecture == Architecture::kAmdgpu ? kHeatColumns : kMnemonicColumns;
  for (const std::uint32_t block : drawn) {
    node_of[block] = static_cast<std::uint32_t>(nodes.size());
    const LayoutNode box = box_of(code.flow.blocks[block], code.code.instructions, least_columns);
    nodes.push_back({box.height_px, box.width_px});
  }
  std::vector<LayoutEdge> edges;
  for (const FlowEdge& edge : code.flow.edges) {
    if (!drawn.empty()) edges.push_back({node_of[edge.from], node_of[edge.to], edge.is_jump ? 1U : 0U});
  }
  LayoutOptions options;
  options.max_edge_layers = 1000;
  const Layout layout = layout_graph(nodes, edges, options);
  json.key("layout").begin_object();
  json.column("block", drawn, [](JsonWriter& j, std::uint32_t block) { j.number(block); });
  json.column("x", layout.y_px, [](JsonWriter& j, float x) { j.real(x); });
  json.column("y", layout.x_px, [](JsonWriter& j, float y) { j.real(y); });
  json.column("w", nodes, [](JsonWriter& j, const LayoutNode& n) { j.real(n.height_px); });
  json.column("h", nodes, [](JsonWriter& j, const LayoutNode& n) { j.real(n.width_px); });
  json.column("points", layout.routes, [&](JsonWriter& j, const EdgeRoute& route) {
    j.begin_array();
    for (std::uint32_t p = route.first_point; p < route.first_point + route.point_count; ++p)
      j.real(layout.points_px[2 * p + 1]).real(layout.points_px[2 * p]);
    j.real(route.end_y_px).real(route.end_x_px).end_array();
  });
  json.column("reversed", layout.routes, [](JsonWriter& j, const EdgeRoute& r) { j.number(r.reversed ? 1 : 0); });
  json.key("width").real(layout.height_px).key("height").real(layout.width_px);
  json.key("box_lines").number(kMostBoxLines).end_object();
}

void write_resource_uses(JsonWriter& json, const std::vector<ResourceUse>& uses) {
  json.begin_array();
  for (const ResourceUse& use : uses) json.begin_array().number(use.resource).real(use.cycles).end_array();
  json.end_array();
}

}  // namespace

std::string code_json(const ProgramCode& code) {
  std::string text;
  JsonWriter json(text);
  using Origin = ProgramCode::Origin;
  json.begin_object().key("origin");
  json.text(code.origin == Origin::kCapture ? "capture" : code.origin == Origin::kCompiled ? "compiled" : "none");
  json.key("may_compile").boolean(code.may_compile).key("command");
  json.text_or_null(code.command.empty() ? std::nullopt : std::optional<std::string_view>(code.command));
  const SandboxSupport sandbox = sandbox_support();
  json.key("sandbox").begin_object().key("files").boolean(sandbox.confines_files);
  json.key("network").boolean(sandbox.denies_network).end_object();
  write_missing(json, code.missing);
  json.key("error").raw(code.error ? error_json(*code.error) : "null");
  json.key("architecture").text(name_of(code.code.architecture)).key("tool").text(code.code.tool);
  json.key("truncated").boolean(code.code.truncated);
  json.key("cpus").begin_array();
  for (const std::string_view cpu : analysis_cpus(code.code.architecture)) json.text(cpu);
  json.end_array();
  write_instructions(json, code.code);
  write_flow(json, code.flow);
  write_code_layout(json, code);
  json.end_object();
  return text;
}

std::string analysis_json(const MachineAnalysis& analysis, std::uint32_t first) {
  std::string text;
  JsonWriter json(text);
  json.begin_object().key("cpu").text(analysis.cpu).key("lacked").text(analysis.lacked).key("resources");
  write_texts(json, analysis.resources);
  const auto& costs = analysis.costs;
  json.key("instructions").begin_object();
  json.column("index", costs, [&](JsonWriter& j, const InstructionCost& c) { j.number(first + c.instruction); });
  json.column("latency", costs, [](JsonWriter& j, const InstructionCost& c) { j.number(c.latency); });
  json.column("throughput", costs, [](JsonWriter& j, const InstructionCost& c) { j.real(c.reciprocal_throughput); });
  json.column("micro_ops", costs, [](JsonWriter& j, const InstructionCost& c) { j.number(c.micro_ops); });
  json.column("uses", costs, [](JsonWriter& j, const InstructionCost& c) { write_resource_uses(j, c.resources); });
  json.end_object();
  json.column("unknown", analysis.unknown, [&](JsonWriter& j, std::uint32_t i) { j.number(first + i); });
  json.key("pressure");
  write_resource_uses(json, analysis.pressure);
  json.key("rounds").number(analysis.rounds).key("cycles").number(analysis.cycles);
  json.key("simulated").number(analysis.instructions).key("micro_ops").number(analysis.micro_ops);
  json.key("dispatch_width").number(analysis.dispatch_width);
  json.key("instructions_per_cycle").real(analysis.instructions_per_cycle);
  json.key("block_throughput").real(analysis.block_throughput);
  json.key("bottlenecks").text(analysis.bottlenecks).end_object();
  return text;
}

}  // namespace vizd
