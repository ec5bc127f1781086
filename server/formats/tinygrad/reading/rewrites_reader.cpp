#include "formats/tinygrad/reading/rewrites_reader.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>
#include <vector>

#include "formats/pickle/visit_budget.h"
#include "formats/tinygrad/reading/op_reader.h"
#include "formats/tinygrad/reading/value_reader.h"

namespace vizd::tinygrad {
namespace {

using pickle::Kind;
using pickle::Node;

// One process's record: what stands for what in the old tuple and in the newer RewriteTrace.
struct Trace {
  Node keys;        // list of TracingKey
  Node contexts;    // list of lists of TrackedGraphRewrite
  Node uop_fields;  // dict
};

bool is_trace(const Trace& trace) {
  return trace.keys.is(Kind::kList) && trace.contexts.is(Kind::kList) && trace.uop_fields.is(Kind::kDict);
}

std::vector<Node> list_items(const pickle::Tree& tree, Node list) {
  std::vector<Node> items;
  if (list.is(Kind::kList)) tree.for_each(tree.container(list), [&](Node item) { items.push_back(item); });
  return items;
}

// The traces of a capture of either version; empty where the tree is something else.
std::vector<Trace> find_traces(const pickle::Tree& tree) {
  std::vector<Trace> traces;
  if (tree.is_object_of(tree.root, "tinygrad.uop.ops", "RewriteTrace")) {
    const auto part = [&](std::string_view name) {
      return tree.attribute(tree.object(tree.root), name).value_or(Node());
    };
    traces.push_back({part("keys"), part("rewrites"), part("uop_fields")});
  }
  // One process's record stands by itself in 0.11.0, and in a list since.
  const auto items = tree.root.is(Kind::kTuple) ? std::vector<Node>{tree.root} : list_items(tree, tree.root);
  for (const Node item : items) {
    if (!item.is(Kind::kTuple) || item.count() != 3) return {};
    const auto parts = tree.tuple(item);
    traces.push_back({parts[0], parts[1], parts[2]});
    if (!is_trace(traces.back())) return {};
  }
  return traces.size() == 1 && !is_trace(traces[0]) ? std::vector<Trace>() : traces;
}

// Finds the ids of source locations: pairs of file and line, which the pickle shares among the matches of a rule.
class LocationReader {
 public:
  LocationReader(const pickle::Tree& tree, ValueReader& values, Rewrites& rewrites)
      : tree_(tree), values_(values), rewrites_(rewrites) {}

  std::optional<LocationId> read(Node node) {
    if (!node.is(Kind::kTuple) || node.count() != 2) return std::nullopt;
    const auto known = by_tuple_.find(mix_hash(0, node.at), [&](std::uint32_t i) { return tuples_[i].at == node.at; });
    if (known != HashIndex::kNone) return tuples_[known].id;
    const auto parts = tree_.tuple(node);
    const auto line = tree_.integer(parts[1]);
    if (!parts[0].is(Kind::kString) || !line || *line < 0 || *line > std::numeric_limits<std::int32_t>::max()) {
      return std::nullopt;
    }
    const LocationId id = intern({values_.read_text(parts[0]), static_cast<std::uint32_t>(*line)});
    by_tuple_.add(mix_hash(0, node.at), static_cast<std::uint32_t>(tuples_.size()));
    tuples_.push_back({node.at, id});
    return id;
  }

 private:
  struct Known {
    std::uint32_t at;  // the tuple's place in the tree
    LocationId id;
  };

  LocationId intern(Location location) {
    const auto hash = mix_hash(static_cast<std::uint32_t>(location.file), location.line);
    const auto found = by_place_.find(hash, [&](std::uint32_t i) {
      return rewrites_.locations[i].file == location.file && rewrites_.locations[i].line == location.line;
    });
    if (found != HashIndex::kNone) return to_id<LocationId>(found);
    by_place_.add(hash, static_cast<std::uint32_t>(rewrites_.locations.size()));
    rewrites_.locations.push_back(location);
    return to_id<LocationId>(rewrites_.locations.size() - 1);
  }

  const pickle::Tree& tree_;
  ValueReader& values_;
  Rewrites& rewrites_;
  std::vector<Known> tuples_;
  HashIndex by_tuple_;
  HashIndex by_place_;
};

class RewritesReader {
 public:
  RewritesReader(const pickle::Tree& tree, const Version& version, const std::string& file, Capture& capture)
      : tree_(tree),
        file_(file),
        capture_(capture),
        out_(capture.rewrites),
        values_(tree, version, capture),
        locations_(tree, values_, capture.rewrites),
        visits_(tree.bytes.size()) {}

