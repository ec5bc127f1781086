#include "analysis/figures/named_steps.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/ascii_case.h"
#include "base/clean_text.h"
#include "model/track_numbers.h"

namespace vizd {
namespace {

constexpr std::size_t kFewestSteps = 3;
constexpr std::size_t kMostName = 60;

// What steps of programs are called; the first are the inner of two that may be.
constexpr std::array<std::string_view, 6> kStepWords = {"step", "iter", "batch", "frame", "generation", "request"};
constexpr std::array<std::string_view, 7> kOtherWords = {"epoch", "loop", "round", "cycle", "pass", "trial", "episode"};
// What is numbered by its place, and not by how often it came.
constexpr std::array<std::string_view, 21> kParts = {
    "iterator", "layer", "block",  "stage",  "bucket", "chunk",  "shard", "rank",  "gpu",  "device", "stream",
    "worker",   "head",  "expert", "kernel", "module", "thread", "group", "param", "grad", "graph"};
// Functions of trainers that make a step each, without a number.
constexpr std::array<std::string_view, 5> kStepFunctions = {"training_step", "run_training_batch", "train_batch",
                                                            "train_step", "training_batch"};

// How likely it is that ranges of a name are steps: the less, the likelier.
enum class Likeness : std::uint8_t { kStep, kOther, kFunction, kNumbered };

struct NumberedName {
  std::string prefix;  // what is before the number; the whole name where there is none
  std::optional<std::int64_t> number;
};

// The number that a name ends with, but for signs and for how many there are in all: "step 7", "[7/100]", "step_7:".
NumberedName split_name(std::string_view name) {
  std::size_t end = name.size();
  while (end > 0 && !is_digit(name[end - 1])) {
    const auto c = static_cast<unsigned char>(name[end - 1]);
    if (std::isalnum(c) != 0 || c >= 0x80) return {std::string(name), {}};
    --end;
  }
  const auto begin_of = [&](std::size_t of_end) {
    std::size_t begin = of_end;
    while (begin > 0 && is_digit(name[begin - 1])) --begin;
    return begin;
  };
  std::size_t begin = begin_of(end);
  if (begin > 1 && name[begin - 1] == '/' && is_digit(name[begin - 2])) end = begin - 1, begin = begin_of(end);
  std::int64_t number = 0;
  const auto [at, error] = std::from_chars(name.data() + begin, name.data() + end, number);
  if (begin == end || error != std::errc()) return {std::string(name), {}};
  return {std::string(name.substr(0, begin)), number};
}

bool is_letter(char c) { return ascii_lower(c) >= 'a' && ascii_lower(c) <= 'z'; }

// Whether any word of the text begins so: words are apart by other characters, or by a capital behind a small letter.
template <std::size_t size>
bool has_any(std::string_view text, const std::array<std::string_view, size>& words) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool begins =
        is_letter(text[i]) && (i == 0 || !is_letter(text[i - 1]) ||
                               (text[i] != ascii_lower(text[i]) && text[i - 1] == ascii_lower(text[i - 1])));
    if (begins && std::ranges::any_of(words, [&](std::string_view word) {
          return equal_in_any_case(text.substr(i, word.size()), word);
        }))
      return true;
  }
  return false;
}

std::optional<Likeness> likeness_of(std::string_view name, const NumberedName& split) {
  if (split.number) {
    if (has_any(split.prefix, kParts) || split.prefix.empty()) return std::nullopt;
    if (has_any(split.prefix, kStepWords)) return Likeness::kStep;
    return has_any(split.prefix, kOtherWords) ? Likeness::kOther : Likeness::kNumbered;
  }
  const bool is_function =
      std::ranges::any_of(kStepFunctions, [&](std::string_view word) { return name.ends_with(word); });
  return is_function ? std::optional(Likeness::kFunction) : std::nullopt;
}

struct NamedRange {
  StringId name{};
  std::optional<std::int64_t> number;
  std::int64_t from_ns = 0, to_ns = 0;
};

