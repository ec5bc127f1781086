// Dialect: what one compiler's ops mean (name, colour, label, text). Formats bring the dialect of their captures;
// everything else draws, prints, diffs and searches through this interface alone.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/op_graph.h"

namespace vizd {

struct Pass;

enum class LabelId : std::uint32_t {};
enum class ContextId : std::uint32_t {};

// What a pass that makes a program leaves on the way.
enum class ProgramStage { kOps, kSource, kBinary };

struct StageResult {
  std::string text;  // the list of ops, the source, the bytes; or why there is none
  bool is_error = false;
};

// How an op stands in its graph.
class Surroundings {
 public:
  virtual ~Surroundings() = default;

  virtual bool is_root(OpId id) const = 0;
  // Whether the predicate holds for any op that reads this one.
  virtual bool any_user(OpId id, const std::function<bool(OpId user)>& holds) const = 0;
  // Its place among the graph's ops, each after its sources, as a walk from the root meets them.
  virtual std::size_t place(OpId id) const = 0;
};

// What a dialect knows of the ops of one graph, found when asked and kept. Belongs to one thread; lives no longer than
// the graph. Asking costs little for an op whose sources were asked before and differ in nothing that its label shows.
class OpAnalysis {
 public:
  virtual ~OpAnalysis() = default;

  // The text of the op's box: lines; the first begins with the op's name; colours as ANSI escapes. Equal texts have
  // equal ids, within this analysis.
  virtual LabelId label(OpId id) = 0;
  virtual std::string_view label_text(LabelId id) const = 0;
  // Whether the op is never a box of its own, but a line in its users' boxes (constants), unless it is the root.
  virtual bool is_inlined(OpId id) = 0;
  // The context that the op refers to (a kernel's code generation).
  virtual std::optional<ContextId> ref(OpId id) = 0;
  // The op's tag as text, where it has one.
  virtual std::optional<std::string> tag(OpId id) = 0;
  // The graph under root as text, as the compiler itself would print it.
  virtual std::string print(OpId root) = 0;
  // Whether a source all of whose users in a graph are ops like this one is inlined with them (a constant's view).
  virtual bool inlines_sources(OpId id) { return is_inlined(id); }
  // Whether the op is no box of its own in its graph, but at most a line in its users' boxes: as the two above say, and
  // never the root. Asked sources before users, before labels are, and again where the op's users have changed.
  virtual bool find_hidden(OpId id, const Surroundings& around) {
    if (around.is_root(id)) return false;
    return is_inlined(id) || !around.any_user(id, [this](OpId user) { return !inlines_sources(user); });
  }
  // Whether a label depends on which sources are hidden.
  virtual bool labels_show_hidden() const { return false; }
  // "#rrggbb", where the op's value lies, as the compiler's own viewer colours memories.
  virtual std::optional<std::string_view> memory_colour(OpId) { return std::nullopt; }
  // A graph's ids may be used again for other ops: forgets what was known of this one.
  virtual void forget(OpId id) = 0;
  // A replay changes ops in place, so that a match costs what it touches: the id stays, and the users read the changed
  // op through it. Called when the op has become another (other sources, or a source whose refresh() was true), sources
  // before users; finds again what is known of it. Returns whether anything that its users' labels show of it, or
  // derive from it (shape, ranges, …), may differ now; only then are its users refreshed too.
  virtual bool refresh(OpId id) {
    forget(id);
    return true;
  }
};

class Dialect {
 public:
  virtual ~Dialect() = default;

  virtual std::string_view kind_name(std::uint16_t kind) const = 0;
  // "#rrggbb"
  virtual std::string_view kind_colour(std::uint16_t kind) const = 0;
  virtual std::unique_ptr<OpAnalysis> analyse(const OpGraph& graph) const = 0;
  // Names of the ops that the page's switches take out of the picture: constants, and those that only say where in
  // memory an access goes (ViewOptions::index_ops).
  virtual std::vector<std::string_view> constant_ops() const { return {}; }
  virtual std::vector<std::string_view> index_ops() const { return {}; }
  // How many of an op's first sources are a body of its own, which the page leaves out on demand: 1 of a call, more of
  // a program that holds its own making.
  virtual std::uint32_t body_sources(std::uint16_t) const { return 0; }
  // A value as the compiler itself would print it: a dtype, an argument, a tag.
  virtual std::string value_text(ValueId value) const = 0;
  // The one-node graph that stands where a rewrite raised: added to graph, with the error's text.
  virtual OpId error_op(OpGraph& graph, std::string_view message) const = 0;
  // The dtype of an op that a rewrite makes again with other sources, at least one of another dtype than before.
  virtual ValueId rebuilt_dtype(const OpGraph&, const Op& op) const { return op.dtype; }
  // Whether a rewrite leaves the op's first source (the body of a call) as it is, unless the pass says otherwise.
  virtual bool keeps_first_source(const OpGraph&, const Op&) const { return false; }
  // Whether the pass makes a program, and what it left of it; nothing where it did not come so far.
  virtual bool makes_program(const Pass&) const { return false; }
  virtual std::optional<StageResult> program_stage(const Pass&, ProgramStage) const { return std::nullopt; }
  // Whether the compiler's own viewer sends hidden ops too, and nothing after an error.
  virtual bool sends_hidden_ops() const { return false; }
};

}  // namespace vizd
