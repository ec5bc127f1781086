// Reads the file's profiles one after another, out of the whole document: its frames may stand behind them.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "formats/span_stack.h"
#include "formats/speedscope/format.h"

namespace vizd::speedscope {
namespace {

using Json = nlohmann::json;

// Members of a profile's events stand no deeper. (nlohmann's own way to drop what does looks at all of a list again for
// each of its elements.)
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

const Json& member(const Json& object, const char* name) {
  static const Json kNothing;
  if (!object.is_object()) return kNothing;
  const auto found = object.find(name);
  return found == object.end() ? kNothing : *found;
}

// Where lists and objects nest deeper than they may; none where they do not.
std::optional<std::size_t> find_too_deep(std::span<const std::byte> json) {
  std::size_t depth = 0;
  bool is_in_text = false;
  for (std::size_t i = 0; i < json.size(); ++i) {
    const char c = static_cast<char>(json[i]);
    if (is_in_text) {
      if (c == '\\') ++i;
      if (c == '"') is_in_text = false;
    } else if (c == '"') {
      is_in_text = true;
    } else if (c == '[' || c == '{') {
      if (++depth > kMostNesting) return i;
    } else if ((c == ']' || c == '}') && depth > 0) {
      --depth;
    }
  }
  return std::nullopt;
}

std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : ""; }

class ProfileReader {
 public:
  ProfileReader(const Json& profile, std::span<const Frame> frames, Capture& capture)
      : profile_(profile), frames_(frames), capture_(capture) {}

  // False where it is no profile at all.
  bool read() {
    const std::string type = text_of(member(profile_, "type"));
    if (type != "evented" && type != "sampled") return false;
    std::string name = text_of(member(profile_, "name"));
    if (name.empty()) name = fmt::format("profile {}", capture_.profile.tracks.size() + 1);
    choose_unit(name);
    capture_.profile.tracks.emplace_back();
    track().name = capture_.strings.add(name);
    track().kind = TrackKind::kThread;
    start_ns_ = time(member(profile_, "startValue")).value_or(0);
    last_ns_ = start_ns_;
    if (type == "evented") {
      read_events();
    } else {
      read_samples();
    }
    last_ns_ = std::max(last_ns_, time(member(profile_, "endValue")).value_or(last_ns_));
    spans_.finish(track().events, last_ns_);
    return true;
  }

  std::int64_t start_ns() const { return start_ns_; }
  std::int64_t end_ns() const { return last_ns_; }

 private:
  Track& track() { return capture_.profile.tracks.back(); }
  void skip(const char* reason) { ++capture_.skipped[reason]; }

  void choose_unit(const std::string& profile_name) {
    const std::string unit = text_of(member(profile_, "unit"));
    const auto found = std::ranges::find(kUnits, unit, &Unit::name);
    if (found != std::end(kUnits)) unit_ = *found;
    if (unit_.is_time) return;
    capture_.notes.push_back(fmt::format("the profile \"{}\" {}: one is drawn as a nanosecond", profile_name,
                                         unit == "bytes" ? "counts bytes, not time" : "names no unit of time"));
  }

  // In nanoseconds; none where it is no time. Whole numbers come out exact.
  std::optional<std::int64_t> time(const Json& value) const {
    if (!value.is_number()) return std::nullopt;
    const double ns = value.get<double>() * unit_.ns;
    if (!(std::abs(ns) < kMostTime_ns)) return std::nullopt;
    if (value.is_number_integer()) return value.get<std::int64_t>() * static_cast<std::int64_t>(unit_.ns);
    return std::llround(ns);
  }

  std::optional<std::size_t> frame(const Json& value) const {
    if (!value.is_number_unsigned() || value.get<std::uint64_t>() >= frames_.size()) return std::nullopt;
    return value.get<std::size_t>();
  }

