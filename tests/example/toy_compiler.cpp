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

// A kernel as the devices run it.
struct Kernel {
  std::string name;
  capture::ContextId context;
  std::int64_t operations;  // of each item
};

constexpr std::int64_t kItems = 1024;
constexpr std::size_t kDevices = 2;

std::int64_t count_operations(const Node& node) {
  std::int64_t count = node.sources.size() == 2 ? 1 : 0;
  for (const Node* source : node.sources) count += count_operations(*source);
  return count;
}

// Runs kernels on two devices of one host, by a made-up clock: what is shown should not depend on the machine.
class Machine {
 public:
  explicit Machine(CaptureWriter& writer) : writer_(writer) {
    writer.clock("toy clock", 1'700'000'000'000'000'000);
    writer.fact("", "compiler", "toy compiler 1");
    for (std::size_t device = 0; device < kDevices; ++device) {
      const std::string name = "device " + std::to_string(device);
      writer.fact(name, "peak", 2e9, "FLOP/s");
      writer.fact(name, "memory", std::int64_t{1} << 30, "B");
      devices_[device] = writer.track({name, "device", capture::kNoTrack, static_cast<std::int32_t>(device) + 1});
      streams_[device] = writer.track({"stream 0", "stream", devices_[device]});
    }
    power_ = writer.counter(devices_[0], "power", "W");
  }

  void run(const std::vector<Kernel>& kernels) {
    for (int round = 0; round < 20; ++round) {
      const std::int64_t from_ns = host_ns_;
      for (std::size_t k = 0; k < kernels.size(); ++k) {
        launch(kernels[k], k, static_cast<std::uint64_t>(round) * kernels.size() + k);
      }
      writer_.run("round", "round " + std::to_string(round), round, from_ns, host_ns_);
      if (round % 5 == 4) checkpoint(round == 9);
    }
  }

 private:
  void launch(const Kernel& kernel, std::size_t k, std::uint64_t buffer) {
    const std::size_t device = k % kDevices;
    const std::int64_t size_bytes = kItems * 8 * static_cast<std::int64_t>(k + 1);
    writer_.allocation(devices_[device], buffer, host_ns_, static_cast<std::uint64_t>(size_bytes), "int64");
    writer_.event(thread_, "launch " + kernel.name, host_ns_, 2'000);
    writer_.stack_sample(thread_, host_ns_ + 1'000, launch_stack_);
    const std::int64_t start_ns = std::max(host_ns_ + 3'000, free_ns_[device]);
    const auto dur_ns = static_cast<std::int64_t>(5'000 + 1'500 * k);
    writer_.event(streams_[device], kernel.name, start_ns, dur_ns,
                  {{flop_, kernel.operations * kItems}, {bytes_, size_bytes}, {grid_, "(1024, 1, 1)"}},
                  {capture::EventKind::kSpan, "kernel", kernel.context});
    writer_.flow(thread_, host_ns_, streams_[device], start_ns);
    if (device == 0) writer_.sample(power_, start_ns, 40.0 + 5.0 * static_cast<double>(k));
    free_ns_[device] = start_ns + dur_ns;
    if (k != 0) writer_.free(devices_[device], buffer, free_ns_[device]);
    host_ns_ += 4'000;
  }

  void checkpoint(bool failed) {
    writer_.event(thread_, "write checkpoint", host_ns_, 3'000, {{bytes_, 65536}},
                  {capture::EventKind::kSpan, "file", capture::kNoContext, failed});
    if (failed) writer_.instant(thread_, "disk full", host_ns_ + 3'000);
    writer_.stack_sample(thread_, host_ns_ + 1'000, write_stack_, 3);
    writer_.marker("checkpoint", host_ns_, "#808080");
    host_ns_ += 4'000;
  }

  CaptureWriter& writer_;
  const capture::ArgumentId flop_ = writer_.argument("FLOP", "FLOP", capture::ArgumentType::kInteger);
  const capture::ArgumentId bytes_ = writer_.argument("memory", "B", capture::ArgumentType::kInteger);
  const capture::ArgumentId grid_ = writer_.argument("grid", "", capture::ArgumentType::kText);
  const capture::TrackId host_ = writer_.track({"host", "host"});
  const capture::TrackId thread_ = writer_.track({"main", "thread", host_});
  const capture::StackId main_stack_ = writer_.stack("main", "train.toy", 2);
  const capture::StackId launch_stack_ = writer_.stack("launch", "runtime.toy", 40, main_stack_);
  const capture::StackId write_stack_ = writer_.stack("write_checkpoint", "runtime.toy", 71, main_stack_);
  capture::TrackId devices_[kDevices], streams_[kDevices];
  capture::CounterId power_{};
  std::int64_t host_ns_ = 1'000'000, free_ns_[kDevices] = {};
};

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) {
    std::fprintf(stderr, "usage: toy_compiler OUT.bin | toy_compiler OUT.rewrites.bin OUT.profile.bin\n");
    return 2;
  }
  CaptureWriter writer(argv[1]);
  Graph graph(writer);
  Compiler compiler(writer, graph);
  std::vector<Kernel> kernels;
  const auto kept = writer.measure("operations under it");
  for (int i = 0; i < 6; ++i) {
    const std::string name = "kernel_" + std::to_string(i);
    const auto context = writer.context(name, writer.stack("compile", "train.toy", static_cast<std::uint32_t>(10 + i)));
    writer.link(name, context);
    const Node* folded = compiler.rewrite(context, "constant folding", make_expression(graph, i), kFolding);
    const Node* reduced = compiler.rewrite(context, "strength reduction", folded, kStrength);
    writer.program(context, name, "void " + name + "(int64_t *out, ...) { " + expression(*reduced) + "; }", "TOY");
    for (const Node* node : reduced->sources)
      writer.op_value(kept, node->op, static_cast<double>(count_operations(*node)));
    kernels.push_back({name, argc == 3 ? capture::kNoContext : context, count_operations(*reduced)});
  }
  std::unique_ptr<CaptureWriter> profile;
  if (argc == 3) profile = std::make_unique<CaptureWriter>(argv[2]);
  writer.program(capture::kNoContext, "copy", "void copy(int64_t *out, ...) { out[i] = in0[i]; }", "TOY");
  Machine(profile ? *profile : writer).run(kernels);
  writer.close();
  if (profile) profile->close();
  const std::string problem = writer.error() + (profile ? profile->error() : "");
  if (!problem.empty()) std::fprintf(stderr, "toy_compiler: %s\n", problem.c_str());
  return problem.empty() ? 0 : 1;
}
