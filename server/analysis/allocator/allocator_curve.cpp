#include "analysis/allocator/allocator_curve.h"

#include <algorithm>

namespace vizd {
namespace {

std::int64_t signed_bytes_of(std::uint64_t bytes) { return static_cast<std::int64_t>(bytes); }

// Sums that change at moments.
class Changes {
 public:
  explicit Changes(std::size_t moments) : by_moment_(moments) {}

  void add(AllocatorMoment from, AllocatorMoment to, std::uint64_t bytes) {
    if (from >= to) return;
    by_moment_[from] += signed_bytes_of(bytes);
    if (to < by_moment_.size()) by_moment_[to] -= signed_bytes_of(bytes);
  }
  std::vector<std::int64_t> sums() && {
    for (std::size_t i = 1; i < by_moment_.size(); ++i) by_moment_[i] += by_moment_[i - 1];
    return std::move(by_moment_);
  }

 private:
  std::vector<std::int64_t> by_moment_;
};

AllocatorCurve::Peak peak_of(const std::vector<std::int64_t>& bytes) {
  const auto most = std::ranges::max_element(bytes);
  return {*most, static_cast<AllocatorMoment>(most - bytes.begin())};
}

}  // namespace

AllocatorCurve allocator_curve(const Track& track) {
  const AllocatorLog& log = *track.allocator;
  const AllocatorLives& lives = log.lives;
  const std::size_t moments = log.entries.size() + 1;
  AllocatorCurve curve;
  const auto sum = [&](auto&& end, auto&& size) {
    Changes changes(moments);
    for (std::size_t i = 0; i < lives.size(); ++i) changes.add(lives.born[i], end(i), size(i));
    return std::move(changes).sums();
  };
  const auto block = [&](std::size_t i) { return track.allocations[i].size_bytes(); };
  const auto completed = [&](std::size_t i) { return lives.completed[i]; };
  curve.allocated_bytes = sum([&](std::size_t i) { return lives.done(i); }, block);
  const auto active = sum(completed, block);
  const auto requested = sum(completed, [&](std::size_t i) { return lives.requested_bytes[i]; });
  Changes reserved(moments);
  for (const AllocatorSegment& segment : log.segments.span())
    reserved.add(segment.from, segment.to, segment.size_bytes);
  curve.reserved_bytes = std::move(reserved).sums();
  curve.reserved = peak_of(curve.reserved_bytes);
  curve.allocated = peak_of(curve.allocated_bytes);
  curve.active = peak_of(active);
  curve.requested = peak_of(requested);
  curve.start = {curve.reserved_bytes.front(), curve.allocated_bytes.front(), active.front(), requested.front()};
  curve.end = {curve.reserved_bytes.back(), curve.allocated_bytes.back(), active.back(), requested.back()};
  return curve;
}

AllocatorMoment moment_at(const AllocatorLog& log, std::int64_t at_ns) {
  const auto times = log.entries.at_ns.span();
  return static_cast<AllocatorMoment>(std::ranges::upper_bound(times, at_ns) - times.begin());
}

std::int64_t time_of(const AllocatorLog& log, AllocatorMoment moment) {
  const auto times = log.entries.at_ns.span();
  if (times.empty()) return 0;
  return moment == 0 ? times.front() : times[std::min<std::size_t>(moment, times.size()) - 1];
}

AllocatorMoment peak_between(const Track& track, const AllocatorCurve& curve, std::int64_t from_ns,
                             std::int64_t to_ns) {
  const AllocatorMoment first = moment_at(*track.allocator, from_ns - 1), last = moment_at(*track.allocator, to_ns);
  const auto begin = curve.allocated_bytes.begin();
  return static_cast<AllocatorMoment>(std::max_element(begin + std::min(first + 1, last), begin + last + 1) - begin);
}

StackedCurve stacked_curve(const Track& track, const AllocatorCurve& curve, const AllocationOwners& owners,
                           const CurveQuestion& question) {
  const AllocatorLog& log = *track.allocator;
  StackedCurve stacked;
  const auto stretch_of = [&](AllocatorMoment moment) {
    const auto at = static_cast<double>(time_of(log, moment) - question.from_ns);
    const auto all = static_cast<double>(std::max<std::int64_t>(question.to_ns - question.from_ns, 1));
    return static_cast<std::size_t>(at / all * static_cast<double>(question.stretches));
  };
  const AllocatorMoment before = moment_at(log, question.from_ns - 1), last = moment_at(log, question.to_ns);
  stacked.moments.push_back(before);
  stacked.reserved_bytes.push_back(curve.reserved_bytes[before]);
  for (AllocatorMoment first = before + 1; first <= last;) {
    const std::size_t stretch = stretch_of(first);
    AllocatorMoment end = first, peak = first;
    std::int64_t reserved = 0;
    for (; end <= last && stretch_of(end) == stretch; ++end) {
      if (curve.allocated_bytes[end] > curve.allocated_bytes[peak]) peak = end;
      reserved = std::max(reserved, curve.reserved_bytes[end]);
    }
    stacked.moments.push_back(peak);
    stacked.reserved_bytes.push_back(reserved);
    if (peak + 1 != end) {
      stacked.moments.push_back(end - 1);
      stacked.reserved_bytes.push_back(curve.reserved_bytes[end - 1]);
    }
    first = end;
  }
  std::vector<std::uint32_t> row_of(owners.names.size(), kNoId);
  for (std::uint32_t row = 0; row < question.owners.size(); ++row) row_of[question.owners[row]] = row;
  // First by how much each moment has more than the one before it.
  stacked.bytes_by_owner.assign(question.owners.size(), std::vector<std::uint64_t>(stacked.moments.size() + 1));
  for (std::uint32_t i = 0; i < log.lives.size(); ++i) {
    const std::uint32_t row = row_of[owners.of_life[i]];
    if (row == kNoId) continue;
    const auto place = [&](AllocatorMoment moment) {
      return static_cast<std::size_t>(std::ranges::lower_bound(stacked.moments, moment) - stacked.moments.begin());
    };
    const std::size_t born = place(log.lives.born[i]), done = place(log.lives.done(i));
    if (born >= done) continue;
    stacked.bytes_by_owner[row][born] += track.allocations[i].size_bytes();
    stacked.bytes_by_owner[row][done] -= track.allocations[i].size_bytes();
  }
  for (std::vector<std::uint64_t>& bytes : stacked.bytes_by_owner) {
    for (std::size_t i = 1; i < bytes.size(); ++i) bytes[i] += bytes[i - 1];
    bytes.pop_back();
  }
  return stacked;
}

}  // namespace vizd
