#include "rewrite/query.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>

#include "base/ascii_case.h"

namespace vizd {
namespace {

using Term = Query::Term;

bool text_matches(const Term& term, const std::string& text) {
  if (term.compare == Term::Compare::kHolds) {
    return std::ranges::any_of(term.texts, [&](const std::string& t) { return text.find(t) != std::string::npos; });
  }
  const bool equal = std::ranges::find(term.texts, text) != term.texts.end();
  return equal == (term.compare == Term::Compare::kEqual);
}

bool compare_numbers(Term::Compare compare, std::int64_t a, std::int64_t b) {
  switch (compare) {
    case Term::Compare::kNotEqual:
      return a != b;
    case Term::Compare::kLess:
      return a < b;
    case Term::Compare::kLessEqual:
      return a <= b;
    case Term::Compare::kGreater:
      return a > b;
    case Term::Compare::kGreaterEqual:
      return a >= b;
    default:
      return a == b;
  }
}

}  // namespace

QueryScan::QueryScan(const Capture& capture, const Pass& pass, const History& history, const HistoryIndex& index,
                     Query query, const Budget& budget)
    : capture_(capture), pass_(pass), history_(history), index_(index), query_(std::move(query)), budget_(budget) {
  known_.resize(query_.terms().size());
  for (const Term& t : query_.terms()) {
    if (t.kind == Term::Kind::kText && t.field == Term::Field::kOp && t.compare == Term::Compare::kEqual) {
      named_ops_.insert(named_ops_.end(), t.texts.begin(), t.texts.end());
    }
    if (t.kind == Term::Kind::kNumber && t.field == Term::Field::kId) names_ids_ = true;
  }
}

// A dtype is asked for as people write it: half, float.vec(4); not dtypes.half.
std::string QueryScan::field_text(Term::Field field, NodeId node, const NodeVersion& version) const {
  const Dialect& dialect = *capture_.dialect;
  switch (field) {
    case Term::Field::kOp:
      return ascii_lower(dialect.kind_name(version.kind));
    case Term::Field::kDtype: {
      const std::string text = ascii_lower(dialect.value_text(version.dtype));
      return text.starts_with(kDtypePrefix) ? text.substr(kDtypePrefix.size()) : text;
    }
    case Term::Field::kArg:
      return ascii_lower(dialect.value_text(version.arg));
    case Term::Field::kTag:
      return version.tag == kNoneValue ? "" : ascii_lower(dialect.value_text(version.tag));
    case Term::Field::kRule: {
      const std::uint32_t born = history_.nodes[vizd::index(node)].born;
      if (born == 0) return "";
      const Match& match = capture_.rewrites.matches_of(pass_)[born - 1];
      const Location& at = capture_.rewrites.locations[vizd::index(match.rule)];
      return ascii_lower(fmt::format("{}:{}", capture_.strings.get(at.file), at.line));
    }
    default:
      return ascii_lower(history_.labels[version.label]);
  }
}

// Texts repeat: a thousand loads share a label, so each distinct one is looked at once.
bool QueryScan::text_holds(std::uint32_t term, NodeId node, const NodeVersion& version, std::uint32_t) {
  const Term& t = query_.terms()[term];
  std::size_t key = version.label;
  if (t.field == Term::Field::kOp) key = version.kind;
  if (t.field == Term::Field::kDtype) key = vizd::index(version.dtype);
  if (t.field == Term::Field::kArg) key = vizd::index(version.arg);
  if (t.field == Term::Field::kTag) key = vizd::index(version.tag);
  if (t.field == Term::Field::kRule) key = history_.nodes[vizd::index(node)].born;
  auto& known = known_[term];
  if (key >= known.size()) known.resize(key + 1, 0);
  if (known[key] == 0) known[key] = text_matches(t, field_text(t.field, node, version)) ? 2 : 1;
  return known[key] == 2;
}

std::int64_t QueryScan::number_of(Term::Field field, NodeId node, std::uint32_t state) const {
  const HistoryNode& n = history_.nodes[vizd::index(node)];
  const auto live = [&](std::span<const EdgeId> edges) {
    return std::ranges::count_if(edges, [&](EdgeId e) {
      const HistoryEdge& edge = history_.edges[vizd::index(e)];
      return lives_at(edge.born, edge.died, state);
    });
  };
  switch (field) {
    case Term::Field::kFanOut:
      return live(index_.edges_of_source(node));
    case Term::Field::kFanIn:
      return live(index_.edges_of_user(node));
    case Term::Field::kBorn:
      return n.born;
    case Term::Field::kDied:
      return n.died == kForever ? -1 : static_cast<std::int64_t>(n.died);
    case Term::Field::kVersions:
      return n.version_count;
    default:
      return static_cast<std::int64_t>(vizd::index(node));
  }
}

bool QueryScan::neighbour_holds(std::uint32_t term, NodeId node, std::uint32_t state) {
  const Term& t = query_.terms()[term];
  const bool sources = t.kind == Term::Kind::kSource;
  for (const EdgeId e : sources ? index_.edges_of_user(node) : index_.edges_of_source(node)) {
    const HistoryEdge& edge = history_.edges[vizd::index(e)];
    if (!budget_.goes_on()) return false;
    if (!lives_at(edge.born, edge.died, state) || (t.port != kNoId && edge.port != t.port)) continue;
    if (holds(t.children[0], sources ? edge.source : edge.user, state)) return true;
  }
  return false;
}

// Recursion is bounded by the query's own nesting.
bool QueryScan::holds(std::uint32_t term, NodeId node, std::uint32_t state) {
  const Term& t = query_.terms()[term];
  const auto child_holds = [&](std::uint32_t child) { return holds(child, node, state); };
  switch (t.kind) {
    case Term::Kind::kAnd:
      return std::ranges::all_of(t.children, child_holds);
    case Term::Kind::kOr:
      return std::ranges::any_of(t.children, child_holds);
    case Term::Kind::kNot:
      return !child_holds(t.children[0]);
    case Term::Kind::kText:
      return text_holds(term, node, version_at(history_, node, state), state);
    case Term::Kind::kNumber:
      return compare_numbers(t.compare, number_of(t.field, node, state), t.number);
    default:
      return neighbour_holds(term, node, state);
  }
}

bool QueryScan::live_match(NodeId node, std::uint32_t state) {
  const HistoryNode& n = history_.nodes[vizd::index(node)];
  if (!lives_at(n.born, n.died, state)) return false;
  if (!names_ids_) {
    const NodeVersion& version = version_at(history_, node, state);
    if (version.inlined &&
        std::ranges::find(named_ops_, ascii_lower(capture_.dialect->kind_name(version.kind))) == named_ops_.end()) {
      return false;
    }
  }
  return holds(0, node, state);
}

std::vector<NodeId> QueryScan::matches_at(std::uint32_t state) {
  std::vector<NodeId> found;
  for (std::size_t n = 0; n < history_.nodes.size() && budget_.goes_on(); ++n) {
    if (live_match(to_id<NodeId>(n), state)) found.push_back(to_id<NodeId>(n));
  }
  return found;
}

// Adds the nodes within reach of those already there, over edges that live at the state or ended with it.
void QueryScan::collect_near(std::uint32_t state, std::vector<NodeId>& nodes) const {
  std::size_t begin = 0;
  for (std::uint32_t hop = 0; hop < query_.reach(); ++hop) {
    const std::size_t end = nodes.size();
    for (std::size_t i = begin; i < end; ++i) {
      const NodeId node = nodes[i];
      for (const bool sources : {true, false}) {
        for (const EdgeId e : sources ? index_.edges_of_user(node) : index_.edges_of_source(node)) {
          const HistoryEdge& edge = history_.edges[vizd::index(e)];
          if (edge.born <= state && state <= edge.died) nodes.push_back(sources ? edge.source : edge.user);
        }
      }
    }
    begin = end;
  }
  std::ranges::sort(nodes);
  nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
}

std::uint32_t QueryScan::first_state(std::uint32_t from, bool wanted) {
  if (from >= history_.state_count) return kNoId;
  std::vector<bool> matching(history_.nodes.size());
  std::size_t count = 0;
  for (const NodeId node : matches_at(from)) {
    matching[vizd::index(node)] = true;
    ++count;
  }
  for (std::uint32_t state = from;;) {
    if ((count > 0) == wanted) return state;
    if (++state >= history_.state_count || !budget_.goes_on()) return kNoId;
    const auto touched = index_.touched_at(state);
    std::vector<NodeId> nodes(touched.begin(), touched.end());
    collect_near(state, nodes);
    for (const NodeId node : nodes) {
      if (!budget_.goes_on()) return kNoId;
      const bool now = live_match(node, state);
      if (now != matching[vizd::index(node)]) now ? ++count : --count;
      matching[vizd::index(node)] = now;
    }
  }
}

}  // namespace vizd
