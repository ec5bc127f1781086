// Samples of stacks that a trace lists beside its events, in its members "samples" and "stackFrames".
#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "formats/chrome_trace/json_token.h"
#include "formats/chrome_trace/trace_reader.h"

namespace vizd::chrome_trace {
namespace {

constexpr std::uint32_t kMostDepth = 4096;

// The stack of each frame that is listed: its own frame, called by its parent's. A frame is parsed once a sample names
// it: a list may have very many.
class ListedStacks {
 public:
  ListedStacks(Capture& capture, EventParser& parser, std::string_view list) : capture_(capture), parser_(parser) {
    if (list.empty() || !parser.parse_object(list, frames_)) return;
    std::ranges::stable_sort(frames_, {}, &Member::key);
    seen_.resize(frames_.size());
  }

  // None where the frame is not listed, or its callers never end. Each frame is looked at once, however often it is
  // named.
  std::optional<StackId> find(std::string_view id) {
    std::vector<Unknown> unknown;
    Seen caller;
    for (std::string next(id);;) {
      const auto at = place_of(next);
      if (!at || seen_[*at].depth == kEndless) return std::nullopt;
      if (seen_[*at].depth > 0) {
        caller = seen_[*at];
        break;
      }
      unknown.push_back(look_at(*at, next));
      seen_[*at].depth = kEndless;  // until its callers are found to end
      if (next.empty()) break;
    }
    for (; !unknown.empty(); unknown.pop_back()) {
      if (caller.depth == kMostDepth) return std::nullopt;
      const auto made = to_id<StackId>(capture_.stacks.size());
      capture_.stacks.push_back({{.function = unknown.back().function}, caller.stack});
      seen_[unknown.back().place] = caller = {made, caller.depth + 1};
    }
    return caller.stack;
  }

 private:
  struct Unknown {
    std::size_t place;
    StringId function;
  };
  struct Seen {
    StackId stack{kNoId};
    std::uint32_t depth = 0;  // of the stack; 0: not looked at yet
  };
  static constexpr std::uint32_t kEndless = UINT32_MAX;

  // Where several frames have one id, the last one counts.
  std::optional<std::size_t> place_of(std::string_view id) const {
    const auto found = std::ranges::equal_range(frames_, id, {}, &Member::key);
    if (found.empty()) return std::nullopt;
    return static_cast<std::size_t>(found.end() - frames_.begin() - 1);
  }
  // parent: becomes the id of the frame that called it; "" where none did.
  Unknown look_at(std::size_t place, std::string& parent) {
    parent.clear();
    std::string scratch;
    Unknown frame{place, capture_.strings.add("")};
    if (!parser_.parse_object(frames_[place].value, members_)) return frame;
    for (const Member& member : members_) {
      if (member.key == "name") frame.function = capture_.strings.add(text_of(member.value, scratch));
      if (member.key == "parent" && !is_missing(member.value)) parent = text_of(member.value, scratch);
    }
    return frame;
  }

  Capture& capture_;
  EventParser& parser_;
  std::vector<Member> frames_;   // by id
  std::vector<Seen> seen_;       // of each frame
  std::vector<Member> members_;  // of the frame that is looked at
};

}  // namespace

void TraceReader::take_samples() {
  if (samples_.empty()) return;
  std::vector<std::string_view> list;
  std::vector<Member> members;
  ListedStacks stacks(capture_, parser_, stack_frames_);
  std::map<std::uint32_t, std::vector<std::tuple<std::int64_t, StackId, double>>> by_lane;
  std::uint64_t unusable = 0;
  if (!parser_.parse_list(samples_, list)) unusable = 1;
  for (const std::string_view sample : list) {
    std::string_view process, thread, time, weight, frame;
    if (parser_.parse_object(sample, members)) {
      for (const auto& [key, value] : members) {
        if (key == "pid") process = value;
        if (key == "tid") thread = value;
        if (key == "ts") time = value;
        if (key == "weight") weight = is_text(value) ? value.substr(1, value.size() - 2) : value;
        if (key == "sf") frame = value;
      }
    }
    const auto stack = is_missing(frame) ? std::nullopt : stacks.find(text_or_empty(frame));
    const auto at_ns = stack ? time_of(time) : std::nullopt;
    parsed_.process = process;
    std::uint32_t place = at_ns && is_missing(process) ? lanes_.first_of_thread(thread) : kNoId;
    if (at_ns && place == kNoId) place = find_lane(thread);
    if (place == kNoId) {
      ++unusable;
      continue;
    }
    last_ns_ = std::max(last_ns_, *at_ns);
    by_lane[place].emplace_back(*at_ns + facts_.origin_ns, *stack, real_of(weight).value_or(1));
  }
  for (auto& [place, samples] : by_lane) {
    std::ranges::stable_sort(samples, {}, [](const auto& sample) { return std::get<0>(sample); });
    for (const auto& [at_ns, stack, weight] : samples)
      lanes_[place].samples.push_back(at_ns - facts_.origin_ns, stack, weight);
  }
  if (unusable > 0) capture_.skipped["samples without a time, or of a stack that the trace does not have"] += unusable;
}

}  // namespace vizd::chrome_trace
