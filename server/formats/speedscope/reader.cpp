// Reads the file's profiles one after another where they lie in its text: its frames may stand behind them.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json_scan.h"
#include "base/parse_json.h"
#include "formats/span_stack.h"
#include "formats/speedscope/format.h"

namespace vizd::speedscope {
namespace {

// Members of a profile's events stand no deeper.
constexpr std::size_t kMostNesting = 8;
// Calls within calls; a program that recurses further has run into its stack's end.
constexpr std::size_t kMostDepth = 4096;
constexpr double kMostTime_ns = 1e18;  // model/profile.h: below 2^60

struct Unit {
  std::string_view name;
  double ns;
  bool is_time = true;
};
constexpr Unit kUnits[] = {{"nanoseconds", 1}, {"microseconds", 1e3}, {"milliseconds", 1e6},
                           {"seconds", 1e9},   {"bytes", 1, false},   {"none", 1, false}};

// Values of members as they stand in the text; "" where a member is not there. Of one that is there twice the first.
template <std::size_t kMembers>
void find_members(std::string_view object, const std::pair<std::string_view, std::string_view*> (&wanted)[kMembers]) {
  JsonMembers members(object);
  while (const auto member = members.next()) {
    for (const auto& [name, value] : wanted) {
      if (member->key == name && value->empty()) *value = member->value;
    }
  }
}

struct ProfileMembers {
  explicit ProfileMembers(std::string_view profile) {
    find_members(profile, {{"type", &type},
                           {"name", &name},
                           {"unit", &unit},
                           {"startValue", &start},
                           {"endValue", &end},
                           {"events", &events},
                           {"samples", &samples},
                           {"weights", &weights}});
  }
  std::string_view type, name, unit, start, end, events, samples, weights;
};

class ProfileReader {
 public:
  ProfileReader(std::string_view profile, std::span<const Frame> frames, Capture& capture)
      : profile_(profile), frames_(frames), capture_(capture) {}

  // False where it is no profile at all.
  bool read() {
    const std::string type = json_text(profile_.type);
    if (type != "evented" && type != "sampled") return false;
    std::string name = json_text(profile_.name);
    if (name.empty()) name = fmt::format("profile {}", capture_.profile.tracks.size() + 1);
    choose_unit(name);
    capture_.profile.tracks.emplace_back();
    track().name = capture_.strings.add(name);
    track().kind = TrackKind::kThread;
    start_ns_ = time(profile_.start).value_or(0);
    last_ns_ = start_ns_;
    if (type == "evented") {
      read_events();
    } else {
      read_samples();
    }
    last_ns_ = std::max(last_ns_, time(profile_.end).value_or(last_ns_));
    spans_.finish(track().events, last_ns_);
    return true;
  }

  std::int64_t start_ns() const { return start_ns_; }
  std::int64_t end_ns() const { return last_ns_; }

 private:
  Track& track() { return capture_.profile.tracks.back(); }
  void skip(const char* reason) { ++capture_.skipped[reason]; }

  void choose_unit(const std::string& profile_name) {
    const std::string unit = json_text(profile_.unit);
    const auto found = std::ranges::find(kUnits, unit, &Unit::name);
    if (found != std::end(kUnits)) unit_ = *found;
    if (unit_.is_time) return;
    capture_.notes.push_back(fmt::format("the profile \"{}\" {}: each is drawn as a nanosecond", profile_name,
                                         unit == "bytes" ? "counts bytes, not time" : "names no unit of time"));
  }

  // In nanoseconds; none where it is no time. Whole numbers come out exact.
  std::optional<std::int64_t> time(std::string_view value) const {
    const auto number = json_double(value);
    if (!number || !(std::abs(*number * unit_.ns) < kMostTime_ns)) return std::nullopt;
    if (const auto whole = json_int64(value)) return *whole * static_cast<std::int64_t>(unit_.ns);
    return std::llround(*number * unit_.ns);
  }

  std::optional<std::size_t> frame(std::string_view value) const {
    const auto which = json_uint64(value);
    return which && *which < frames_.size() ? std::optional<std::size_t>(*which) : std::nullopt;
  }

