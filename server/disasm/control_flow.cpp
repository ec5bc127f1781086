#include "disasm/control_flow.h"

#include <algorithm>
#include <map>

namespace vizd {
namespace {

// The instruction that begins at an address, or kNoBlock.
std::uint32_t at_address(std::span<const Instruction> instructions, std::uint64_t address) {
  const auto found = std::lower_bound(instructions.begin(), instructions.end(), address,
                                      [](const Instruction& i, std::uint64_t a) { return i.address < a; });
  return found != instructions.end() && found->address == address
             ? static_cast<std::uint32_t>(found - instructions.begin())
             : kNoBlock;
}

std::vector<BasicBlock> cut_into_blocks(std::span<const Instruction> instructions) {
  std::vector<bool> begins(instructions.size(), false);
  if (!begins.empty()) begins[0] = true;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    if (!instructions[i].is_jump) continue;
    if (i + 1 < begins.size()) begins[i + 1] = true;
    if (!instructions[i].target) continue;
    const std::uint32_t target = at_address(instructions, *instructions[i].target);
    if (target != kNoBlock) begins[target] = true;
  }
  std::vector<BasicBlock> blocks;
  for (std::size_t i = 0; i < instructions.size(); ++i) {
    if (begins[i]) blocks.push_back({.first = static_cast<std::uint32_t>(i)});
    blocks.back().count++;
  }
  return blocks;
}

std::vector<FlowEdge> find_edges(std::span<const Instruction> instructions, const std::vector<BasicBlock>& blocks) {
  std::vector<FlowEdge> edges;
  for (std::uint32_t b = 0; b < blocks.size(); ++b) {
    const Instruction& last = instructions[blocks[b].first + blocks[b].count - 1];
    if (last.falls_through && b + 1 < blocks.size()) edges.push_back({b, b + 1, false, false});
    if (!last.is_jump || !last.target) continue;
    const std::uint32_t target = at_address(instructions, *last.target);
    if (target == kNoBlock) continue;
    const auto found = std::upper_bound(blocks.begin(), blocks.end(), target,
                                        [](std::uint32_t i, const BasicBlock& block) { return i < block.first; });
    edges.push_back({b, static_cast<std::uint32_t>(found - blocks.begin() - 1), true, false});
  }
  return edges;
}

// Compilers fill up the room before a loop's head with instructions that do nothing, after a jump, where nothing leads
// to: such padding falls through into the loop, but nobody ever comes that way. Takes its edges out.
void drop_padding(std::span<const Instruction> instructions, std::vector<BasicBlock>& blocks,
                  std::vector<FlowEdge>& edges) {
  std::vector<bool> is_entered(blocks.size(), false);
  for (const FlowEdge& edge : edges) is_entered[edge.to] = true;
  for (std::size_t b = 1; b < blocks.size(); ++b) {
    const auto code = instructions.subspan(blocks[b].first, blocks[b].count);
    blocks[b].is_padding = !is_entered[b] && std::all_of(code.begin(), code.end(), [](const Instruction& i) {
      return i.kind == InstructionKind::kNothing;
    });
  }
  std::erase_if(edges, [&](const FlowEdge& edge) { return blocks[edge.from].is_padding; });
}

// The blocks as a graph with one entry, the number after the last block, that leads to where code may begin.
struct FlowGraph {
  std::vector<std::vector<std::uint32_t>> next;      // by block
  std::vector<std::vector<std::uint32_t>> previous;  // by block
  std::vector<std::uint32_t> order;                  // depth first: a block after all it leads to but for back edges
  std::vector<std::uint32_t> place;                  // in order, by block
};

// Appends what can be reached from a block that was not seen yet.
void visit(FlowGraph& graph, std::uint32_t from, std::vector<bool>& seen) {
  std::vector<std::pair<std::uint32_t, std::size_t>> path{{from, 0}};  // blocks, and how many ways on were taken
  seen[from] = true;
  while (!path.empty()) {
    auto& [block, taken] = path.back();
    if (taken == graph.next[block].size()) {
      graph.order.push_back(block);
      path.pop_back();
      continue;
    }
    const std::uint32_t to = graph.next[block][taken++];
    if (seen[to]) continue;
    seen[to] = true;
    path.emplace_back(to, 0);
  }
}

FlowGraph make_graph(std::size_t block_count, std::span<const FlowEdge> edges) {
  FlowGraph graph;
  const auto entry = static_cast<std::uint32_t>(block_count);
  graph.next.resize(block_count + 1);
  graph.previous.resize(block_count + 1);
  for (const FlowEdge& edge : edges) {
    graph.next[edge.from].push_back(edge.to);
    graph.previous[edge.to].push_back(edge.from);
  }
  // Where nothing leads to (the first of each function), then what only an indirect jump may reach.
  std::vector<bool> seen(block_count + 1, false);
  for (const bool any : {false, true}) {
    for (std::uint32_t b = 0; b < entry; ++b) {
      if (seen[b] || (!any && !graph.previous[b].empty() && b != 0)) continue;
      visit(graph, b, seen);
      graph.next[entry].push_back(b);
    }
  }
  for (const std::uint32_t b : graph.next[entry]) graph.previous[b].push_back(entry);
  graph.order.push_back(entry);
  graph.place.resize(block_count + 1);
  for (std::uint32_t i = 0; i < graph.order.size(); ++i) graph.place[graph.order[i]] = i;
  return graph;
}

// By block the closest that every way to it passes (Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm").
std::vector<std::uint32_t> find_dominators(const FlowGraph& graph) {
  std::vector<std::uint32_t> dominator(graph.next.size(), kNoBlock);
  const std::uint32_t entry = graph.order.back();
  dominator[entry] = entry;
  const auto meet = [&](std::uint32_t a, std::uint32_t b) {
    while (a != b) {
      std::uint32_t& lower = graph.place[a] < graph.place[b] ? a : b;
      lower = dominator[lower];
    }
    return a;
  };
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = graph.order.size() - 1; i-- > 0;) {
      const std::uint32_t block = graph.order[i];
      std::uint32_t best = kNoBlock;
      for (const std::uint32_t from : graph.previous[block]) {
        if (dominator[from] != kNoBlock) best = best == kNoBlock ? from : meet(best, from);
      }
      changed = changed || dominator[block] != best;
      dominator[block] = best;
    }
  }
  return dominator;
}

