// RuleTable: what the rules of a whole capture did: every pass is replayed once, and only sums and a few words a match
// are kept. Once it is made, any thread may read it.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <stop_token>
#include <vector>

#include "base/result.h"
#include "model/capture.h"
#include "rewrite/match_effects.h"

namespace vizd {

struct RuleRow {
  LocationId rule{};
  std::uint32_t matches = 0;
  std::uint64_t added = 0;  // nodes
  std::uint64_t removed = 0;
  std::uint32_t unchanged = 0;  // matches after which the graph was the one from before
  std::uint32_t undone = 0;     // matches that a later one took back
  std::uint32_t undoing = 0;    // matches that took an earlier one back
  std::uint32_t passes = 0;     // in which it occurs
  std::uint32_t contexts = 0;
  double dur_s = 0;  // of the matches that have a time
};

// Matches of one rule that matches of another (or the same) took back, and where that happened first: the states from
// and to of a pass are equal graphs.
struct UndonePair {
  LocationId undone{};
  LocationId by{};
  std::uint32_t count = 0;
  std::uint32_t pass = 0;  // index into rewrites.passes
  std::uint32_t from = 0;
  std::uint32_t to = 0;
};

struct RuleTable {
  std::vector<RuleRow> rows;         // by matches, the most first
  std::vector<UndonePair> undone;    // by count, the most first
  std::vector<MatchEffect> effects;  // by match of the capture
  bool is_timed = false;             // some match has a time
  // Matches of the capture, in order, grouped by rule: those of rule r from first_of_rule[r] on, up to the next's.
  std::vector<std::uint32_t> by_rule;
  std::vector<std::uint32_t> first_of_rule;  // by location, and one more

  std::span<const std::uint32_t> matches_of(LocationId rule) const {
    return std::span(by_rule).subspan(first_of_rule[index(rule)],
                                      first_of_rule[index(rule) + 1] - first_of_rule[index(rule)]);
  }
  std::size_t memory_bytes() const {
    return sizeof(RuleTable) + std::span(rows).size_bytes() + std::span(undone).size_bytes() +
           std::span(effects).size_bytes() + std::span(by_rule).size_bytes() + std::span(first_of_rule).size_bytes();
  }
};

struct RuleTableOptions {
  std::stop_token stop;                                                // ends early with an error of kind kBusy
  std::function<void(std::uint32_t done, std::uint32_t of)> progress;  // in matches; by any thread, one at a time
  unsigned threads = 1;                                                // replay passes beside one another
  // The table of the passes that are done, told now and then likewise: its rows and what undoes what, without effects
  // and lists of matches.
  std::function<void(std::shared_ptr<const RuleTable>)> so_far = {};
};

Result<RuleTable> make_rule_table(const Capture& capture, const RuleTableOptions& options);
// The table of effects that are known already, by match of the capture.
RuleTable rule_table_of(const Rewrites& rewrites, std::vector<MatchEffect> effects);

// Where a match of the capture stands.
struct MatchPlace {
  std::uint32_t context = 0;
  std::uint32_t pass = 0;   // in its context
  std::uint32_t state = 0;  // that it leads to
};
MatchPlace place_of_match(const Rewrites& rewrites, std::uint32_t match);

}  // namespace vizd
