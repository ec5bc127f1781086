#include "formats/etdump/blocks.h"

#include <algorithm>
#include <cmath>
#include <deque>
#include <numeric>
#include <unordered_map>
#include <utility>

namespace vizd::etdump {
namespace {

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

BlockEvent event_of(const Run& run, const CollatedEvent& from, const Grouping& grouping) {
  BlockEvent event;
  const auto take = [&](const EventIdentity& of) {
    identify(of, event);
    event.instruction.reset();
    if (of.instruction != -1 || (grouping.tells_written_none && of.is_none_written)) event.instruction = of.instruction;
  };
  if (from.is_timed()) take(run.profile_events[from.profile].of);
  if (!from.debug.empty() && (!from.is_timed() || grouping.is_named_by_values))
    take(run.debug_events[from.debug.front()].of);
  event.occurrence = from.occurrence;
  event.is_timed = from.is_timed();
  return event;
}

void add_times(const Run& run, const CollatedEvent& from, BlockEvent& event) {
  if (from.is_timed()) {
    const ProfileEvent& profile = run.profile_events[from.profile];
    if (!profile.metadata.empty()) event.metadata.resize(event.starts.size());
    event.starts.push_back(static_cast<std::int64_t>(profile.start));
    event.ends.push_back(static_cast<std::int64_t>(profile.end));
    if (!event.metadata.empty() || !profile.metadata.empty()) event.metadata.push_back(profile.metadata);
  }
}

void add_values(const Run& run, const CollatedEvent& from, BlockEvent& event) {
  if (!event.logged.empty()) return;
  for (const std::uint32_t place : from.debug) event.logged.push_back(run.debug_events[place].value);
}

// A run's stored events and how they belong together: most runs are like the one before.
struct RunShape {
  struct Item {
    Run::Kind kind;
    bool is_output;
    EventIdentity of;
  };
  std::string_view name;
  std::int32_t bundled_input = -1;
  std::vector<Item> items;
  std::vector<CollatedEvent> events;
  std::size_t block = 0;

  explicit RunShape(const Run& run) : name(run.name), bundled_input(run.bundled_input) {
    for (const Run::Stored stored : run.stored) items.push_back(item_of(run, stored));
  }

  bool is_of(const Run& run) const {
    if (run.name != name || run.bundled_input != bundled_input || run.stored.size() != items.size()) return false;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Item item = item_of(run, run.stored[i]);
      if (item.kind != items[i].kind || item.is_output != items[i].is_output || item.of != items[i].of) return false;
    }
    return true;
  }

 private:
  static Item item_of(const Run& run, Run::Stored stored) {
    switch (stored.kind) {
      case Run::Kind::kProfile:
        return {stored.kind, false, run.profile_events[stored.place].of};
      case Run::Kind::kDebug: {
        const DebugEvent& event = run.debug_events[stored.place];
        return {stored.kind, event.value.is_output, event.of};
      }
      case Run::Kind::kAllocation:
        break;
    }
    return {stored.kind, false, {}};
  }
};

class Former {
 public:
  Former(const Grouping& grouping, std::size_t iteration) : grouping_(grouping), iteration_(iteration) {}

  Result<void> add(const Run& run) {
    const std::uint32_t number = runs_++;
    if (!run.has_events) return {};
    if (grouping_.allocation_error && !run.allocation_events.empty()) return *grouping_.allocation_error;
    const RunShape& shape = shape_of(run);
    Block& block = blocks_[shape.block];
    block.runs.push_back(number);
    const bool tells_values = iteration_ == 0 || block.runs.size() == iteration_ + 1;
    for (std::size_t i = 0; i < shape.events.size(); ++i) {
      add_times(run, shape.events[i], block.events[i]);
      if (tells_values) add_values(run, shape.events[i], block.events[i]);
    }
    if (tells_values && block.logged_outputs.empty()) add_outputs(run, block);
    return {};
  }

  std::vector<Block> take() { return std::move(blocks_); }

 private:
  // The last few shapes are looked through, the latest first.
  const RunShape& shape_of(const Run& run) {
    constexpr std::size_t kKept = 8;
    const auto found = std::ranges::find_if(shapes_, [&](const RunShape& shape) { return shape.is_of(run); });
    if (found != shapes_.end()) {
      std::rotate(shapes_.begin(), found, found + 1);
      return shapes_.front();
    }
    RunShape shape(run);
    shape.events = grouping_.collate(run);
    std::string signature(run.name);
    signature.push_back('\0');
    signature += std::to_string(run.bundled_input);
    for (const CollatedEvent& event : shape.events) signature += event.signature;
    const auto [place, is_new] = places_.try_emplace(std::move(signature), blocks_.size());
    if (is_new) begin_block(run, shape.events);
    shape.block = place->second;
    if (shapes_.size() == kKept) shapes_.pop_back();
    shapes_.push_front(std::move(shape));
    return shapes_.front();
  }

  void begin_block(const Run& run, const std::vector<CollatedEvent>& events) {
    Block& block = blocks_.emplace_back();
    block.name = std::string(run.name);
    block.bundled_input = run.bundled_input;
    for (const CollatedEvent& event : events) block.events.push_back(event_of(run, event, grouping_));
  }
  static void add_outputs(const Run& run, Block& block) {
    for (const DebugEvent& event : run.debug_events) {
      if (event.value.is_output) block.logged_outputs.push_back(event.value);
    }
  }

  const Grouping& grouping_;
  const std::size_t iteration_;  // whose values are kept; 0: the first that has any
  std::uint32_t runs_ = 0;
  std::unordered_map<std::string, std::size_t> places_;
  std::vector<Block> blocks_;
  std::deque<RunShape> shapes_;
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

Result<std::vector<Block>> form_blocks(const EtdumpFile& file, const Grouping& grouping, std::size_t iteration) {
  Former former(grouping, iteration);
  VIZD_TRY(file.for_each_run([&](const Run& run) { return former.add(run); }));
  return former.take();
}

}  // namespace vizd::etdump
