#include "derived/kept_rules.h"

#include <type_traits>

#include "base/content_hash.h"
#include "base/log.h"
#include "base/parallel.h"
#include "base/private_files.h"
#include "session/kept_capture.h"

namespace vizd {
namespace {

// A match's effect as it lies in the file: without bytes that mean nothing.
struct KeptEffect {
  std::uint32_t added, removed, undone_at, changed;
};
static_assert(std::is_trivially_copyable_v<KeptEffect>);

// Files may have changed since the capture was read: what is kept must be of its matches.
std::uint64_t matches_hash(const Rewrites& rewrites) {
  ContentHash hash;
  hash.add(rewrites.passes.size());
  for (const Pass& pass : rewrites.passes) {
    hash.add(index(pass.sink));
    hash.add(pass.match_count);
  }
  for (const Match& match : rewrites.matches) {
    hash.add(std::uint64_t{index(match.before)} << 32 | index(match.after));
    hash.add(index(match.rule));
  }
  return hash.value();
}

bool is_large(const LoadedCapture& loaded, const CacheOptions& options) {
  return loaded.capture.rewrites.matches.size() >= options.least_matches;
}

}  // namespace

std::optional<RuleTable> load_kept_rules(const LoadedCapture& loaded, const CacheOptions& options) {
  if (!is_large(loaded, options)) return std::nullopt;
  const auto place = kept_place(loaded.set, options, kRulesSuffix);
  auto file = place ? KeptReader::open(place->path, place->key, core_count()) : std::nullopt;
  if (!file) return std::nullopt;
  const Rewrites& rewrites = loaded.capture.rewrites;
  std::uint64_t hash = 0;
  file->number(hash);
  const auto kept = file->values<KeptEffect>();
  if (!file->is_at_end() || hash != matches_hash(rewrites) || kept.size() != rewrites.matches.size())
    return std::nullopt;
  std::vector<MatchEffect> effects;
  effects.reserve(kept.size());
  for (const KeptEffect& effect : kept)
    effects.push_back({effect.added, effect.removed, effect.undone_at, effect.changed != 0});
  return rule_table_of(rewrites, std::move(effects));
}

void keep_rules(const LoadedCapture& loaded, const CacheOptions& options, const RuleTable& table,
                const std::stop_token& stop) {
  if (!is_large(loaded, options)) return;
  const auto place = kept_place(loaded.set, options, kRulesSuffix);
  if (!place) return;
  std::vector<KeptEffect> effects;
  effects.reserve(table.effects.size());
  for (const MatchEffect& did : table.effects)
    effects.push_back({did.added, did.removed, did.undone_at, std::uint32_t{did.changed}});
  if (!take_private_folder(options.folder)) return;
  KeptWriter file(place->path, place->key, stop);
  file.number(matches_hash(loaded.capture.rewrites));
  file.values(std::span<const KeptEffect>(effects));
  const auto saved = file.finish();
  if (!saved && !stop.stop_requested())
    log(LogLevel::kWarning, "what the rules did cannot be kept for the next time: {}", saved.error().text());
  keep_to_size(options);
}

}  // namespace vizd