// Ranges of one prefix on one thread.
struct NamedSteps {
  Likeness likeness = Likeness::kNumbered;
  std::uint32_t track = 0;
  std::vector<NamedRange> ranges;

  std::int64_t total_ns() const {
    std::int64_t sum_ns = 0;
    for (const NamedRange& range : ranges) sum_ns += range.to_ns - range.from_ns;
    return sum_ns;
  }
};

class NamedStepFinder {
 public:
  NamedStepFinder(Capture& capture, const Regexp* chosen) : capture_(capture), chosen_(chosen) {}

  // The likeliest steps of each rank. They are runs of the rank's track.
  std::map<std::uint32_t, NamedSteps> find() {
    std::map<std::uint32_t, NamedSteps> best;
    for (std::uint32_t t = 0; t < capture_.profile.tracks.size(); ++t) {
      const TrackKind kind = capture_.profile.tracks[t].kind;
      if (kind == TrackKind::kStream || kind == TrackKind::kDevice || kind == TrackKind::kEngine) continue;
      for (NamedSteps& steps : steps_of(t)) {
        if (!are_steps(steps)) continue;
        const auto [found, is_new] = best.try_emplace(rank_of(t));
        if (is_new || is_better(steps, found->second)) found->second = std::move(steps);
      }
    }
    return best;
  }

 private:
  // The track of the rank; kNoParent where the capture is one.
  std::uint32_t rank_of(std::uint32_t track) const {
    const StringId offset = capture_.strings.find(fact::kTimeOffset_ns);
    for (const Fact& fact : capture_.facts) {
      if (fact.is_hidden && fact.name == offset && fact.track != kNoId &&
          is_below(capture_.profile.tracks, track, fact.track))
        return fact.track;
    }
    return Track::kNoParent;
  }

  struct Known {
    std::optional<Likeness> likeness;
    NumberedName split;
  };
  const Known& known(StringId name) {
    const auto [found, is_new] = known_.try_emplace(name);
    if (!is_new) return found->second;
    const std::string_view text = capture_.strings.get(name);
    Known& known = found->second;
    known.split = split_name(text);
    known.likeness = likeness_of(text, known.split);
    if (chosen_ == nullptr) return known;
    known.likeness.reset();
    if (chosen_->is_in(text, Budget()).value_or(false)) known.likeness = Likeness::kStep;
    known.split.prefix.clear();  // all that match are of one
    return known;
  }

