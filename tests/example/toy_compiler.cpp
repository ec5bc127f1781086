// A toy pattern-rewriting compiler that records itself with vizd's capture writer, as a real one would: constant
// folding and strength reduction over expression graphs, then kernels that "run" on two devices.
//
//   toy_compiler OUT.bin                          one file
//   toy_compiler OUT.rewrites.bin OUT.profile.bin   what the compiler did, and what the devices did
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "vizd/capture_writer.h"

namespace {

using vizd::capture::CaptureWriter;
namespace capture = vizd::capture;

enum class Kind { kConst, kLoad, kAdd, kSub, kMul, kDiv, kShl, kShr, kStore };
constexpr const char* kNames[] = {"CONST", "LOAD", "ADD", "SUB", "MUL", "DIV", "SHL", "SHR", "STORE"};
constexpr const char* kColours[] = {"#e0e0e0", "#ffe0a0", "#c0f0c0", "#c0f0c0", "#b0d0ff",
                                    "#ffb0b0", "#d8c0ff", "#d8c0ff", "#f0c0a0"};

// An immutable node; equal nodes are one.
struct Node {
  Kind kind;
  std::vector<const Node*> sources;
  std::int64_t value;  // of a constant; which input a load reads
  capture::OpId op;    // the same node in the capture

  bool is(std::int64_t constant) const { return kind == Kind::kConst && value == constant; }
};

class Graph {
 public:
  explicit Graph(CaptureWriter& writer) : writer_(writer) {}

  const Node* make(Kind kind, const std::vector<const Node*>& sources, std::int64_t value = 0) {
    auto& node = nodes_[{kind, sources, value}];
    if (node == nullptr) node = std::make_unique<Node>(Node{kind, sources, value, record(kind, sources, value)});
    return node.get();
  }
  const Node* constant(std::int64_t value) { return make(Kind::kConst, {}, value); }

 private:
  capture::OpId record(Kind kind, const std::vector<const Node*>& sources, std::int64_t value) {
    const bool is_leaf = kind == Kind::kConst || kind == Kind::kLoad;
    const auto number = static_cast<std::size_t>(kind);
    std::vector<capture::OpId> ops;
    for (const Node* source : sources) ops.push_back(source->op);
    const std::string argument = is_leaf ? std::to_string(value) : "";
    capture::OpInfo info;
    info.kind = writer_.kind(kNames[number], kColours[number], kind == Kind::kConst);
    info.dtype = kind == Kind::kStore ? "" : "int64";
    info.argument = argument;
    info.shape = kind == Kind::kConst ? "" : "(1024,)";
    return writer_.op(info, ops);
  }

