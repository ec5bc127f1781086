#include "reference/tinygrad/event_rows.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <unordered_map>

namespace vizd {
namespace {

constexpr std::array kEstimates{"FLOPS", "B/s mem", "B/s lds"};

bool is_meant(const EventSelection& selection, std::uint32_t at_us) {
  return !selection.between_us || (selection.between_us->first <= at_us && at_us <= selection.between_us->second);
}

std::vector<const ReferenceLane*> lanes_meant(const ReferenceProfile& profile, const EventSelection& selection) {
  if (selection.lane != nullptr) return {selection.lane};
  std::vector<const ReferenceLane*> lanes;
  for (const ReferenceLane& lane : profile.lanes) {
    if (lane.kind == ReferenceLane::Kind::kEvents) lanes.push_back(&lane);
  }
  return lanes;
}

EventDetails details_of(const ReferenceEvent& event) {
  EventDetails details = EventDetails::parse(event.details, nullptr, false);
  return details.is_object() ? details : EventDetails::object();
}

// Takes the stack out of the details, innermost frame first: of an event without details its first frame of the user's
// becomes its place, and what is left are lines of their own.
std::string take_stack(EventDetails& details) {
  const auto found = details.find("tb");
  if (found == details.end()) return "";
  const EventDetails frames = *found;
  details.erase("tb");
  std::string text;
  for (auto frame = frames.rbegin(); frame != frames.rend(); ++frame) {
    if (!frame->is_array() || frame->size() < 4) continue;
    const auto word = [&](std::size_t i) {
      return (*frame)[i].is_string() ? (*frame)[i].get<std::string>() : (*frame)[i].dump();
    };
    const std::string file = word(0), function = word(2);
    const std::string line = fmt::format("{}:{} {}", file.substr(file.rfind('/') + 1), word(1), function);
    if (!details.empty()) {
      text += fmt::format("{}{} {}", text.empty() ? "" : "\n", line, word(3));
    } else if (!file.starts_with('<') && !function.starts_with('<')) {
      details["loc"] = line;
    }
  }
  return text;
}

// The sums of the events of one name.
struct NameSum {
  const ReferenceLane* lane = nullptr;
  const ReferenceEvent* first = nullptr;
  double ms = 0;
  std::size_t count = 0;
  std::optional<std::uint32_t> context = {};
  std::array<std::optional<double>, kEstimates.size()> estimates = {};  // what was done, not by the second
};

void add_event(NameSum& sum, const ReferenceEvent& event) {
  const double dur_us = double{event.dur_us};
  sum.context = event.context;
  sum.ms += dur_us * 1e-3;
  ++sum.count;
  if (event.details.find("S") == std::string::npos && event.details.find("/s") == std::string::npos) return;
  const EventDetails details = details_of(event);
  for (std::size_t i = 0; i < kEstimates.size(); ++i) {
    const auto value = details.find(kEstimates[i]);
    if (value == details.end() || !value->is_number()) continue;
    sum.estimates[i] = sum.estimates[i].value_or(0) + value->get<double>() * dur_us * 1e-6;
  }
}

TopRow top_row(const NameSum& sum, double total_ms, bool with_device) {
  TopRow row{.name = sum.first->name, .dur_ms = sum.ms, .count = sum.count, .context = sum.context};
  if (with_device) row.name = fmt::format("{:7.7s} {}", sum.lane->name, sum.first->name);
  row.percent = sum.ms / total_ms * 100;
  row.details = EventDetails::object();
  for (std::size_t i = 0; i < kEstimates.size(); ++i) {
    if (sum.estimates[i])
      (*row.details)[kEstimates[i]] = static_cast<std::int64_t>(*sum.estimates[i] / (sum.ms * 1e-3));
  }
  return row;
}

}  // namespace

std::vector<TopRow> top_rows(const ReferenceProfile& profile, const EventSelection& selection, std::int64_t most) {
  std::vector<NameSum> sums;
  double total_ms = 0;
  for (const ReferenceLane* const lane : lanes_meant(profile, selection)) {
    std::unordered_map<std::string_view, std::size_t> places;
    for (const ReferenceEvent& event : lane->events) {
      if (!is_meant(selection, event.at_us)) continue;
      const auto [place, is_new] = places.try_emplace(event.name, sums.size());
      if (is_new) sums.push_back({.lane = lane, .first = &event});
      add_event(sums[place->second], event);
      total_ms += double{event.dur_us} * 1e-3;
    }
  }
  std::ranges::stable_sort(sums, std::greater(), &NameSum::ms);
  const std::size_t shown = most < 0 ? sums.size() : std::min(sums.size(), static_cast<std::size_t>(most));
  std::vector<TopRow> rows;
  for (std::size_t i = 0; i < shown; ++i) rows.push_back(top_row(sums[i], total_ms, selection.lane == nullptr));
  if (shown == sums.size()) return rows;
  TopRow other{.name = "Other"};
  for (std::size_t i = shown; i < sums.size(); ++i) {
    other.dur_ms += sums[i].ms;
    other.count += sums[i].count;
  }
  other.percent = other.dur_ms / total_ms * 100;
  rows.push_back(std::move(other));
  return rows;
}

std::vector<EventRow> event_rows(const ReferenceProfile& profile, const EventSelection& selection) {
  std::vector<EventRow> rows;
  for (const ReferenceLane& lane : profile.lanes) {
    if (selection.lane == nullptr && lane.kind != ReferenceLane::Kind::kEvents)
      rows.push_back({.device = "SOURCE", .name = lane.name});
  }
  std::vector<std::pair<std::uint32_t, EventRow>> timed;
  for (const ReferenceLane* const lane : lanes_meant(profile, selection)) {
    for (const ReferenceEvent& event : lane->events) {
      if (!is_meant(selection, event.at_us)) continue;
      EventDetails details = details_of(event);
      std::string stack = take_stack(details);
      timed.emplace_back(event.at_us, EventRow{.device = lane->name,
                                               .name = event.name,
                                               .dur_ms = double{event.dur_us} * 1e-3,
                                               .at_ms = event.at_us * 1e-3,
                                               .context = event.context,
                                               .details = std::move(details),
                                               .stack = std::move(stack)});
    }
  }
  for (const ReferenceMarker& marker : profile.markers) {
    if (!is_meant(selection, marker.at_us)) continue;
    timed.emplace_back(marker.at_us, EventRow{.device = "MARKER", .name = marker.name, .at_ms = marker.at_us * 1e-3});
  }
  std::ranges::stable_sort(timed, {}, [](const auto& row) { return row.first; });
  for (auto& [at_us, row] : timed) rows.push_back(std::move(row));
  return rows;
}

}  // namespace vizd
