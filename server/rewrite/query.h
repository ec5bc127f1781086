// Query: which nodes of a graph a person means. The language, on one line; case does not count:
//
//   half "float.vec(4)"   words: nodes whose label holds them
//   op=LOAD               text fields op, dtype, arg, tag, label, rule (the one that made it), with =, != and ~ (holds)
//   op=LOAD,STORE         one of a list, for op
//   fanout>8              numbers fanout (users), fanin (sources), born, died, versions, id, with = != < <= > >=
//   src(Q) user(Q)        nodes with a source, with a user for which Q holds; src0(Q): with that at port 0
//   A B, A or B           both, either; -A, not A: not; ( ) group
//
// A query is parsed once and may then be asked by any thread.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/budget.h"
#include "base/result.h"
#include "rewrite/history_index.h"

namespace vizd {

// Before the names of dtypes in tinygrad's own texts; what is compared is without it.
inline constexpr std::string_view kDtypePrefix = "dtypes.";

class Query {
 public:
  // Errors: what is not understood and what may stand there, where as "query:N", N counted in bytes from 1; place, if
  // given, is set to that less 1.
  static Result<Query> parse(std::string_view text, std::size_t* place = nullptr);

  struct Term {
    enum class Kind { kAnd, kOr, kNot, kText, kNumber, kSource, kUser } kind = Kind::kAnd;
    enum class Field {
      kOp,
      kDtype,
      kArg,
      kTag,
      kLabel,
      kRule,
      kFanOut,
      kFanIn,
      kBorn,
      kDied,
      kVersions,
      kId
    } field = Field::kLabel;
    enum class Compare {
      kEqual,
      kNotEqual,
      kHolds,
      kLess,
      kLessEqual,
      kGreater,
      kGreaterEqual
    } compare = Compare::kHolds;
    std::vector<std::string> texts = {};  // lower case
    std::int64_t number = 0;
    std::uint32_t port = kNoId;  // of kSource
    std::vector<std::uint32_t> children = {};
  };
  // terms()[0] is the whole query.
  const std::vector<Term>& terms() const { return terms_; }
  // How many edges away the farthest node lies whose change may change an answer.
  std::uint32_t reach() const { return reach_; }

 private:
  friend class QueryParser;
  std::vector<Term> terms_;
  std::uint32_t reach_ = 0;
};

// Answers one query over one history. Keeps what it found out about labels and values, so one asking thread each.
class QueryScan {
 public:
  // Its results count only while the budget lasts.
  QueryScan(const Capture& capture, const Pass& pass, const History& history, const HistoryIndex& index, Query query,
            const Budget& budget = Budget());

  // The nodes that live at a state and match there, by id. Inlined nodes count only where the query names them by op.
  std::vector<NodeId> matches_at(std::uint32_t state);
  // The first state from `from` on where some node matches (wanted) or none does (not wanted), or kNoId. Costs what the
  // states touch, not states times graph.
  std::uint32_t first_state(std::uint32_t from, bool wanted);

 private:
  bool holds(std::uint32_t term, NodeId node, std::uint32_t state);
  bool text_holds(std::uint32_t term, NodeId node, const NodeVersion& version, std::uint32_t state);
  std::string field_text(Query::Term::Field field, NodeId node, const NodeVersion& version) const;
  std::int64_t number_of(Query::Term::Field field, NodeId node, std::uint32_t state) const;
  bool neighbour_holds(std::uint32_t term, NodeId node, std::uint32_t state);
  bool live_match(NodeId node, std::uint32_t state);
  void collect_near(std::uint32_t state, std::vector<NodeId>& nodes) const;

  const Capture& capture_;
  const Pass& pass_;
  const History& history_;
  const HistoryIndex& index_;
  Query query_;
  const Budget budget_;
  // Per term of kText: answers already found, by label, value or kind; 0 unknown, 1 no, 2 yes.
  std::vector<std::vector<std::uint8_t>> known_;
  std::vector<std::string> named_ops_;  // op=…: these may be inlined ones
  bool names_ids_ = false;
};

}  // namespace vizd