  void read_events() {
    JsonItems events(profile_.events);
    while (const auto event = events.next()) {
      std::string_view at, of, kind;
      find_members(*event, {{"at", &at}, {"frame", &of}, {"type", &kind}});
      const auto at_ns = time(at);
      const auto which = frame(of);
      const std::string type = json_text(kind);
      if (!at_ns || !which || (type != "O" && type != "C")) {
        skip("events without a type, a time or a frame of the file's");
      } else if (*at_ns < last_ns_) {
        skip("events before the one that they follow");
      } else if (type == "O") {
        last_ns_ = *at_ns;
        open(*which);
      } else {
        last_ns_ = *at_ns;
        close(*which);
      }
    }
  }

  void open(std::size_t frame) {
    if (open_.size() == kMostDepth) return skip("frames within more than 4096 others");
    Track& to = track();
    if (to.events.size() == EventColumns::kMostEvents) return skip("events beyond what a track holds");
    const Frame& of = frames_[frame];
    const std::uint32_t event = spans_.open(to.events, {.start_ns = last_ns_, .name = of.function});
    open_.push_back(frame);
    const auto add = [&](std::string_view name, ArgumentValue value) {
      find_or_add_argument(to.arguments, capture_.strings.add(name), {}, type_of(value)).push_back(event, value);
    };
    if (!capture_.strings.get(of.file).empty()) add("file", of.file);
    if (of.line != 0) add("line", static_cast<std::int64_t>(of.line));
  }

  void close(std::size_t frame) {
    const auto found = std::find(open_.rbegin(), open_.rend(), frame);
    if (found == open_.rend()) return skip("ends of frames that had not begun");
    // Whatever is still open within it ends with it at the latest.
    const auto depth = static_cast<std::size_t>(open_.rend() - found);
    for (std::size_t i = depth; i < open_.size(); ++i)
      skip("missing ends of frames, which end with the one around them");
    close_beyond(depth - 1);
  }

  // Ends the innermost frames now, until there are no more than so many.
  void close_beyond(std::size_t depth) {
    for (; open_.size() > depth; open_.pop_back()) spans_.close(track().events, last_ns_);
  }

  // Frames that samples one after another share are spans, too: what speedscope draws.
  void read_samples() {
    if (!is_json_list(profile_.samples)) return;
    const bool is_weighted =
        is_json_list(profile_.weights) && count_json_items(profile_.weights) == count_json_items(profile_.samples);
    if (!is_weighted) capture_.warnings.emplace_back("samples that are not as many as their weights: each weighs one");
    JsonItems samples(profile_.samples), weights(profile_.weights);
    std::vector<std::size_t> frames;  // of a sample
    while (const auto sample = samples.next()) {
      const auto dur_ns = is_weighted ? time(weights.next().value_or("")) : std::optional<std::int64_t>(1);
      const bool are_known = read_frames_of(*sample, frames);
      if (!dur_ns || *dur_ns < 0 || static_cast<double>(last_ns_) + static_cast<double>(*dur_ns) > kMostTime_ns) {
        skip("samples of no usable weight");
        continue;
      }
      if (!are_known) skip("samples of frames that the file does not have, or of more than 4096");
      go_to(frames);
      last_ns_ += *dur_ns;
    }
    close_beyond(0);
  }

  // The frames of a sample, from the outermost to the innermost. False, and none, where it has others than the file's.
  bool read_frames_of(std::string_view sample, std::vector<std::size_t>& frames) const {
    frames.clear();
    JsonItems values(sample);
    while (const auto value = values.next()) {
      const auto which = frame(*value);
      if (!which || frames.size() == kMostDepth) {
        frames.clear();
        return false;
      }
      frames.push_back(*which);
    }
    return is_json_list(sample);
  }

  // From now on these frames are open. None are where nothing runs.
  void go_to(const std::vector<std::size_t>& frames) {
    const auto shared = static_cast<std::size_t>(std::ranges::mismatch(frames, open_).in1 - frames.begin());
    close_beyond(shared);
    for (std::size_t i = shared; i < frames.size(); ++i) open(frames[i]);
    if (!frames.empty()) track().samples.push_back(last_ns_, stack_of(frames));
  }

