#include "rewrite/rule_table.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <mutex>
#include <numeric>
#include <optional>

#include "base/parallel.h"

namespace vizd {
namespace {

// Each holds the history of a pass.
constexpr unsigned kMostThreads = 8;
// Between two tables of what is known so far.
constexpr std::chrono::milliseconds kTellEvery{400};

using Pairs = std::map<std::pair<LocationId, LocationId>, UndonePair>;

// Counts the matches of one pass.
void count_pass(std::span<const Match> matches, std::span<const MatchEffect> effects, std::uint32_t pass,
                std::vector<RuleRow>& rows, Pairs& pairs) {
  for (std::size_t i = 0; i < matches.size(); ++i) {
    RuleRow& row = rows[index(matches[i].rule)];
    ++row.matches;
    row.added += effects[i].added;
    row.removed += effects[i].removed;
    row.unchanged += !effects[i].changed;
    if (matches[i].dur_s > 0) row.dur_s += matches[i].dur_s;
    if (effects[i].undone_at == kNoId) continue;
    const LocationId by = matches[effects[i].undone_at - 1].rule;
    ++row.undone;
    ++rows[index(by)].undoing;
    const UndonePair first{matches[i].rule, by, 0, pass, static_cast<std::uint32_t>(i), effects[i].undone_at};
    ++pairs.try_emplace({matches[i].rule, by}, first).first->second.count;
  }
}

// In how many passes and contexts each rule occurs.
void count_places(const Rewrites& rewrites, const std::vector<bool>& is_done, std::vector<RuleRow>& rows) {
  std::vector<std::uint32_t> last_context(rows.size(), kNoId);
  std::vector<std::uint32_t> last_pass(rows.size(), kNoId);
  for (std::uint32_t c = 0; c < rewrites.contexts.size(); ++c) {
    const Context& context = rewrites.contexts[c];
    for (std::uint32_t s = context.first_pass; s < context.first_pass + context.pass_count; ++s) {
      if (!is_done[s]) continue;
      for (const Match& match : rewrites.matches_of(rewrites.passes[s])) {
        const std::size_t rule = index(match.rule);
        rows[rule].passes += std::exchange(last_pass[rule], s) != s;
        rows[rule].contexts += std::exchange(last_context[rule], c) != c;
      }
    }
  }
}

// The rows, and what undoes what, of the passes that are done.
RuleTable sum_up(const Rewrites& rewrites, std::span<const MatchEffect> effects, const std::vector<bool>& is_done) {
  RuleTable table;
  table.rows.resize(rewrites.locations.size());
  for (std::uint32_t i = 0; i < table.rows.size(); ++i) table.rows[i].rule = to_id<LocationId>(i);
  Pairs pairs;
  for (std::uint32_t s = 0; s < rewrites.passes.size(); ++s) {
    const Pass& pass = rewrites.passes[s];
    if (is_done[s])
      count_pass(rewrites.matches_of(pass), effects.subspan(pass.first_match, pass.match_count), s, table.rows, pairs);
  }
  count_places(rewrites, is_done, table.rows);
  table.is_timed = std::ranges::any_of(rewrites.matches, [](const Match& match) { return match.dur_s >= 0; });
  std::erase_if(table.rows, [](const RuleRow& row) { return row.matches == 0; });
  std::ranges::stable_sort(table.rows, std::greater<>(), &RuleRow::matches);
  for (const auto& [key, pair] : pairs) table.undone.push_back(pair);
  std::ranges::stable_sort(table.undone, std::greater<>(), &UndonePair::count);
  return table;
}

void group_by_rule(const Rewrites& rewrites, RuleTable& table) {
  table.first_of_rule.assign(rewrites.locations.size() + 1, 0);
  for (const Match& match : rewrites.matches) ++table.first_of_rule[index(match.rule) + 1];
  std::partial_sum(table.first_of_rule.begin(), table.first_of_rule.end(), table.first_of_rule.begin());
  std::vector<std::uint32_t> next(table.first_of_rule.begin(), table.first_of_rule.end() - 1);
  table.by_rule.resize(rewrites.matches.size());
  for (std::uint32_t m = 0; m < rewrites.matches.size(); ++m)
    table.by_rule[next[index(rewrites.matches[m].rule)]++] = m;
}

// How far all threads are. Any of them may call it.
class SharedProgress {
 public:
  SharedProgress(const Rewrites& rewrites, const RuleTableOptions& options, std::span<const MatchEffect> effects)
      : rewrites_(rewrites), options_(options), effects_(effects), is_done_(rewrites.passes.size()) {}

