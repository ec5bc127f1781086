#include "query/catalog.h"

#include <algorithm>
#include <stop_token>
#include <utility>

#include "analysis/graph_replay/captured_operators.h"
#include "analysis/graph_replay/kept_names.h"
#include "analysis/graph_replay/named_replays.h"
#include "base/parallel.h"

namespace vizd::sql {

Place Numbering::place(std::uint64_t number) const {
  const auto after = std::ranges::upper_bound(first_, number);
  const auto source = static_cast<std::size_t>(after - first_.begin()) - 1;
  return {source, number - first_[source]};
}

Catalog::Catalog(std::vector<Source> sources, Budget budget)
    : sources_(std::move(sources)), budget_(std::move(budget)) {
  for (std::uint32_t s = 0; s < sources_.size(); ++s) {
    const Capture& of = *sources_[s].capture;
    auto& first = first_slice_.emplace_back();
    auto& counters = counters_.emplace_back();
    std::uint64_t values = 0;
    for (std::uint32_t t = 0; t < of.profile.tracks.size(); ++t) {
      const Track& track = of.profile.tracks[t];
      first.push_back(slice_count_);
      if (!track.events.empty()) slice_tracks_.push_back({s, t, slice_count_});
      slice_count_ += track.events.size();
      for (std::uint32_t c = 0; c < track.counters.size(); ++c) {
        counters.push_back({t, c, values});
        values += track.counters[c].at_ns.size();
      }
    }
    tracks_.add(of.profile.tracks.size() + counters.size());
    contexts_.add(of.rewrites.contexts.size());
    passes_.add(of.rewrites.passes.size());
    matches_.add(of.rewrites.matches.size());
    programs_.add(of.rewrites.programs.size());
  }
  rules_.resize(sources_.size());
  rule_tables_.resize(sources_.size());
  devices_.resize(sources_.size());
  named_devices_.resize(sources_.size());
  replays_.resize(sources_.size());
  paths_.resize(sources_.size());
}

std::size_t Catalog::slice_track_of(std::uint64_t slice) const {
  const auto after = std::ranges::upper_bound(slice_tracks_, slice, {}, &SliceTrack::first_slice);
  return static_cast<std::size_t>(after - slice_tracks_.begin()) - 1;
}

std::uint64_t Catalog::slice_number(std::size_t source, std::uint32_t track, std::uint32_t event) const {
  return first_slice_[source][track] + event;
}

std::uint32_t Catalog::context_of_pass(std::size_t source, std::uint32_t pass) const {
  const auto& contexts = capture(source).rewrites.contexts;
  const auto after = std::ranges::upper_bound(contexts, pass, {}, &Context::first_pass);
  auto place = static_cast<std::uint32_t>(after - contexts.begin());
  // Contexts without a pass have the first of the next.
  while (place > 0 && contexts[place - 1].pass_count == 0) --place;
  return place - 1;
}

std::uint32_t Catalog::pass_of_match(std::size_t source, std::uint32_t match) const {
  const auto& passes = capture(source).rewrites.passes;
  const auto after = std::ranges::upper_bound(passes, match, {}, &Pass::first_match);
  auto place = static_cast<std::uint32_t>(after - passes.begin());
  while (place > 0 && passes[place - 1].match_count == 0) --place;
  return place - 1;
}

const Catalog::Rules& Catalog::rules(std::size_t source) {
  if (rules_[source]) return *rules_[source];
  const Rewrites& rewrites = capture(source).rewrites;
  std::vector<std::uint32_t> matches(rewrites.locations.size());
  for (const Match& match : rewrites.matches) ++matches[index(match.rule)];
  auto rules = std::make_unique<Rules>();
  rules->number.assign(matches.size(), kNoId);
  for (std::uint32_t at = 0; at < matches.size(); ++at) {
    if (matches[at] == 0) continue;
    rules->number[at] = static_cast<std::uint32_t>(rules->locations.size());
    rules->locations.push_back(to_id<LocationId>(at));
    rules->matches.push_back(matches[at]);
  }
  rules_[source] = std::move(rules);
  return *rules_[source];
}

Result<std::shared_ptr<const RuleTable>> Catalog::rule_table(std::size_t source) {
  if (rule_tables_[source]) return rule_tables_[source];
  if (sources_[source].rules) {
    auto made = sources_[source].rules(budget_);
    if (!made) return std::move(made).error();
    rule_tables_[source] = *std::move(made);
    return rule_tables_[source];
  }
  std::stop_source stop;
  const auto watch = [&](std::uint32_t, std::uint32_t) {
    if (budget_.is_over()) stop.request_stop();
  };
  auto made = make_rule_table(capture(source), {.stop = stop.get_token(), .progress = watch, .threads = core_count()});
  if (stop.stop_requested()) return budget_.error();
  if (!made) return std::move(made).error();
  rule_tables_[source] = std::make_shared<const RuleTable>(*std::move(made));
  return rule_tables_[source];
}

Result<std::shared_ptr<const DeviceAnalysis>> Catalog::devices(std::size_t source) {
  auto& made = devices_[source];
  if (made) return made;
  if (sources_[source].devices) {
    auto given = sources_[source].devices(budget_);
    if (!given) return std::move(given).error();
    made = *std::move(given);
  } else {
    made = std::make_shared<const DeviceAnalysis>(analyse_devices(capture(source)));
  }
  return made;
}

Result<std::shared_ptr<const DeviceAnalysis>> Catalog::named_devices(std::size_t source) {
  auto& made = named_devices_[source];
  if (made) return made;
  if (!may_have_replays(capture(source))) return devices(source);
  const auto named = replays(source);
  if (!named) return named.error();
  return made = with_captured_operators(**named);
}

Result<std::shared_ptr<const NamedReplays>> Catalog::replays(std::size_t source) {
  auto& made = replays_[source];
  if (made) return made;
  auto work = devices(source);
  if (!work) return std::move(work).error();
  const auto none = [](std::size_t, std::uint32_t) { return std::make_unique<NamingSources>(); };
  const auto& find = sources_[source].replays;
  made = find ? find(*std::move(work)) : find_named_replays(capture(source), *std::move(work), none);
  return made;
}

const std::vector<std::string>& Catalog::track_paths(std::size_t source) {
  if (!paths_[source])
    paths_[source] = std::make_unique<std::vector<std::string>>(
        vizd::track_paths(capture(source).profile.tracks, capture(source).strings));
  return *paths_[source];
}

}  // namespace vizd::sql
