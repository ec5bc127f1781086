#include "formats/etdump/blocks.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "formats/etdump/collation.h"

namespace vizd::etdump {
namespace {

// As the Inspector words it.
const Error kUnknownEvent{ErrorKind::kBadInput,
                          "the Inspector has no answer: an allocation event ends it with \"ValueError: Unable to find "
                          "populated event\"; leave out --reference-grouping",
                          ""};

void identify(const EventIdentity& of, BlockEvent& event) {
  event.is_delegated = of.is_delegated();
  event.delegate_number.reset();
  event.delegate_text.clear();
  if (of.delegate_number != -1) {
    event.delegate_number = of.delegate_number;
  } else if (event.is_delegated) {
    event.delegate_text = std::string(*of.delegate_text);
  }
  const std::string name = event.is_delegated ? event.delegate_id() : std::string(of.name.value_or(""));
  if (!name.empty()) event.name = name;
}

BlockEvent event_of(const CollatedEvent& from) {
  const EventIdentity& of = from.profile != nullptr ? from.profile->of : from.debug.front()->of;
  BlockEvent event;
  if (from.profile != nullptr) identify(from.profile->of, event);
  if (!from.debug.empty()) identify(from.debug.front()->of, event);
  if (of.instruction != -1) event.instruction = of.instruction;
  event.occurrence = from.occurrence;
  event.is_timed = from.profile != nullptr;
  return event;
}

void add_iteration(const CollatedEvent& from, BlockEvent& event) {
  if (from.profile != nullptr) {
    if (!from.profile->metadata.empty()) event.metadata.resize(event.starts.size());
    event.starts.push_back(from.profile->start);
    event.ends.push_back(from.profile->end);
    if (!event.metadata.empty() || !from.profile->metadata.empty()) event.metadata.push_back(from.profile->metadata);
  }
  if (event.logged.empty()) {
    for (const DebugEvent* debug : from.debug) event.logged.push_back(debug->value);
  }
}

class Former {
 public:
  explicit Former(Grouping grouping) : grouping_(grouping) {}

  Result<void> add(const Run& run) {
    const std::uint32_t number = runs_++;
    if (!run.has_events) return {};
    if (grouping_ == Grouping::kReference && !run.allocation_events.empty()) return kUnknownEvent;
    const auto events = grouping_ == Grouping::kReference ? collate_as_inspector(run) : collate(run);
    std::string signature(run.name);
    signature.push_back('\0');
    signature += std::to_string(run.bundled_input);
    for (const CollatedEvent& event : events) signature += event.signature;
    const auto [place, is_new] = places_.try_emplace(std::move(signature), blocks_.size());
    if (is_new) begin_block(run, events);
    Block& block = blocks_[place->second];
    block.runs.push_back(number);
    for (std::size_t i = 0; i < events.size(); ++i) add_iteration(events[i], block.events[i]);
    if (block.logged_outputs.empty()) add_outputs(run, block);
    return {};
  }

  std::vector<Block> take() { return std::move(blocks_); }

 private:
  void begin_block(const Run& run, const std::vector<CollatedEvent>& events) {
    Block& block = blocks_.emplace_back();
    block.name = std::string(run.name);
    block.bundled_input = run.bundled_input;
    for (const CollatedEvent& event : events) block.events.push_back(event_of(event));
  }
  static void add_outputs(const Run& run, Block& block) {
    for (const DebugEvent& event : run.debug_events) {
      if (event.value.is_output) block.logged_outputs.push_back(event.value);
    }
  }

  const Grouping grouping_;
  std::uint32_t runs_ = 0;
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<Block> blocks_;
};

}  // namespace

Statistics statistics_of(std::vector<double> values) {
  std::ranges::sort(values);
  const auto percentile = [&](double share) {
    const double at = static_cast<double>(values.size() - 1) * share;
    const auto below = static_cast<std::size_t>(at);
    if (below + 1 == values.size()) return values.back();
    return values[below] + (at - std::floor(at)) * (values[below + 1] - values[below]);
  };
  return {.average = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size()),
          .p10 = percentile(0.1),
          .p50 = percentile(0.5),
          .p90 = percentile(0.9),
          .least = values.front(),
          .greatest = values.back()};
}

Result<std::vector<Block>> form_blocks(const EtdumpFile& file, Grouping grouping) {
  Former former(grouping);
  VIZD_TRY(file.for_each_run([&](const Run& run) { return former.add(run); }));
  return former.take();
}

}  // namespace vizd::etdump
