// Dialect: what one compiler's ops mean (name, colour, label, text). Formats bring the dialect of their captures;
// everything else draws, prints, diffs and searches through this interface alone.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "model/op_graph.h"

namespace vizd {

enum class LabelId : std::uint32_t {};
enum class ContextId : std::uint32_t {};

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
  // A value as the compiler itself would print it: a dtype, an argument, a tag.
  virtual std::string value_text(ValueId value) const = 0;
  // The one-node graph that stands where a rewrite raised: added to graph, with the error's text.
  virtual OpId error_op(OpGraph& graph, std::string_view message) const = 0;
};

}  // namespace vizd