  CaptureWriter& writer_;
  std::map<std::tuple<Kind, std::vector<const Node*>, std::int64_t>, std::unique_ptr<Node>> nodes_;
};

// What a rule puts in a node's place, or null where it does not match.
struct Rule {
  const char* text;
  int line;
  std::function<const Node*(Graph&, const Node&)> apply;
};

std::optional<int> exponent(const Node& node) {
  if (node.kind != Kind::kConst || node.value < 2 || (node.value & (node.value - 1)) != 0) return std::nullopt;
  return __builtin_ctzll(static_cast<std::uint64_t>(node.value));
}

std::int64_t evaluate(Kind kind, std::int64_t a, std::int64_t b) {
  switch (kind) {
    case Kind::kAdd:
      return a + b;
    case Kind::kSub:
      return a - b;
    case Kind::kMul:
      return a * b;
    case Kind::kDiv:
      return b == 0 ? 0 : a / b;
    case Kind::kShl:
      return a << b;
    default:
      return a >> b;
  }
}

const Node* fold_constants(Graph& graph, const Node& node) {
  if (node.sources.size() != 2 || node.kind == Kind::kStore) return nullptr;
  const Node &a = *node.sources[0], &b = *node.sources[1];
  if (a.kind != Kind::kConst || b.kind != Kind::kConst) return nullptr;
  return graph.constant(evaluate(node.kind, a.value, b.value));
}

const Node* drop_identities(Graph& graph, const Node& node) {
  if (node.sources.size() != 2) return nullptr;
  const Node *a = node.sources[0], *b = node.sources[1];
  if ((node.kind == Kind::kAdd || node.kind == Kind::kSub) && b->is(0)) return a;
  if ((node.kind == Kind::kMul || node.kind == Kind::kDiv) && b->is(1)) return a;
  if (node.kind == Kind::kMul && b->is(0)) return b;
  return node.kind == Kind::kSub && a == b ? graph.constant(0) : nullptr;
}

const Node* constants_to_the_right(Graph& graph, const Node& node) {
  if (node.kind != Kind::kAdd && node.kind != Kind::kMul) return nullptr;
  const Node *a = node.sources[0], *b = node.sources[1];
  return a->kind == Kind::kConst && b->kind != Kind::kConst ? graph.make(node.kind, {b, a}) : nullptr;
}

const Node* multiply_by_shift(Graph& graph, const Node& node) {
  const auto bits = node.kind == Kind::kMul ? exponent(*node.sources[1]) : std::nullopt;
  return bits ? graph.make(Kind::kShl, {node.sources[0], graph.constant(*bits)}) : nullptr;
}

const Node* divide_by_shift(Graph& graph, const Node& node) {
  const auto bits = node.kind == Kind::kDiv ? exponent(*node.sources[1]) : std::nullopt;
  return bits ? graph.make(Kind::kShr, {node.sources[0], graph.constant(*bits)}) : nullptr;
}

const std::vector<Rule> kFolding = {{"(a op b), both constant -> the constant", __LINE__, fold_constants},
                                    {"x+0, x*1, x*0, x-x -> simpler", __LINE__, drop_identities},
                                    {"c op x -> x op c", __LINE__, constants_to_the_right}};
const std::vector<Rule> kStrength = {{"x * 2^k -> x << k", __LINE__, multiply_by_shift},
                                     {"x / 2^k -> x >> k", __LINE__, divide_by_shift}};

class Compiler {
 public:
  Compiler(CaptureWriter& writer, Graph& graph) : writer_(writer), graph_(graph) {}

  // Rewrites sources before users until nothing matches, and records each match.
  const Node* rewrite(capture::ContextId context, const char* pass, const Node* root, const std::vector<Rule>& rules) {
    pass_ = writer_.pass(context, pass, root->op, writer_.location(__FILE__, __LINE__, pass));
    rewritten_.clear();
    return visit(root, rules);
  }

 private:
  const Node* visit(const Node* node, const std::vector<Rule>& rules) {
    if (const auto known = rewritten_.find(node); known != rewritten_.end()) return known->second;
    std::vector<const Node*> sources;
    for (const Node* source : node->sources) sources.push_back(visit(source, rules));
    const Node* now = graph_.make(node->kind, sources, node->value);
    for (const Rule& rule : rules) {
      const Node* better = rule.apply(graph_, *now);
      if (better == nullptr) continue;
      writer_.match(pass_, now->op, better->op,
                    writer_.location(__FILE__, static_cast<std::uint32_t>(rule.line), rule.text));
      return rewritten_[node] = visit(better, rules);
    }
    return rewritten_[node] = now;
  }

