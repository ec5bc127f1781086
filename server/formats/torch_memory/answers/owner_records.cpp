// Answers by owner: who holds memory at a moment, what leaks, and what changed from one snapshot to another.
#include <algorithm>
#include <bit>
#include <map>
#include <unordered_map>

#include "base/json_writer.h"
#include "formats/torch_memory/answers/records.h"

namespace vizd::torch_memory {
namespace {

constexpr std::string_view kOwnerKinds[] = {"frame",  "file",       "operator", "phase",   "size",     "pool",
                                            "stream", "annotation", "metadata", "compile", "category", "stack"};

using OwnerSums = std::map<std::string, OwnerSum>;  // by the owner as JSON

void add(OwnerSum& sum, const Life& life) {
  ++sum.count;
  sum.requested_bytes += life.requested_bytes;
  sum.block_bytes += life.block_bytes;
}

// Whose the lives of a device are, by one of the kinds; what follows from a stack alone is worked out once for each.
class Owners {
 public:
  Owners(const MemoryFile& file, const Replay& replay, std::string_view kind)
      : file_(file), replay_(replay), kind_(kind) {}

  std::string of(const Life& life) {
    const bool is_of_stack =
        kind_ == "frame" || kind_ == "file" || kind_ == "operator" || kind_ == "phase" || kind_ == "stack";
    if (!is_of_stack) return json_of(of_life(life));
    const auto [known, is_new] = by_stack_.try_emplace(life.stack);
    if (is_new) known->second = json_of(of_stack(life.stack));
    return known->second;
  }

 private:
  static Value word(std::string_view text) { return text.empty() ? Value() : Value(std::string(text)); }

  Value of_stack(std::uint32_t stack) const {
    const StackWords& words = file_.words();
    if (kind_ == "frame") return text_or_nothing(words.user_frame(stack));
    if (kind_ == "file") return text_or_nothing(words.user_file(stack));
    if (kind_ == "operator") return word(words.of(stack).operator_name);
    if (kind_ == "phase") return word(phase_name(words.of(stack).phase));
    std::string frames;
    JsonWriter json(frames);
    json.begin_array();
    for (const std::string& frame : words.shown(stack)) json.text(frame);
    json.end_array();
    return Json{frames};
  }

  Value of_life(const Life& life) const {
    const EntryWords& said = file_.snapshot().words[life.words];
    if (kind_ == "size") return std::bit_floor(life.requested_bytes);
    if (kind_ == "pool") return file_.pool(life.pool);
    if (kind_ == "stream") return file_.stream(life.stream);
    if (kind_ == "annotation") return word(file_.range_at(replay_.device(), replay_.time_ns(life.born)));
    if (kind_ == "metadata") return file_.text(said.user_metadata);
    if (kind_ == "compile") return file_.text(said.compile_context);
    return file_.text(said.category);
  }

  const MemoryFile& file_;
  const Replay& replay_;
  const std::string_view kind_;
  std::unordered_map<std::uint32_t, std::string> by_stack_;
};

OwnerSums owners_at(const MemoryFile& file, const Replay& replay, std::string_view kind, std::int64_t moment) {
  OwnerSums sums;
  Owners owners(file, replay, kind);
  for (const Life& life : replay.lives()) {
    if (life.is_allocated_at(moment)) add(sums[owners.of(life)], life);
  }
  return sums;
}

void add_sum(Record& record, const OwnerSum& sum) {
  record.push_back({"count", sum.count});
  record.push_back({"requested_bytes", sum.requested_bytes});
  record.push_back({"block_bytes", sum.block_bytes});
}

}  // namespace

std::span<const std::string_view> owner_kinds() { return kOwnerKinds; }

void tell_owners(const MemoryFile& file, const Moment& moment, std::span<const std::string> kinds,
                 const TakeRecord& take) {
  for (const auto& replay : file.replays()) {
    for (const std::string& kind : kinds) {
      for (const auto& [owner, sum] : owners_at(file, *replay, kind, moment.of(*replay))) {
        Record record{{"device", replay->device()}, {"by", kind}, {"owner", Json{owner}}};
        add_sum(record, sum);
        take(record);
      }
    }
  }
}

void tell_leaks(const MemoryFile& file, std::string_view name_begins, const TakeRecord& take) {
  for (const auto& replay : file.replays()) {
    const std::vector<std::int64_t> ends = file.range_ends(replay->device(), name_begins);
    if (ends.size() < 3) continue;
    std::vector<OwnerSums> steps(ends.size());
    Owners owners(file, *replay, "frame");
    for (const Life& life : replay->lives().subspan(replay->lives_before())) {
      const std::int64_t born_ns = replay->time_ns(life.born);
      if (born_ns == kNoTime) continue;
      // The step that it was made in: the first that does not end before it.
      const auto step = static_cast<std::size_t>(std::ranges::lower_bound(ends, born_ns) - ends.begin());
      if (step < 1 || step + 1 >= ends.size()) continue;
      const std::int64_t done_ns = replay->time_ns(life.done());
      if (life.done() == kNever || (done_ns != kNoTime && done_ns > ends[step + 1]))
        add(steps[step][owners.of(life)], life);
    }
    for (std::size_t step = 0; step < steps.size(); ++step) {
      for (const auto& [frame, sum] : steps[step]) {
        Record record{{"device", replay->device()}, {"step", static_cast<std::uint64_t>(step)}, {"frame", Json{frame}}};
        add_sum(record, sum);
        take(record);
      }
    }
  }
}

void tell_comparison(const MemoryFile& before, const MemoryFile& after, const TakeRecord& take) {
  struct Pair {
    OwnerSum a, b;
    bool has_a = false, has_b = false;
  };
  for (const Moment::Kind kind : {Moment::Kind::kEnd, Moment::Kind::kPeak}) {
    std::map<std::pair<std::int64_t, std::string>, Pair> pairs;
    const auto sum_up = [&](const MemoryFile& file, bool is_b) {
      for (const auto& replay : file.replays()) {
        for (const auto& [frame, sum] : owners_at(file, *replay, "frame", Moment{kind}.of(*replay))) {
          Pair& pair = pairs[{replay->device(), frame}];
          (is_b ? pair.b : pair.a) = sum;
          (is_b ? pair.has_b : pair.has_a) = true;
        }
      }
    };
    sum_up(before, false);
    sum_up(after, true);
    for (const auto& [place, pair] : pairs) {
      const std::string_view state = !pair.has_a ? "added" : !pair.has_b ? "removed" : "both";
      const auto delta = static_cast<std::int64_t>(pair.b.requested_bytes - pair.a.requested_bytes);
      take({{"moment", std::string(kind == Moment::Kind::kEnd ? "end" : "peak")},
            {"device", place.first},
            {"frame", Json{place.second}},
            {"a_count", pair.a.count},
            {"b_count", pair.b.count},
            {"a_requested_bytes", pair.a.requested_bytes},
            {"b_requested_bytes", pair.b.requested_bytes},
            {"delta_requested_bytes", delta},
            {"state", std::string(state)}});
    }
  }
}

}  // namespace vizd::torch_memory