  std::vector<NamedSteps> steps_of(std::uint32_t track) {
    const EventColumns& events = capture_.profile.tracks[track].events;
    std::map<std::string, NamedSteps> by_prefix;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      if (events.kind(i) != EventKind::kSpan || is_work(events.role(i)) || events.role(i) == EventRole::kCall) continue;
      const Known& of = known(events.name(i));
      if (!of.likeness) continue;
      NamedSteps& steps = by_prefix[of.split.prefix];
      steps.likeness = *of.likeness;
      steps.track = track;
      steps.ranges.push_back({events.name(i), of.split.number, events.start_ns(i), events.end_ns(i)});
    }
    std::vector<NamedSteps> all;
    for (auto& [prefix, steps] : by_prefix) {
      std::ranges::stable_sort(steps.ranges, [](const NamedRange& a, const NamedRange& b) {
        return a.from_ns != b.from_ns ? a.from_ns < b.from_ns : a.to_ns > b.to_ns;
      });
      all.push_back(std::move(steps));
    }
    return all;
  }

  bool are_steps(NamedSteps& steps) const {
    if (chosen_ != nullptr) return leave_outermost(steps), !steps.ranges.empty();
    if (steps.likeness == Likeness::kFunction) leave_outermost(steps);
    if (steps.ranges.size() < kFewestSteps) return false;
    for (std::size_t i = 1; i < steps.ranges.size(); ++i) {
      const NamedRange &before = steps.ranges[i - 1], &next = steps.ranges[i];
      if (next.from_ns < before.to_ns) return false;
      if (next.number && *next.number <= *before.number) return false;
      // Without a word for it, only what counts on.
      if (steps.likeness == Likeness::kNumbered && *next.number != *before.number + 1) return false;
    }
    return steps.likeness != Likeness::kNumbered || fills_track(steps);
  }

  static void leave_outermost(NamedSteps& steps) {
    std::vector<NamedRange> outer;
    for (const NamedRange& range : steps.ranges) {
      if (outer.empty() || range.from_ns >= outer.back().to_ns) outer.push_back(range);
    }
    steps.ranges = std::move(outer);
  }

  // Half of the thread's time, from its first event to its last.
  bool fills_track(const NamedSteps& steps) const {
    const EventColumns& events = capture_.profile.tracks[steps.track].events;
    std::int64_t from_ns = steps.ranges.front().from_ns, to_ns = steps.ranges.back().to_ns;
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      from_ns = std::min(from_ns, events.start_ns(i));
      to_ns = std::max(to_ns, events.end_ns(i));
    }
    return 2 * steps.total_ns() >= to_ns - from_ns;
  }

  static bool is_better(const NamedSteps& a, const NamedSteps& b) {
    return a.likeness != b.likeness ? a.likeness < b.likeness : a.total_ns() > b.total_ns();
  }

  Capture& capture_;
  const Regexp* const chosen_;
  std::unordered_map<StringId, Known> known_;
};

bool has_steps(const Capture& capture) {
  return std::ranges::any_of(capture.profile.runs, [&](const Run& run) {
    const std::string_view kind = capture.strings.get(run.kind);
    return kind == "step" || kind == "iteration";
  });
}

bool has_step_names(const Capture& capture) {
  for (std::size_t i = 0; i < capture.strings.size(); ++i) {
    const std::string_view text = capture.strings.get(to_id<StringId>(i));
    if (likeness_of(text, split_name(text))) return true;
  }
  return false;
}

// Names without a number, or with a number that comes twice, are counted.
void add_runs(Capture& capture, std::uint32_t rank, const NamedSteps& steps) {
  bool is_numbered = true;
  for (std::size_t i = 0; i < steps.ranges.size(); ++i) {
    const auto& number = steps.ranges[i].number;
    is_numbered = is_numbered && number && (i == 0 || *number > *steps.ranges[i - 1].number);
  }
  std::int64_t count = 0;
  for (const NamedRange& range : steps.ranges) {
    capture.profile.runs.push_back({.track = rank,
                                    .kind = capture.strings.add("step"),
                                    .name = range.name,
                                    .number = is_numbered ? *range.number : count,
                                    .from_ns = range.from_ns,
                                    .to_ns = range.to_ns});
    ++count;
  }
}

}  // namespace

void name_steps(Capture& capture, const Regexp* chosen) {
  if (!capture.has_profile ||
      (chosen == nullptr && (!capture.profile.is_trace || has_steps(capture) || !has_step_names(capture))))
    return;
  const auto found = NamedStepFinder(capture, chosen).find();
  if (chosen != nullptr && found.empty()) {
    capture.notes.emplace_back("no range has a name that --step-name matches: its steps are what they are without it");
    return;
  }
  if (found.empty()) return;
  std::erase_if(capture.profile.runs, [&](const Run& run) {
    const std::string_view kind = capture.strings.get(run.kind);
    return kind == "step" || kind == "iteration";
  });
  for (const auto& [rank, steps] : found) add_runs(capture, rank, steps);
  const NamedSteps& first = found.begin()->second;
  capture.notes.push_back(fmt::format("steps are its {} ranges like '{}'; --step-name REGEX chooses others",
                                      first.ranges.size(),
                                      short_line(capture.strings.get(first.ranges.front().name), kMostName)));
}

}  // namespace vizd
