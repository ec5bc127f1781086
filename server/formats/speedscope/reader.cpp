// Reads the file's profiles one after another, out of the whole document: its frames may stand behind them.
#include <fmt/core.h>
#include <simdjson.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/parse_json.h"
#include "formats/span_stack.h"
#include "formats/speedscope/format.h"

namespace vizd::speedscope {
namespace {

// A value, or what kept it from being found: what is asked of an absent one is absent too.
using Json = simdjson::simdjson_result<simdjson::dom::element>;

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

std::string text_of(const Json& value) {
  std::string_view text;
  return value.get_string().get(text) == simdjson::SUCCESS ? std::string(text) : "";
}

// None where it is no list.
std::optional<simdjson::dom::array> list_of(const Json& value) {
  simdjson::dom::array list;
  return value.get_array().get(list) == simdjson::SUCCESS ? std::optional(list) : std::nullopt;
}

// Calls each(item) for every item of a list; nothing of what is none.
template <typename Each>
void for_each_item(const Json& value, Each&& each) {
  const auto list = list_of(value);
  if (!list) return;
  for (const Json item : *list) each(item);
}

std::optional<std::size_t> index_of(const Json& value) {
  std::uint64_t number = 0;
  return value.get_uint64().get(number) == simdjson::SUCCESS ? std::optional<std::size_t>(number) : std::nullopt;
}

class ProfileReader {
 public:
  ProfileReader(const Json& profile, std::span<const Frame> frames, Capture& capture)
      : profile_(profile), frames_(frames), capture_(capture) {}

  // False where it is no profile at all.
  bool read() {
    const std::string type = text_of(profile_["type"]);
    if (type != "evented" && type != "sampled") return false;
    std::string name = text_of(profile_["name"]);
    if (name.empty()) name = fmt::format("profile {}", capture_.profile.tracks.size() + 1);
    choose_unit(name);
    capture_.profile.tracks.emplace_back();
    track().name = capture_.strings.add(name);
    track().kind = TrackKind::kThread;
    start_ns_ = time(profile_["startValue"]).value_or(0);
    last_ns_ = start_ns_;
    if (type == "evented") {
      read_events();
    } else {
      read_samples();
    }
    last_ns_ = std::max(last_ns_, time(profile_["endValue"]).value_or(last_ns_));
    spans_.finish(track().events, last_ns_);
    return true;
  }

  std::int64_t start_ns() const { return start_ns_; }
  std::int64_t end_ns() const { return last_ns_; }

 private:
  Track& track() { return capture_.profile.tracks.back(); }
  void skip(const char* reason) { ++capture_.skipped[reason]; }

  void choose_unit(const std::string& profile_name) {
    const std::string unit = text_of(profile_["unit"]);
    const auto found = std::ranges::find(kUnits, unit, &Unit::name);
    if (found != std::end(kUnits)) unit_ = *found;
    if (unit_.is_time) return;
    capture_.notes.push_back(fmt::format("the profile \"{}\" {}: one is drawn as a nanosecond", profile_name,
                                         unit == "bytes" ? "counts bytes, not time" : "names no unit of time"));
  }

  // In nanoseconds; none where it is no time. Whole numbers come out exact.
  std::optional<std::int64_t> time(const Json& value) const {
    double number = 0;
    if (value.get_double().get(number) != simdjson::SUCCESS) return std::nullopt;
    const double ns = number * unit_.ns;
    if (!(std::abs(ns) < kMostTime_ns)) return std::nullopt;
    std::int64_t whole = 0;
    if (value.get_int64().get(whole) == simdjson::SUCCESS) return whole * static_cast<std::int64_t>(unit_.ns);
    return std::llround(ns);
  }

  std::optional<std::size_t> frame(const Json& value) const {
    const auto which = index_of(value);
    return which && *which < frames_.size() ? which : std::nullopt;
  }