  Result<void> read() {
    // As serve.py's get_metadata: a context for each key that has a list of passes; later keys win.
    for (const Trace& trace : find_traces(tree_)) {
      const auto keys = list_items(tree_, trace.keys);
      const auto contexts = list_items(tree_, trace.contexts);
      const std::size_t first = out_.contexts.size();
      const std::size_t count = std::min(keys.size(), contexts.size());
      if (keys.size() != contexts.size()) skip("key without passes, or passes without a key");
      for (std::size_t i = 0; i < count; ++i) add_context(keys[i]);
      OpReader ops(tree_, values_, capture_);
      VIZD_TRY(ops.read_all(trace.uop_fields, file_));
      out_.matches.reserve(out_.matches.size() + count_matches(contexts));
      for (std::size_t i = 0; i < count; ++i) add_passes(out_.contexts[first + i], contexts[i], ops);
    }
    return {};
  }

 private:
  void skip(std::string_view reason) { ++capture_.skipped[std::string(reason)]; }

  Node attribute(Node object, std::string_view name) const {
    return tree_.attribute(tree_.object(object), name).value_or(Node());
  }

  // A TracingKey: what its context is called, what leads to it, and the program it made.
  void add_context(Node key) {
    const ContextId id = to_id<ContextId>(out_.contexts.size());
    Context& context = out_.contexts.emplace_back();
    if (!key.is(Kind::kObject)) return skip("context whose key is not a TracingKey");
    context.name = values_.read_text(attribute(key, "display_name"));
    if (const Node links = attribute(key, "keys"); links.is(Kind::kTuple)) {
      for (const Node link : tree_.tuple(links)) add_link(link, id);
    }
    context.stack = read_stack(attribute(key, "tb"));
    const Node made = attribute(key, "ret");
    if (!tree_.is_object_of(made, "tinygrad.renderer", "ProgramSpec")) return;
    const auto origin = values_.read(made);
    if (!origin) return skip(fmt::format("program that could not be read: {}", values_.problem()));
    context.program = to_id<ProgramId>(out_.programs.size());
    out_.programs.push_back({.name = values_.read_text(attribute(made, "name")),
                             .source = values_.read_text(attribute(made, "src")),
                             .device = values_.read_text(attribute(made, "device")),
                             .origin = *origin});
  }

  // A traceback, innermost frame first: (file, line, function, source line)…
  StackId read_stack(Node frames) {
    StackId stack{kNoId};
    if (!frames.is(Kind::kTuple)) return stack;
    const auto list = tree_.tuple(frames);
    for (auto it = list.rbegin(); it != list.rend(); ++it) {
      if (!it->is(Kind::kTuple) || it->count() < 3) continue;
      const auto parts = tree_.tuple(*it);
      const auto line = tree_.integer(parts[1]).value_or(0);
      Stack made{.frame = {.function = values_.read_text(parts[2]), .file = values_.read_text(parts[0])},
                 .caller = stack};
      made.frame.line = static_cast<std::uint32_t>(std::clamp<std::int64_t>(line, 0, 0x7FFFFFFF));
      if (parts.size() > 3) made.frame.code = values_.read_text(parts[3]);
      stack = add_stack(made);
    }
    return stack;
  }

  // Stacks with the same callers share what they have in common.
  StackId add_stack(const Stack& stack) {
    const auto key = std::tuple(stack.caller, stack.frame.file, stack.frame.line, stack.frame.function);
    const auto [entry, is_new] = stacks_.try_emplace(key, to_id<StackId>(capture_.stacks.size()));
    if (is_new) capture_.stacks.push_back(stack);
    return entry->second;
  }

  void add_link(Node link, ContextId context) {
    if (link.is(Kind::kString)) {
      out_.context_by_name.insert_or_assign(values_.read_text(link), context);
    } else if (link.is(Kind::kBytes)) {
      out_.context_by_name.insert_or_assign(capture_.strings.add(tree_.text(link)), context);
    } else if (values_.is_uop(link)) {
      const auto op = values_.read(link);
      if (!op) return skip(fmt::format("key that could not be read: {}", values_.problem()));
      out_.context_by_op.insert_or_assign(capture_.values.as_op(*op), context);
    } else {
      skip("key that is neither a name nor an op");
    }
  }

