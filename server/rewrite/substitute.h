// substitute: tinygrad's UOp.substitute on a whole graph, step by step as its RewriteContext does it (unified_rewrite,
// or walk_rewrite for passes that walk), with its errors. Costs the graph each time: the replay asks it where it must
// know which error the reference raises, and for the passes that whole_replay.h replays.
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "model/dialect.h"
#include "model/op_graph.h"
#include "rewrite/replacements.h"

namespace vizd {

// tinygrad gives up where so many ops wait on its stack.
inline constexpr std::size_t kSubstituteStackLimit = 200'000;

enum class SubstituteError {
  kFixedPointLoop,  // replacements of one op run in a circle
  kStackTooBig,     // too many ops wait: a replacement holds what it replaces, or the graph is huge
};

// The text of Python's exception.
std::string_view error_text(SubstituteError error);

struct SubstituteOptions {
  bool walks_once = false;  // as Pass has them
  bool enters_calls = false;
};

// Remembers its memory from one call to the next. One thread.
class Substitution {
 public:
  // Adds the ops it makes to graph, which stands on the capture's; keys and values of the replacements are the
  // capture's ops. All must outlive this.
  Substitution(OpGraph& graph, const Replacements& replacements, const Dialect& dialect, SubstituteOptions options)
      : graph_(graph), replacements_(replacements), dialect_(dialect), options_(options) {}

  std::variant<OpId, SubstituteError> run(OpId root);
  // For each op that the last run visited, including those made in it: the op that it became.
  const std::vector<std::pair<OpId, OpId>>& results() const { return results_; }
  // How many ops waited on its stack at most.
  std::size_t highest() const { return highest_; }

 private:
  // One op on its way to its replacement: begun, waiting for its sources, or waiting for the op made of them.
  struct Task {
    enum Stage { kBegin, kSources, kLink };

    OpId op;
    Stage stage;
    OpId subject;  // kSources: what stands for op, whose sources are awaited; kLink: the op made again
  };

  std::variant<OpId, SubstituteError> rewrite(OpId root);
  std::variant<OpId, SubstituteError> walk(OpId root);
  bool begin(OpId op);
  void keep_body(OpId op);
  bool rebuild(const Task& task);
  OpId made_again(OpId op);
  OpId done(OpId op) const;
  void set_done(OpId op, OpId result);

  OpGraph& graph_;
  const Replacements& replacements_;
  const Dialect& dialect_;
  SubstituteOptions options_;
  std::vector<Task> stack_;
  std::size_t highest_ = 0;
  std::vector<OpId> src_;
  std::vector<OpId> done_;   // by op; kNoId where not
  std::vector<bool> begun_;  // by op
  std::vector<OpId> begun_list_;
  std::vector<std::pair<OpId, OpId>> results_;
};

}  // namespace vizd