  void add(std::uint32_t matches) {
    if (!options_.progress || matches == 0) return;
    const std::lock_guard lock(mutex_);
    done_ += matches;
    options_.progress(done_, static_cast<std::uint32_t>(rewrites_.matches.size()));
  }

  // The pass's effects are there.
  void finish(std::uint32_t pass) {
    if (!options_.so_far) return;
    const std::lock_guard lock(mutex_);
    is_done_[pass] = true;
    const auto now = std::chrono::steady_clock::now();
    if (now < next_telling_) return;
    options_.so_far(std::make_shared<const RuleTable>(sum_up(rewrites_, effects_, is_done_)));
    next_telling_ = std::chrono::steady_clock::now() + kTellEvery;
  }

 private:
  const Rewrites& rewrites_;
  const RuleTableOptions& options_;
  const std::span<const MatchEffect> effects_;
  std::mutex mutex_;
  std::uint32_t done_ = 0;
  std::vector<bool> is_done_;  // by pass
  std::chrono::steady_clock::time_point next_telling_{};
};

// Finds the effects of all matches. The longest passes come first, so that no thread is left with one at the end.
Result<void> replay_passes(const Capture& capture, const RuleTableOptions& options, SharedProgress& progress,
                           std::span<MatchEffect> effects) {
  const Rewrites& rewrites = capture.rewrites;
  std::vector<std::uint32_t> passes;
  for (std::uint32_t s = 0; s < rewrites.passes.size(); ++s) {
    if (rewrites.passes[s].match_count > 0) passes.push_back(s);
  }
  std::ranges::stable_sort(passes, std::greater<>(), [&](std::uint32_t s) { return rewrites.passes[s].match_count; });
  std::mutex mutex;
  std::optional<Error> error;
  const auto replay = [&](std::size_t i) {
    const Pass& pass = rewrites.passes[passes[i]];
    std::uint32_t told = 0;
    const auto tell = [&](std::uint32_t done, std::uint32_t) { progress.add(done - std::exchange(told, done)); };
    const auto history = build_history(capture, pass, {.stop = options.stop, .progress = tell, .labels = false});
    if (!history) {
      const std::lock_guard lock(mutex);
      if (!error) error = history.error();
      return;
    }
    std::ranges::copy(match_effects(*history), effects.begin() + pass.first_match);
    tell(pass.match_count, pass.match_count);
    progress.finish(passes[i]);
  };
  for_each_index(passes.size(), std::min(options.threads, kMostThreads), replay);
  if (error) return *error;
  return {};
}

}  // namespace

RuleTable rule_table_of(const Rewrites& rewrites, std::vector<MatchEffect> effects) {
  RuleTable table = sum_up(rewrites, effects, std::vector<bool>(rewrites.passes.size(), true));
  table.effects = std::move(effects);
  group_by_rule(rewrites, table);
  return table;
}

Result<RuleTable> make_rule_table(const Capture& capture, const RuleTableOptions& options) {
  std::vector<MatchEffect> effects(capture.rewrites.matches.size());
  SharedProgress progress(capture.rewrites, options, effects);
  if (const auto replayed = replay_passes(capture, options, progress, effects); !replayed) return replayed.error();
  return rule_table_of(capture.rewrites, std::move(effects));
}

MatchPlace place_of_match(const Rewrites& rewrites, std::uint32_t match) {
  // The match belongs to the last pass that begins at or before it: an empty pass begins where the next one does.
  const auto pass = std::prev(std::ranges::upper_bound(rewrites.passes, match, {}, &Pass::first_match));
  const auto number = static_cast<std::uint32_t>(pass - rewrites.passes.begin());
  const auto context = std::prev(std::ranges::upper_bound(rewrites.contexts, number, {}, &Context::first_pass));
  return {static_cast<std::uint32_t>(context - rewrites.contexts.begin()), number - context->first_pass,
          match - pass->first_match + 1};
}

}  // namespace vizd