  // How many to make room for at once. Lists may be shared: more than the file has items are not promised room.
  std::size_t count_matches(const std::vector<Node>& contexts) const {
    std::size_t count = 0;
    pickle::VisitBudget visits(tree_.bytes.size());
    for (const Node passes : contexts) {
      if (!passes.is(Kind::kList) || !visits.take(tree_.container(passes).size)) continue;
      for (const Node pass : list_items(tree_, passes)) {
        const Node matches = pass.is(Kind::kObject) ? attribute(pass, "matches") : Node();
        if (matches.is(Kind::kList)) count += tree_.container(matches).size;
      }
    }
    return std::min(count, tree_.items.size());
  }

  void add_passes(Context& context, Node passes, const OpReader& ops) {
    context.first_pass = static_cast<std::uint32_t>(out_.passes.size());
    if (!passes.is(Kind::kList)) return skip("context without a list of passes");
    if (!visits_.take(tree_.container(passes).size))
      return skip("context whose passes the file repeats beyond its own size");
    tree_.for_each(tree_.container(passes), [&](Node pass) { add_pass(pass, ops); });
    context.pass_count = static_cast<std::uint32_t>(out_.passes.size()) - context.first_pass;
  }

  // A TrackedGraphRewrite.
  void add_pass(Node node, const OpReader& ops) {
    if (!node.is(Kind::kObject)) return skip("pass that is not a TrackedGraphRewrite");
    const Node matches = attribute(node, "matches");
    if (matches.is(Kind::kList) && !visits_.take(tree_.container(matches).size))
      return skip("pass whose matches the file repeats beyond its own size");
    const auto sink = ops.find(attribute(node, "sink"));
    const auto location = locations_.read(attribute(node, "loc"));
    if (!sink) return skip("pass whose graph is missing");
    if (!location) return skip("pass without a location");
    const Node name = attribute(node, "name");
    const auto depth = tree_.integer(attribute(node, "depth")).value_or(0);
    Pass pass{.name = values_.read_text(name), .location = *location, .sink = *sink};
    pass.unnamed = !name.is(Kind::kString);
    pass.depth = static_cast<std::uint16_t>(std::clamp<std::int64_t>(depth, 0, 0xFFFF));
    const auto flag = [&](std::string_view field) { return tree_.integer(attribute(node, field)).value_or(0) != 0; };
    pass.restarts_from_sink = flag("bottom_up");
    pass.walks_once = flag("walk");
    pass.enters_calls = flag("enter_calls");
    pass.first_match = static_cast<std::uint32_t>(out_.matches.size());
    if (matches.is(Kind::kList)) tree_.for_each(tree_.container(matches), [&](Node match) { add_match(match, ops); });
    pass.match_count = static_cast<std::uint32_t>(out_.matches.size()) - pass.first_match;
    out_.passes.push_back(pass);
  }

  // (before, after, the rule's location[, seconds])
  void add_match(Node node, const OpReader& ops) {
    if (!node.is(Kind::kTuple) || node.count() < 3) return skip("match that is not (before, after, location)");
    const auto parts = tree_.tuple(node);
    const auto before = ops.find(parts[0]);
    const auto after = ops.find(parts[1]);
    const auto rule = locations_.read(parts[2]);
    if (!before || !after) return skip("match of an op that is missing or could not be read");
    if (!rule) return skip("match without a rule's location");
    const auto seconds = parts.size() > 3 ? tree_.real(parts[3]) : std::nullopt;
    out_.matches.push_back({*before, *after, *rule, seconds.value_or(-1)});
  }

  const pickle::Tree& tree_;
  const std::string& file_;
  Capture& capture_;
  Rewrites& out_;
  ValueReader values_;
  LocationReader locations_;
  pickle::VisitBudget visits_;
  std::map<std::tuple<StackId, StringId, std::uint32_t, StringId>, StackId> stacks_;
};

}  // namespace

std::optional<RewritesTop> rewrites_top(const pickle::Tree& tree) {
  if (find_traces(tree).empty()) return std::nullopt;
  return tree.root.is(Kind::kObject) ? RewritesTop::kTrace : RewritesTop::kTuples;
}

bool is_before_traces(const pickle::Tree& tree) {
  if (!tree.root.is(Kind::kTuple) || tree.root.count() != 2) return false;
  const auto parts = tree.tuple(tree.root);
  const bool names_ops = std::ranges::any_of(tree.classes, [](const auto& c) { return c.module == "tinygrad.ops"; });
  return parts[0].is(Kind::kList) && parts[1].is(Kind::kList) && names_ops;
}

Result<void> read_rewrites(const pickle::Tree& tree, const Version& version, const std::string& file,
                           Capture& capture) {
  return RewritesReader(tree, version, file, capture).read();
}

}  // namespace vizd::tinygrad
