#include "analysis/devices/compiles.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

#include "analysis/devices/host_calls.h"
#include "analysis/figures/argument_cursor.h"
#include "model/argument_json.h"
#include "model/track_numbers.h"

namespace vizd {
namespace {

constexpr std::string_view kTimed = " (dynamo_timed)";  // the profiler's name of what the compiler times of itself
constexpr std::string_view kRegion = "Torch-Compiled Region";
constexpr std::string_view kGraphCall = "## Call CompiledFxGraph ", kGraphCallEnd = " ##";
constexpr std::string_view kResumed = "torch_dynamo_resume_in_", kResumedAt = "_at_";

// The compiling of a function as a whole, in PyTorch 2.1 to 2.15 and in the compiler's own log.
constexpr std::string_view kWholeCompiles[] = {"_compile.compile_inner", "compile_inner", "entire_frame_compile"};
constexpr std::string_view kWholeBackwards[] = {"entire_backward_compile", "backward._backward_impl"};

// What an event's name and category tell of it.
struct CompileSign {
  std::optional<CompileKind> kind;
  std::string id;
};

std::string_view between(std::string_view text, std::string_view begin, std::string_view end) {
  text.remove_prefix(begin.size());
  return text.substr(0, std::min(text.find(end), text.size()));
}

// "model.py(9): torch_dynamo_resume_in_forward_at_42": "model.py: forward, line 42".
std::string place_behind_break(std::string_view name) {
  const std::size_t resumed = name.find(kResumed);
  const std::string_view function = name.substr(resumed + kResumed.size());
  const std::size_t at = function.rfind(kResumedAt);
  const std::string_view file = name.substr(0, std::min(name.find('('), resumed));
  std::string place = file.empty() ? "" : std::string(file) + ": ";
  place += function.substr(0, at);
  if (at != std::string_view::npos) place.append(", line ").append(function.substr(at + kResumedAt.size()));
  return place;
}

CompileSign what_is(std::string_view name, std::string_view category) {
  if (category == "python_function") {
    if (name.find(kResumed) == std::string_view::npos) return {};
    return {CompileKind::kGraphBreak, place_behind_break(name)};
  }
  if (category == "gpu_user_annotation") return {};  // the host's, told once more by what it launched
  if (name == "TorchDynamo Cache Lookup") return {CompileKind::kGuardCheck, ""};
  if (name.starts_with(kRegion)) {
    const std::size_t id = name.find(": ");
    return {CompileKind::kRegion, id == std::string_view::npos ? "" : std::string(name.substr(id + 2))};
  }
  if (name.starts_with(kGraphCall)) return {CompileKind::kGraph, std::string(between(name, kGraphCall, kGraphCallEnd))};
  const bool is_timed = name.ends_with(kTimed);
  if (is_timed) name.remove_suffix(kTimed.size());
  // PyTorch 2.13 leaves the mark out of this name.
  if (!is_timed && category != "dynamo_timed" && name != "entire_frame_compile") return {};
  if (std::ranges::find(kWholeCompiles, name) != std::end(kWholeCompiles)) return {CompileKind::kCompile, ""};
  if (std::ranges::find(kWholeBackwards, name) != std::end(kWholeBackwards)) return {CompileKind::kBackward, ""};
  if (name == "build_guards") return {CompileKind::kGuards, ""};
  return {CompileKind::kCompiler, ""};
}

// "2/1" is the function's second compiling, the first being 0; of "2/1_1" too, which was tried twice.
bool is_again(std::string_view id) {
  const std::size_t slash = id.find('/');
  return slash != std::string_view::npos && slash + 1 < id.size() && id[slash + 1] != '0';
}

class CompileFinder {
 public:
  CompileFinder(const Capture& capture, const WorkScope& scope) : capture_(capture), scope_(scope) {}

  std::vector<CompileRow> find() {
    const auto& tracks = capture_.profile.tracks;
    for (const std::uint32_t root : rank_roots(capture_)) {
      const HostScope scope(capture_, scope_, root);
      if (!scope.has_rank()) continue;
      const auto is_in_scope = [&](const ProfileEvent& event) { return scope.holds(event); };
      for (std::uint32_t t = 0; t < tracks.size(); ++t) {
        if (is_below(tracks, t, root)) add_track(t, is_in_scope);
      }
    }
    std::vector<CompileRow> rows;
    for (auto& [key, row] : rows_) rows.push_back(std::move(row));
    std::ranges::stable_sort(rows, [](const CompileRow& a, const CompileRow& b) {
      return std::tuple(a.kind, -a.total_ns) < std::tuple(b.kind, -b.total_ns);
    });
    return rows;
  }