  StackId stack_of(const std::vector<std::size_t>& frames) {
    StackId stack{kNoId};
    for (const std::size_t frame : frames) {
      const auto [place, is_new] = stacks_.try_emplace({index(stack), frame}, to_id<StackId>(capture_.stacks.size()));
      if (is_new) capture_.stacks.push_back({frames_[frame], stack});
      stack = place->second;
    }
    return stack;
  }

  const ProfileMembers profile_;
  const std::span<const Frame> frames_;
  Capture& capture_;
  Unit unit_ = kUnits[5];
  std::int64_t start_ns_ = 0, last_ns_ = 0;
  SpanStack spans_;
  std::vector<std::size_t> open_;  // the frames of the open spans, the outermost first
  std::map<std::pair<std::uint32_t, std::size_t>, StackId> stacks_;  // by caller and frame
};

std::vector<Frame> read_frames(std::string_view shared, StringTable& strings) {
  std::string_view list;
  find_members(shared, {{"frames", &list}});
  std::vector<Frame> frames;
  JsonItems items(list);
  while (const auto item = items.next()) {
    std::string_view name, file, line;
    find_members(*item, {{"name", &name}, {"file", &file}, {"line", &line}});
    const std::string function = json_text(name);
    const std::uint64_t number = json_uint64(line).value_or(0);
    frames.push_back({.function = strings.add(function.empty() ? "(no name)" : function),
                      .file = strings.add(json_text(file)),
                      .line = number < kNoId ? static_cast<std::uint32_t>(number) : 0});
  }
  return frames;
}

Error unreadable(std::string_view text, const std::string& name) {
  if (const auto at = find_deeper_nesting(text, kMostNesting))
    return {ErrorKind::kBadInput, "is nested deeper than a speedscope file can be; export it again",
            fmt::format("{}:{}", name, *at)};
  const auto at = find_json_error(text);
  if (!at) return {ErrorKind::kBadInput, "contains a number out of range; export it again", name};
  return {ErrorKind::kBadInput, "is not complete JSON from here on; was the file cut, or is it still being written?",
          fmt::format("{}:{}", name, *at)};
}

}  // namespace

Result<void> read(const FormatInput& input, Capture& capture) {
  const std::string_view text(reinterpret_cast<const char*>(input.bytes.data()), input.bytes.size());
  if (!is_json(text, kMostNesting)) return unreadable(text, input.name);
  std::string_view profiles, shared, name, exporter;
  find_members(text.substr(text.find_first_not_of(" \t\r\n")),
               {{"profiles", &profiles}, {"shared", &shared}, {"name", &name}, {"exporter", &exporter}});
  if (!is_json_list(profiles))
    return Error{ErrorKind::kBadInput, "has no list of profiles, so it is not a speedscope file; export it again",
                 input.name};
  const std::vector<Frame> frames = read_frames(shared, capture.strings);
  std::int64_t start_ns = std::numeric_limits<std::int64_t>::max(), end_ns = std::numeric_limits<std::int64_t>::min();
  JsonItems items(profiles);
  while (const auto item = items.next()) {
    ProfileReader profile(*item, frames, capture);
    if (!profile.read()) {
      ++capture.skipped["profiles that are neither evented nor sampled"];
      continue;
    }
    start_ns = std::min(start_ns, profile.start_ns());
    end_ns = std::max(end_ns, profile.end_ns());
  }
  capture.profile.start_ns = start_ns <= end_ns ? start_ns : 0;
  capture.profile.end_ns = start_ns <= end_ns ? end_ns : 0;
  for (const auto& [of, value] : {std::pair("name", json_text(name)), std::pair("exporter", json_text(exporter))}) {
    if (!value.empty()) capture.facts.push_back({.name = capture.strings.add(of), .value = capture.strings.add(value)});
  }
  capture.has_profile = true;
  capture.format = kFormat.name;
  return {};
}

}  // namespace vizd::speedscope