  void read_events() {
    for (const Json& event : member(profile_, "events")) {
      const auto at_ns = time(member(event, "at"));
      const auto which = frame(member(event, "frame"));
      const std::string type = text_of(member(event, "type"));
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
    const Json& samples = member(profile_, "samples");
    const Json& weights = member(profile_, "weights");
    if (!samples.is_array()) return;
    const bool is_weighted = weights.is_array() && weights.size() == samples.size();
    if (!is_weighted) capture_.warnings.emplace_back("samples that are not as many as their weights: each weighs one");
    for (std::size_t i = 0; i < samples.size(); ++i) {
      const auto dur_ns = is_weighted ? time(weights[i]) : std::optional<std::int64_t>(1);
      const auto frames = frames_of_sample(samples[i]);
      if (!dur_ns || *dur_ns < 0 || static_cast<double>(last_ns_) + static_cast<double>(*dur_ns) > kMostTime_ns) {
        skip("samples of no usable weight");
        continue;
      }
      if (!frames) skip("samples of frames that the file does not have, or of more than 4096");
      go_to(frames.value_or(std::vector<std::size_t>()));
      last_ns_ += *dur_ns;
    }
    close_beyond(0);
  }

  // The frames of a sample, from the outermost to the innermost; none where it has others than the file's.
  std::optional<std::vector<std::size_t>> frames_of_sample(const Json& sample) const {
    if (!sample.is_array() || sample.size() > kMostDepth) return std::nullopt;
    std::vector<std::size_t> frames;
    for (const Json& value : sample) {
      const auto which = frame(value);
      if (!which) return std::nullopt;
      frames.push_back(*which);
    }
    return frames;
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

  const Json& profile_;
  const std::span<const Frame> frames_;
  Capture& capture_;
  Unit unit_ = kUnits[5];
  std::int64_t start_ns_ = 0, last_ns_ = 0;
  SpanStack spans_;
  std::vector<std::size_t> open_;  // the frames of the open spans, the outermost first
  std::map<std::pair<std::uint32_t, std::size_t>, StackId> stacks_;  // by caller and frame
};

std::vector<Frame> read_frames(const Json& document, StringTable& strings) {
  std::vector<Frame> frames;
  for (const Json& frame : member(member(document, "shared"), "frames")) {
    const Json& line = member(frame, "line");
    const std::string name = text_of(member(frame, "name"));
    frames.push_back(
        {.function = strings.add(name.empty() ? "(no name)" : name),
         .file = strings.add(text_of(member(frame, "file"))),
         .line = line.is_number_unsigned() && line.get<std::uint64_t>() < kNoId ? line.get<std::uint32_t>() : 0});
  }
  return frames;
}

}  // namespace

Result<void> read(const FormatInput& input, Capture& capture) {
  if (const auto at = find_too_deep(input.bytes))
    return Error{ErrorKind::kBadInput, "nests deeper than a speedscope file does; export it again",
                 fmt::format("{}:{}", input.name, *at)};
  Json document;
  const auto* const begin = reinterpret_cast<const char*>(input.bytes.data());
  try {
    document = Json::parse(begin, begin + input.bytes.size());
  } catch (const Json::parse_error& e) {
    return Error{ErrorKind::kBadInput, "is no whole JSON from here on; was the file cut, or is it still being written?",
                 fmt::format("{}:{}", input.name, e.byte)};
  } catch (const Json::exception&) {
    return Error{ErrorKind::kBadInput, "holds a number that no computer's does; export it again", input.name};
  }
  const Json& profiles = member(document, "profiles");
  if (!profiles.is_array())
    return Error{ErrorKind::kBadInput, "has no list of profiles, as a speedscope file does; export it again",
                 input.name};
  const std::vector<Frame> frames = read_frames(document, capture.strings);
  std::int64_t start_ns = std::numeric_limits<std::int64_t>::max(), end_ns = std::numeric_limits<std::int64_t>::min();
  for (const Json& item : profiles) {
    ProfileReader profile(item, frames, capture);
    if (!profile.read()) {
      ++capture.skipped["profiles that are neither evented nor sampled"];
      continue;
    }
    start_ns = std::min(start_ns, profile.start_ns());
    end_ns = std::max(end_ns, profile.end_ns());
  }
  capture.profile.start_ns = start_ns <= end_ns ? start_ns : 0;
  capture.profile.end_ns = start_ns <= end_ns ? end_ns : 0;
  for (const char* name : {"name", "exporter"}) {
    const std::string text = text_of(member(document, name));
    if (!text.empty()) capture.facts.push_back({.name = capture.strings.add(name), .value = capture.strings.add(text)});
  }
  capture.has_profile = true;
  capture.format = kFormat.name;
  return {};
}

}  // namespace vizd::speedscope
