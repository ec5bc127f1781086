#include "analysis/graph_replay/alignment.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "analysis/graph_replay/interleaving.h"
#include "analysis/graph_replay/longest_subsequence.h"

namespace vizd {
namespace {

bool is_same(const CapturedLaunch& launch, const ReplayedWork& work) {
  return work.may_be(launch.kind) && (launch.kind != EventRole::kKernel || launch.name == work.name);
}

// What two of a kind have in common: a kernel's name, or that it is a copy or a set.
struct Symbol {
  EventRole kind;
  StringId name;
  bool operator==(const Symbol&) const = default;
  auto operator<=>(const Symbol&) const = default;
};

Symbol symbol_of(const ReplayedWork& work) {
  if (work.or_kind == EventRole::kKernel) return {EventRole::kKernel, work.name};
  return {work.or_kind, kNoText};
}

Symbol symbol_of(const CapturedLaunch& launch) {
  return {launch.kind, launch.kind == EventRole::kKernel ? launch.name : kNoText};
}

std::optional<Alignment> align_one_by_one(const std::vector<ReplayedWork>& work,
                                          const std::vector<CapturedLaunch>& launches) {
  if (work.size() != launches.size()) return std::nullopt;
  Alignment aligned;
  for (std::uint32_t i = 0; i < work.size(); ++i) {
    const bool stands_for_any = launches[i].is_unnamed() && work[i].kind == EventRole::kKernel;
    if (!stands_for_any && !is_same(launches[i], work[i])) return std::nullopt;
    aligned.launches.push_back(i);
    aligned.found.push_back(launches[i].is_unnamed() ? Found::kGuessed : Found::kOrder);
  }
  aligned.fit = {work.size(), work.size()};
  return aligned;
}

// Between two pairs, or an end, with as many left over on both sides: one for one, of the same kind, guessed.
void pair_rest(const std::vector<Symbol>& work, const std::vector<Symbol>& launches, Alignment& aligned) {
  std::size_t next = 0, next_launch = 0;
  for (std::size_t i = 0; i <= work.size(); ++i) {
    if (i < work.size() && aligned.launches[i] == kNoId) continue;
    const std::size_t launch = i < work.size() ? aligned.launches[i] : launches.size();
    if (i - next == launch - next_launch) {
      for (; next < i; ++next, ++next_launch) {
        if (work[next].kind != launches[next_launch].kind) continue;
        aligned.launches[next] = static_cast<std::uint32_t>(next_launch);
        aligned.found[next] = Found::kGuessed;
      }
    }
    next = i + 1, next_launch = launch + 1;
  }
}

// How many they have in common, whatever their order.
std::size_t count_common(std::vector<Symbol> x, std::vector<Symbol> y) {
  std::ranges::sort(x);
  std::ranges::sort(y);
  std::size_t common = 0;
  for (std::size_t i = 0, j = 0; i < x.size() && j < y.size();) {
    const auto order = x[i] <=> y[j];
    if (order == 0) ++common;
    if (order <= 0) ++i;
    if (order >= 0) ++j;
  }
  return common;
}

Alignment align_by_order(const std::vector<Symbol>& work, const std::vector<Symbol>& launches) {
  Alignment aligned{.launches = std::vector(work.size(), kNoId), .found = std::vector(work.size(), Found::kNone)};
  aligned.is_by_order = true;
  aligned.fit = {0, std::max<std::size_t>({work.size(), launches.size(), 1})};
  for (std::size_t i = 0; i < std::min(work.size(), launches.size()); ++i) {
    if (work[i].kind != launches[i].kind) continue;
    aligned.launches[i] = static_cast<std::uint32_t>(i);
    aligned.found[i] = Found::kGuessed;
    if (work[i] == launches[i]) ++aligned.fit.alike;
  }
  return aligned;
}

void take_from(std::size_t& left, std::size_t taken) { left -= std::min(left, taken); }

Alignment align_by_name(const std::vector<ReplayedWork>& work, const std::vector<CapturedLaunch>& launches,
                        bool is_certain, std::size_t& steps_left) {
  Alignment aligned{.launches = std::vector(work.size(), kNoId), .found = std::vector(work.size(), Found::kNone)};
  if (std::ranges::any_of(launches, &CapturedLaunch::is_unnamed)) return aligned;
  std::vector<Symbol> x, y;
  for (const ReplayedWork& piece : work) x.push_back(symbol_of(piece));
  for (const CapturedLaunch& launch : launches) y.push_back(symbol_of(launch));
  aligned.fit = {count_common(x, y), std::max<std::size_t>({x.size(), y.size(), 1})};
  if (!aligned.fit.is_half()) return aligned;  // no order makes it better
  std::size_t taken = 0;
  const auto common = common_subsequence(std::span<const Symbol>(x), std::span<const Symbol>(y),
                                         std::min(kMostAlignmentSteps, steps_left), &taken);
  take_from(steps_left, taken);
  if (!common) return align_by_order(x, y);
  aligned.fit = {common->length, std::max<std::size_t>({x.size(), y.size(), 1})};
  aligned.launches = common->partners;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (aligned.launches[i] == kNoId) continue;
    const bool is_sure = is_certain && aligned.fit.is_good() && common->is_only[i];
    aligned.found[i] = is_sure ? Found::kOrder : Found::kGuessed;
  }
  pair_rest(x, y, aligned);
  return aligned;
}

std::optional<Alignment> align_streams(const std::vector<ReplayedWork>& work,
                                       const std::vector<CapturedLaunch>& launches, std::size_t& steps_left) {
  if (work.size() != launches.size() || std::ranges::any_of(launches, &CapturedLaunch::is_unnamed)) return std::nullopt;
  std::vector<std::vector<std::uint32_t>> queues;
  for (std::uint32_t i = 0; i < work.size(); ++i) {
    if (work[i].stream >= queues.size()) queues.resize(work[i].stream + 1);
    queues[work[i].stream].push_back(i);
  }
  std::erase_if(queues, [](const auto& queue) { return queue.empty(); });
  const auto fits = [&](std::uint32_t piece, std::size_t launch) { return is_same(launches[launch], work[piece]); };
  const std::size_t cost = kStepsOfState * queues.size();
  std::size_t taken = 0;
  const auto order = interleave(
      queues, fits, std::min(kMostInterleavings, steps_left / cost),
      [&](std::uint32_t piece) { return work[piece].start_ns; }, &taken);
  take_from(steps_left, cost * taken);
  if (!order) return std::nullopt;
  Alignment aligned{.launches = std::vector(work.size(), kNoId), .found = std::vector(work.size(), Found::kNone)};
  for (std::uint32_t c = 0; c < launches.size(); ++c) {
    aligned.launches[(*order)[c].piece] = c;
    aligned.found[(*order)[c].piece] = (*order)[c].is_only ? Found::kOrder : Found::kGuessed;
  }
  aligned.fit = {work.size(), work.size()};
  return aligned;
}

}  // namespace

Alignment align(const std::vector<ReplayedWork>& work, const std::vector<CapturedLaunch>& launches, bool is_ordered,
                std::size_t& steps_left) {
  take_from(steps_left, work.size() + launches.size());
  const bool is_one_stream =
      std::ranges::all_of(work, [&](const ReplayedWork& piece) { return piece.stream == work.front().stream; });
  if (is_ordered || is_one_stream) {
    if (auto aligned = align_one_by_one(work, launches)) return *std::move(aligned);
    return align_by_name(work, launches, true, steps_left);
  }
  if (auto aligned = align_streams(work, launches, steps_left)) return *std::move(aligned);
  return align_by_name(work, launches, false, steps_left);
}

}  // namespace vizd
