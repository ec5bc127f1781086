// Samples of stacks that a trace lists beside its events, in its members "samples" and "stackFrames".
#include <algorithm>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "formats/chrome_trace/json_token.h"
#include "formats/chrome_trace/trace_reader.h"

namespace vizd::chrome_trace {
namespace {

constexpr std::size_t kMostDepth = 4096;

struct ListedFrame {
  std::string name, parent;
  std::optional<StackId> stack;
};

// The stack of each frame that is listed: its own frame, called by its parent's.
class ListedStacks {
 public:
  ListedStacks(Capture& capture, EventParser& parser, std::string_view list) : capture_(capture) {
    std::vector<Member> frames, members;
    std::string scratch;
    if (list.empty() || !parser.parse_object(list, frames)) return;
    for (const Member& frame : frames) {
      if (!parser.parse_object(frame.value, members)) continue;
      ListedFrame& added = frames_[std::string(frame.key)];
      for (const Member& member : members) {
        if (member.key == "name") added.name = text_of(member.value, scratch);
        if (member.key == "parent") added.parent = text_of(member.value, scratch);
      }
    }
  }

  // None where the frame is not listed, or its callers never end.
  std::optional<StackId> find(const std::string& id) {
    std::vector<ListedFrame*> unknown;
    StackId caller{kNoId};
    for (auto found = frames_.find(id);;) {
      if (found == frames_.end() || unknown.size() > kMostDepth) return std::nullopt;
      if (found->second.stack) {
        caller = *found->second.stack;
        break;
      }
      unknown.push_back(&found->second);
      if (found->second.parent.empty()) break;
      found = frames_.find(found->second.parent);
    }
    for (; !unknown.empty(); unknown.pop_back()) {
      const auto made = to_id<StackId>(capture_.stacks.size());
      capture_.stacks.push_back({{.function = capture_.strings.add(unknown.back()->name)}, caller});
      unknown.back()->stack = caller = made;
    }
    return caller;
  }

 private:
  Capture& capture_;
  std::map<std::string, ListedFrame> frames_;  // by id
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
    const auto stack = is_missing(frame) ? std::nullopt : stacks.find(std::string(text_or_empty(frame)));
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
