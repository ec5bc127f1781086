// What comes of reading a capture: whether it is refused, told of damage or said to be whole; what is in it, counted,
// so that what is said lost can be compared with what is missing; and whether it is consistent in itself.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_file.h"
#include "formats/registry.h"
#include "support/catch.h"
#include "support/named_sets.h"
#include "support/packed.h"

namespace vizd {

// Whether every id in a capture leads to something.
inline bool is_consistent(const Capture& capture) {
  const Rewrites& r = capture.rewrites;
  const auto op_is_there = [&](OpId id) { return index(id) < capture.ops.size(); };
  const auto context_is_there = [&](ContextId id) { return index(id) < r.contexts.size(); };
  const auto text_is_there = [&](StringId id) { return index(id) < capture.strings.size(); };
  bool good = true;
  for (const Context& c : r.contexts) {
    good = good && std::size_t{c.first_pass} + c.pass_count <= r.passes.size() && text_is_there(c.name);
    good = good && (c.program == ProgramId{kNoId} || index(c.program) < r.programs.size());
  }
  for (const Pass& s : r.passes) {
    good = good && std::size_t{s.first_match} + s.match_count <= r.matches.size() && op_is_there(s.sink);
    good = good && index(s.location) < r.locations.size() && text_is_there(s.name);
  }
  for (const Match& m : r.matches) {
    good = good && op_is_there(m.before) && op_is_there(m.after) && index(m.rule) < r.locations.size();
  }
  for (const auto& [op, context] : r.context_by_op) good = good && op_is_there(op) && context_is_there(context);
  for (const auto& [name, context] : r.context_by_name) good = good && text_is_there(name) && context_is_there(context);
  for (const Track& lane : capture.profile.tracks) {
    for (const Event& e : lane.events) {
      good = good && text_is_there(e.name) && e.dur_ns >= 0 &&
             (e.context == ContextId{kNoId} || context_is_there(e.context));
    }
    for (const Allocation& a : lane.allocations) good = good && (!a.freed || a.death_order > a.birth_order);
  }
  return good;
}

enum class Outcome { kRefused, kToldOfDamage, kWhole };

// How much a capture holds of each thing that can be lost.
struct CaptureCounts {
  std::uint64_t events = 0, arguments = 0, counts = 0, allocations = 0, ops = 0, contexts = 0, passes = 0, matches = 0;

  bool holds_something() const { return ops > 0 || events > 0 || allocations > 0; }
  // Names what there is less of than in another; "" where nothing is missing.
  std::string_view missing_of(const CaptureCounts& whole) const {
    constexpr std::pair<std::uint64_t CaptureCounts::*, std::string_view> kThings[] = {
        {&CaptureCounts::events, "events"},
        {&CaptureCounts::arguments, "arguments"},
        {&CaptureCounts::counts, "values of counters"},
        {&CaptureCounts::allocations, "allocations"},
        {&CaptureCounts::ops, "ops"},
        {&CaptureCounts::contexts, "contexts"},
        {&CaptureCounts::passes, "passes"},
        {&CaptureCounts::matches, "matches"}};
    for (const auto& [count, name] : kThings) {
      if (this->*count < whole.*count) return name;
    }
    return "";
  }
  void add(const Capture& capture) {
    for (const Track& track : capture.profile.tracks) {
      events += track.events.size();
      allocations += track.allocations.size();
      for (const ArgumentColumn& column : track.arguments) arguments += column.size();
      for (const Counter& counter : track.counters) counts += counter.at_ns.size();
    }
    ops += capture.ops.size();
    contexts += capture.rewrites.contexts.size();
    passes += capture.rewrites.passes.size();
    matches += capture.rewrites.matches.size();
  }
};

struct ReadOutcome {
  Outcome outcome = Outcome::kWhole;
  CaptureCounts counts;
  std::string error;
  bool is_consistent = true;

  void take(const Capture& capture) {
    counts.add(capture);
    is_consistent = is_consistent && vizd::is_consistent(capture);
    if (!capture.warnings.empty() || !capture.skipped.empty()) outcome = Outcome::kToldOfDamage;
  }
  void refuse(const Error& why) {
    outcome = Outcome::kRefused;
    error = why.text();
  }
};

// The outcome for bytes in a file that is called "f".
inline ReadOutcome outcome_of(std::string_view bytes) {
  ReadOutcome outcome;
  Capture capture;
  const auto result = read_capture({"f", std::as_bytes(std::span(bytes))}, capture);
  outcome.take(capture);
  if (!result) outcome.refuse(result.error());
  return outcome;
}

// The outcome for files, as if a user had named them. It says which of them no format knows.
inline ReadOutcome outcome_of(const std::vector<std::string>& paths) {
  ReadOutcome outcome;
  std::size_t claimed = 0;
  for (const InputSet& set : named_sets(paths)) {
    claimed += set.files.size();
    FileErrors errors(set.files.size());
    Capture capture;
    if (read_set(set, errors, capture)) outcome.take(capture);
    for (const auto& error : errors) {
      if (error) outcome.refuse(*error);
    }
  }
  if (claimed < paths.size()) outcome.outcome = Outcome::kRefused;
  return outcome;
}

inline std::string file_text(const std::string& path) {
  const auto file = MappedFile::open(path);
  if (!file) FAIL(file.error().text());
  return {reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()};
}

}  // namespace vizd
