#include "model/event_columns.h"

#include <algorithm>
#include <array>

#include "base/assert.h"

namespace vizd {
namespace {

template <typename T>
Column<T> gathered(const Column<T>& column, const LargeVector<std::uint32_t>& places) {
  LargeVector<T> values(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) values[i] = column[places[i]];
  return Column<T>(std::move(values));
}

template <typename T, T kUsual>
void gather_sparse(SparseColumn<T, kUsual>& column, const LargeVector<std::uint32_t>& places) {
  if (column.is_usual()) return;
  SparseColumn<T, kUsual> values;
  for (std::size_t i = 0; i < places.size(); ++i) values.set(i, column[places[i]]);
  column = std::move(values);
}

}  // namespace

std::string_view event_kind_name(EventKind kind) {
  constexpr std::array<std::string_view, kEventKinds> kNames = {"span", "instant", "unfinished", "asynchronous"};
  return kNames[static_cast<std::size_t>(kind)];
}

void EventColumns::reserve(std::size_t size) {
  start_ns_.reserve(size);
  short_dur_.reserve(size);
  name_.reserve(size);
}

void EventColumns::push_back(const Event& event) {
  const std::size_t i = size();
  VIZD_ASSERT(i < kMostEvents);
  const bool is_short = event.dur_ns >= 0 && event.dur_ns < kLong;
  start_ns_.push_back(event.start_ns);
  short_dur_.push_back(is_short ? static_cast<std::uint32_t>(event.dur_ns) : kLong);
  if (!is_short) long_durs_.push_back({event.dur_ns, i});
  name_.push_back(static_cast<std::uint32_t>(event.name));
  context_.set(i, static_cast<std::uint32_t>(event.context));
  category_.set(i, static_cast<std::uint32_t>(event.category));
  traits_.set(i, static_cast<std::uint8_t>(static_cast<unsigned>(event.kind) | (event.is_error ? kError : 0u)));
  order_.set(i, event.order);
  dur_ps_.set(i, static_cast<std::uint16_t>(event.dur_ps));
  set_role(i, event.role, event.is_step);
}

void EventColumns::end(std::size_t i, std::int64_t dur_ns, EventKind kind) {
  const bool is_short = dur_ns >= 0 && dur_ns < kLong;
  short_dur_.set(i, is_short ? static_cast<std::uint32_t>(dur_ns) : kLong);
  if (!is_short) long_durs_.push_back({dur_ns, i});
  traits_.set(i, static_cast<std::uint8_t>(static_cast<unsigned>(kind) | (is_error(i) ? kError : 0u)));
}

void EventColumns::settle() {
  const auto is_late = [](const LongDuration& a, const LongDuration& b) { return a.event >= b.event; };
  if (std::ranges::adjacent_find(long_durs_.span(), is_late) == long_durs_.span().end()) return;
  LargeVector<LongDuration> sorted(long_durs_.span().begin(), long_durs_.span().end());
  // An event that was ended more than once ends at its last end, which comes first here.
  std::ranges::reverse(sorted);
  std::ranges::stable_sort(sorted, {}, &LongDuration::event);
  const auto rest = std::ranges::unique(sorted, {}, &LongDuration::event);
  sorted.erase(rest.begin(), rest.end());
  long_durs_ = Column<LongDuration>(std::move(sorted));
}

Event EventColumns::operator[](std::size_t i) const {
  return {.start_ns = start_ns(i),
          .dur_ns = dur_ns(i),
          .name = name(i),
          .context = context(i),
          .category = category(i),
          .kind = kind(i),
          .is_error = is_error(i),
          .order = order_[i],
          .dur_ps = dur_ps_[i],
          .role = role(i),
          .is_step = is_step(i)};
}

std::int64_t EventColumns::long_dur_ns(std::size_t i) const {
  const auto found = std::ranges::lower_bound(long_durs_.span(), i, {}, [](const LongDuration& d) { return d.event; });
  VIZD_ASSERT(found != long_durs_.span().end() && found->event == i);
  return found->dur_ns;
}

std::int64_t EventColumns::long_length_ns(std::size_t i) const { return std::max<std::int64_t>(long_dur_ns(i), 0); }

void EventColumns::permute(const LargeVector<std::uint32_t>& places) {
  VIZD_ASSERT(places.size() == size());
  if (!long_durs_.empty()) {
    Column<LongDuration> moved;
    for (std::size_t i = 0; i < places.size(); ++i) {
      if (short_dur_[places[i]] == kLong) moved.push_back({long_dur_ns(places[i]), i});
    }
    long_durs_ = std::move(moved);
  }
  start_ns_ = gathered(start_ns_, places);
  short_dur_ = gathered(short_dur_, places);
  name_ = gathered(name_, places);
  gather_sparse(context_, places);
  gather_sparse(category_, places);
  gather_sparse(traits_, places);
  gather_sparse(order_, places);
  gather_sparse(dur_ps_, places);
  gather_sparse(roles_, places);
}

}  // namespace vizd