bool dominates(const FlowGraph& graph, const std::vector<std::uint32_t>& dominator, std::uint32_t a, std::uint32_t b) {
  while (graph.place[b] < graph.place[a]) b = dominator[b];
  return a == b;
}

// Loops by their heads: each with every block that leads to a back edge of that head.
std::vector<Loop> find_loops(const FlowGraph& graph, std::vector<FlowEdge>& edges) {
  const auto dominator = find_dominators(graph);
  std::map<std::uint32_t, std::vector<std::uint32_t>> tails;  // by head
  for (FlowEdge& edge : edges) {
    edge.is_back = dominates(graph, dominator, edge.to, edge.from);
    if (edge.is_back) tails[edge.to].push_back(edge.from);
  }
  std::vector<Loop> loops;
  for (const auto& [head, from] : tails) {
    std::vector<bool> in_loop(graph.next.size(), false);
    in_loop[head] = true;
    Loop loop{.head = head, .blocks = {head}};
    std::vector<std::uint32_t> waiting = from;
    while (!waiting.empty()) {
      const std::uint32_t block = waiting.back();
      waiting.pop_back();
      if (in_loop[block]) continue;
      in_loop[block] = true;
      loop.blocks.push_back(block);
      waiting.insert(waiting.end(), graph.previous[block].begin(), graph.previous[block].end());
    }
    std::sort(loop.blocks.begin(), loop.blocks.end());
    loops.push_back(std::move(loop));
  }
  // If two loops share a block, one holds the other, and that one is the larger.
  std::stable_sort(loops.begin(), loops.end(),
                   [](const Loop& a, const Loop& b) { return a.blocks.size() > b.blocks.size(); });
  return loops;
}

}  // namespace

ControlFlow find_control_flow(std::span<const Instruction> instructions) {
  // Loops cost their heads times the blocks: of more blocks than these, only blocks and edges are found.
  constexpr std::size_t kMostBlocksWithLoops = 2000;
  ControlFlow flow;
  flow.blocks = cut_into_blocks(instructions);
  flow.edges = find_edges(instructions, flow.blocks);
  drop_padding(instructions, flow.blocks, flow.edges);
  if (flow.blocks.empty() || flow.blocks.size() > kMostBlocksWithLoops) return flow;
  flow.loops = find_loops(make_graph(flow.blocks.size(), flow.edges), flow.edges);
  for (std::uint32_t l = 0; l < flow.loops.size(); ++l) {
    Loop& loop = flow.loops[l];
    loop.parent = flow.blocks[loop.head].loop;
    loop.depth = flow.blocks[loop.head].depth + 1;
    for (const std::uint32_t block : loop.blocks) {
      flow.blocks[block].loop = l;
      flow.blocks[block].depth = loop.depth;
    }
  }
  return flow;
}

}  // namespace vizd