 private:
  struct Found : ProfileEvent {
    CompileKind kind{};
    std::string id;
  };

  const CompileSign& sign_of(StringId name, StringId category) {
    const std::uint64_t key = std::uint64_t{index(name)} << 32 | index(category);
    const auto known = told_.find(key);
    if (known != told_.end()) return known->second;
    return told_.emplace(key, what_is(capture_.strings.get(name), capture_.strings.get(category))).first->second;
  }

  template <typename IsInScope>
  void add_track(std::uint32_t t, const IsInScope& is_in_scope) {
    const Track& track = capture_.profile.tracks[t];
    const EventColumns& events = track.events;
    std::vector<Found> found;
    ArgumentCursor ids(track, "compile_id", capture_.strings);
    for (std::uint32_t i = 0; i < events.size(); ++i) {
      if (events.kind(i) != EventKind::kSpan && events.kind(i) != EventKind::kUnfinished) continue;
      const CompileSign& told = sign_of(events.name(i), events.category(i));
      if (!told.kind) continue;
      Found& event = found.emplace_back();
      event.start_ns = events.start_ns(i);
      event.end_ns = events.start_ns(i) + events.length_ns(i);
      event.track = t;
      event.event = i;
      event.kind = *told.kind;
      event.id = told.id;
      const auto id = ids.at(i);
      if (id && event.id.empty()) event.id = value_text(*id, capture_.strings);
    }
    // If several begin together, the longest is around the others.
    std::ranges::stable_sort(found, [](const Found& a, const Found& b) {
      return std::tuple(a.start_ns, -a.end_ns) < std::tuple(b.start_ns, -b.end_ns);
    });
    tell_compiles_apart(found);
    std::erase_if(found, [&](const Found& event) { return !is_in_scope(event); });
    add_all(found);
  }

  // A thread runs what it has compiled before it compiles anything else: the next region tells the id, unless another
  // compiling comes before it, or it is inside of the one at hand.
  static void tell_compiles_apart(std::vector<Found>& found) {
    Found* waiting = nullptr;
    std::int64_t compiled_until_ns = std::numeric_limits<std::int64_t>::min();
    for (Found& event : found) {
      if (event.kind == CompileKind::kCompile) {
        // Inside of another it is the same one, timed once more.
        if (event.start_ns < compiled_until_ns) {
          event.kind = CompileKind::kCompiler;
          continue;
        }
        compiled_until_ns = event.end_ns;
        waiting = event.id.empty() ? &event : nullptr;
      } else if (event.kind == CompileKind::kRegion && waiting != nullptr && event.start_ns >= compiled_until_ns) {
        std::exchange(waiting, nullptr)->id = event.id;
      }
    }
    for (Found& event : found) {
      if (event.kind == CompileKind::kCompile && is_again(event.id)) event.kind = CompileKind::kRecompile;
    }
  }

  void add_all(const std::vector<Found>& found) {
    std::int64_t until_ns = std::numeric_limits<std::int64_t>::min();
    for (const Found& event : found) {
      if (event.kind != CompileKind::kCompiler) add(event, event.kind, event.id);
      if (event.kind > CompileKind::kGuards) continue;
      // The outermost stands for all that it holds.
      if (event.start_ns >= until_ns) add(event, CompileKind::kCompiler, "");
      until_ns = std::max(until_ns, event.end_ns);
    }
  }

  void add(const Found& event, CompileKind kind, const std::string& id) {
    CompileRow& row = rows_[{kind, id}];
    const std::int64_t dur_ns = event.end_ns - event.start_ns;
    row.kind = kind;
    row.id = id;
    if (row.count++ == 0 || dur_ns > row.max_ns) {
      row.max_ns = dur_ns;
      row.worst = event;
    }
    row.total_ns += dur_ns;
  }

  const Capture& capture_;
  const WorkScope& scope_;
  std::unordered_map<std::uint64_t, CompileSign> told_;  // by name and category
  std::map<std::pair<CompileKind, std::string>, CompileRow> rows_;
};

}  // namespace

bool is_of_pytorch(const Capture& capture) {
  // Traces of 2021 have "Operator".
  constexpr std::string_view kCategories[] = {"cpu_op", "Operator"};
  return capture.profile.is_trace && std::ranges::any_of(kCategories, [&](std::string_view category) {
           return capture.strings.find(category) != StringId{kNoId};
         });
}

std::vector<CompileRow> find_compiles(const Capture& capture, const WorkScope& scope) {
  if (!capture.profile.is_trace) return {};
  return CompileFinder(capture, scope).find();
}

}  // namespace vizd