  void read_events() {
    for_each_item(profile_["events"], [&](const Json& event) {
      const auto at_ns = time(event["at"]);
      const auto which = frame(event["frame"]);
      const std::string type = text_of(event["type"]);
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
    });
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
    const auto samples = list_of(profile_["samples"]), weights = list_of(profile_["weights"]);
    if (!samples) return;
    const bool is_weighted = weights && std::ranges::distance(*weights) == std::ranges::distance(*samples);
    if (!is_weighted) capture_.warnings.emplace_back("samples that are not as many as their weights: each weighs one");
    auto weight = is_weighted ? weights->begin() : samples->begin();
    for (const Json sample : *samples) {
      const auto dur_ns = is_weighted ? time(*weight) : std::optional<std::int64_t>(1);
      ++weight;
      const auto frames = frames_of_sample(sample);
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
    const auto list = list_of(sample);
    if (!list) return std::nullopt;
    std::vector<std::size_t> frames;
    for (const Json value : *list) {
      const auto which = frame(value);
      if (!which || frames.size() == kMostDepth) return std::nullopt;
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

  const Json profile_;
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
  for_each_item(document["shared"]["frames"], [&](const Json& frame) {
    const std::string name = text_of(frame["name"]);
    const std::size_t line = index_of(frame["line"]).value_or(0);
    frames.push_back({.function = strings.add(name.empty() ? "(no name)" : name),
                      .file = strings.add(text_of(frame["file"])),
                      .line = line < kNoId ? static_cast<std::uint32_t>(line) : 0});
  });
  return frames;
}

Error unreadable(simdjson::error_code code, const FormatInput& input) {
  if (code == simdjson::MEMALLOC) return {ErrorKind::kTooLarge, "is too large for this machine's memory", input.name};
  const std::string_view text(reinterpret_cast<const char*>(input.bytes.data()), input.bytes.size());
  if (const auto at = find_deeper_nesting(text, kMostNesting))
    return {ErrorKind::kBadInput, "nests deeper than a speedscope file does; export it again",
            fmt::format("{}:{}", input.name, *at)};
  if (code == simdjson::NUMBER_ERROR)
    return {ErrorKind::kBadInput, "holds a number that no computer's does; export it again", input.name};
  const auto at = find_json_error(text);
  return {ErrorKind::kBadInput, "is no whole JSON from here on; was the file cut, or is it still being written?",
          at ? fmt::format("{}:{}", input.name, *at) : input.name};
}

}  // namespace

Result<void> read(const FormatInput& input, Capture& capture) {
  simdjson::dom::parser parser;
  if (const auto failed = parser.allocate(input.bytes.size(), kMostNesting + 1)) return unreadable(failed, input);
  const Json document = parser.parse(reinterpret_cast<const char*>(input.bytes.data()), input.bytes.size());
  if (document.error() != simdjson::SUCCESS) return unreadable(document.error(), input);
  if (!document["profiles"].is_array())
    return Error{ErrorKind::kBadInput, "has no list of profiles, as a speedscope file does; export it again",
                 input.name};
  const std::vector<Frame> frames = read_frames(document, capture.strings);
  std::int64_t start_ns = std::numeric_limits<std::int64_t>::max(), end_ns = std::numeric_limits<std::int64_t>::min();
  for_each_item(document["profiles"], [&](const Json& item) {
    ProfileReader profile(item, frames, capture);
    if (!profile.read()) {
      ++capture.skipped["profiles that are neither evented nor sampled"];
      return;
    }
    start_ns = std::min(start_ns, profile.start_ns());
    end_ns = std::max(end_ns, profile.end_ns());
  });
  capture.profile.start_ns = start_ns <= end_ns ? start_ns : 0;
  capture.profile.end_ns = start_ns <= end_ns ? end_ns : 0;
  for (const char* name : {"name", "exporter"}) {
    const std::string text = text_of(document[name]);
    if (!text.empty()) capture.facts.push_back({.name = capture.strings.add(name), .value = capture.strings.add(text)});
  }
  capture.has_profile = true;
  capture.format = kFormat.name;
  return {};
}

}  // namespace vizd::speedscope