  CaptureWriter& writer_;
  Graph& graph_;
  capture::PassId pass_{};
  std::map<const Node*, const Node*> rewritten_;
};

// As C would say it.
std::string expression(const Node& node) {
  if (node.kind == Kind::kConst) return std::to_string(node.value);
  if (node.kind == Kind::kLoad) return "in" + std::to_string(node.value) + "[i]";
  constexpr const char* kSigns[] = {"", "", "+", "-", "*", "/", "<<", ">>", "="};
  const std::string left = expression(*node.sources[0]);
  if (node.kind == Kind::kStore) return "out[i] = " + left;
  return "(" + left + " " + kSigns[static_cast<std::size_t>(node.kind)] + " " + expression(*node.sources[1]) + ")";
}

const Node* make_expression(Graph& graph, int number) {
  const Node* x = graph.make(Kind::kLoad, {}, 0);
  const Node* y = graph.make(Kind::kLoad, {}, 1);
  const Node* sum = x;
  for (int i = 0; i <= number + 2; ++i) {
    const Node* scale = graph.make(Kind::kMul, {graph.constant(i % 3), graph.constant(i % 4 + 1)});
    const Node* term = graph.make(Kind::kMul, {scale, i % 2 == 0 ? y : sum});
    sum = graph.make(Kind::kAdd, {graph.make(Kind::kDiv, {term, graph.constant(std::int64_t{1} << (i % 4))}), sum});
  }
  return graph.make(Kind::kStore, {graph.make(Kind::kSub, {sum, graph.make(Kind::kSub, {y, y})})});
}

// A made-up clock: what is shown should not depend on the machine.
void run_kernels(CaptureWriter& writer, const std::vector<std::string>& kernels) {
  const auto host = writer.lane("host");
  const capture::LaneId devices[] = {writer.lane("device 0"), writer.lane("device 1")};
  const auto power = writer.counter(devices[0], "power", "W");
  std::int64_t host_ns = 1'000'000, free_ns[] = {0, 0};
  for (int round = 0; round < 20; ++round) {
    writer.marker("round " + std::to_string(round), host_ns, "#808080");
    for (std::size_t k = 0; k < kernels.size(); ++k) {
      const std::size_t device = k % 2;
      const auto buffer = static_cast<std::uint64_t>(round) * kernels.size() + k;
      writer.allocation(devices[device], buffer, host_ns, 8192 * (k + 1), "int64");
      writer.event(host, "launch " + kernels[k], host_ns, 2'000);
      const std::int64_t start_ns = std::max(host_ns + 3'000, free_ns[device]);
      const auto dur_ns = static_cast<std::int64_t>(5'000 + 1'500 * k);
      writer.event(devices[device], kernels[k], start_ns, dur_ns, "1024 items");
      writer.flow(host, host_ns, devices[device], start_ns);
      writer.sample(power, start_ns, 40.0 + 5.0 * static_cast<double>(k));
      free_ns[device] = start_ns + dur_ns;
      if (k != 0) writer.free(devices[device], buffer, free_ns[device]);
      host_ns += 4'000;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: toy_compiler OUT.bin | toy_compiler OUT.rewrites.bin OUT.profile.bin\n");
    return 2;
  }
  CaptureWriter writer(argv[1]);
  Graph graph(writer);
  Compiler compiler(writer, graph);
  std::vector<std::string> kernels;
  for (int i = 0; i < 6; ++i) {
    const std::string name = "kernel_" + std::to_string(i);
    const auto context = writer.context(name);
    writer.link(name, context);
    const Node* folded = compiler.rewrite(context, "constant folding", make_expression(graph, i), kFolding);
    const Node* reduced = compiler.rewrite(context, "strength reduction", folded, kStrength);
    writer.program(context, name, "void " + name + "(int64_t *out, ...) { " + expression(*reduced) + "; }", "TOY");
    kernels.push_back(name);
  }
  std::unique_ptr<CaptureWriter> profile;
  if (argc == 3) profile = std::make_unique<CaptureWriter>(argv[2]);
  run_kernels(profile ? *profile : writer, kernels);
  writer.close();
  if (profile) profile->close();
  const std::string problem = writer.error() + (profile ? profile->error() : "");
  if (!problem.empty()) std::fprintf(stderr, "toy_compiler: %s\n", problem.c_str());
  return problem.empty() ? 0 : 1;
}
