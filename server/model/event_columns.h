// EventColumns: a track's events as columns: 16 bytes an event (start, duration, name), and what else an event may have
// only in tracks where any event has it. Its arguments lie beside them (model/arguments.h). A format appends events in
// any order but for this rule: of events that start together and take equally long, the first appended holds the
// others. So a span is appended when it begins, and its length is told when it ends (formats/span_stack.h). Preparing
// the timeline (timeline/timeline.h) then numbers the events by row, and in each row by start. Any thread may read.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/column.h"
#include "base/ids.h"
#include "base/string_table.h"
#include "model/dialect.h"

namespace vizd {

// A span takes time, be it none that the clock could measure; an instant does not; an unfinished one was still running
// when the capture ended, its duration being what was seen of it; an asynchronous one says nothing of what its track
// was busy with.
enum class EventKind : std::uint8_t { kSpan, kInstant, kUnfinished, kAsynchronous };
inline constexpr std::size_t kEventKinds = 4;

// What kind of work an event is, where the capture says so (Profile::is_trace): what keeps a device busy, a call of the
// host's that launches such work, an operator of a framework's around calls.
enum class EventRole : std::uint8_t { kNone, kKernel, kMemcpy, kMemset, kCall, kOperator };

inline bool is_work(EventRole role) {
  return role == EventRole::kKernel || role == EventRole::kMemcpy || role == EventRole::kMemset;
}

// "span", "instant", "unfinished", "asynchronous".
std::string_view event_kind_name(EventKind kind);

struct Event {
  std::int64_t start_ns = 0;
  std::int64_t dur_ns = 0;
  StringId name{};           // as shown: a linked context's name, with its colours
  ContextId context{kNoId};  // what it leads to
  StringId category{};       // "gemm", "cpu_op", …; "" where the capture has none
  EventKind kind = EventKind::kSpan;
  bool is_error = false;     // what it did failed
  std::uint32_t order = 0;   // its place among the track's events as the capture recorded them, where that matters
  std::uint32_t dur_ps = 0;  // what the duration is beyond dur_ns, where the capture knows: 0 to 999
  EventRole role = EventRole::kNone;
  bool is_step = false;  // the whole of a step of the workload, which says nothing of what was done in it

  // The whole duration, as the double nearest to it.
  double dur_us() const {
    if (dur_ps == 0) return static_cast<double>(dur_ns) / 1000;
    return (static_cast<double>(dur_ns) * 1000 + dur_ps) / 1'000'000;
  }
};

class EventColumns {
 public:
  static constexpr std::size_t kMostEvents = kNoId - 1;

  EventColumns() = default;
  explicit EventColumns(std::span<const Event> events) {
    for (const Event& event : events) push_back(event);
  }
  EventColumns(std::initializer_list<Event> events) : EventColumns(std::span(events.begin(), events.size())) {}

  std::size_t size() const { return start_ns_.size(); }
  bool empty() const { return size() == 0; }
  void reserve(std::size_t size);
  void push_back(const Event& event);
  // Tells how long event i took and of which kind it is, where that was not known when it was appended; told again, the
  // last counts. settle() comes after such calls, and before anybody reads the durations.
  void end(std::size_t i, std::int64_t dur_ns, EventKind kind);
  void settle();

  Event operator[](std::size_t i) const;
  Event front() const { return (*this)[0]; }
  Event back() const { return (*this)[size() - 1]; }

  std::int64_t start_ns(std::size_t i) const { return start_ns_[i]; }
  // As recorded: may be negative.
  std::int64_t dur_ns(std::size_t i) const { return short_dur_[i] != kLong ? short_dur_[i] : long_dur_ns(i); }
  // Its time on the lane: an event that ends before it starts takes none.
  std::int64_t length_ns(std::size_t i) const { return short_dur_[i] != kLong ? short_dur_[i] : long_length_ns(i); }
  std::int64_t end_ns(std::size_t i) const { return start_ns(i) + length_ns(i); }
  StringId name(std::size_t i) const { return StringId{name_[i]}; }
  ContextId context(std::size_t i) const { return ContextId{context_[i]}; }
  std::uint32_t order(std::size_t i) const { return order_[i]; }
  StringId category(std::size_t i) const { return StringId{category_[i]}; }
  EventKind kind(std::size_t i) const { return static_cast<EventKind>(traits_[i] & (kError - 1)); }
  bool is_error(std::size_t i) const { return (traits_[i] & kError) != 0; }
  EventRole role(std::size_t i) const { return static_cast<EventRole>(roles_[i] & (kStep - 1)); }
  bool is_step(std::size_t i) const { return (roles_[i] & kStep) != 0; }
  void set_role(std::size_t i, EventRole role, bool is_step) {
    roles_.set(i, static_cast<std::uint8_t>(static_cast<unsigned>(role) | (is_step ? kStep : 0u)));
  }
  // The kind's number, and kError: as they go over the wire.
  std::uint8_t traits(std::size_t i) const { return traits_[i]; }
  // Whether any event is no span, or an error.
  bool has_traits() const { return !traits_.is_usual(); }

  // Event i becomes what was event places[i]. places is a permutation.
  void permute(const LargeVector<std::uint32_t>& places);

  class Iterator {
   public:
    Iterator(const EventColumns* events, std::size_t i) : events_(events), i_(i) {}
    Event operator*() const { return (*events_)[i_]; }
    Iterator& operator++() {
      ++i_;
      return *this;
    }
    bool operator==(const Iterator&) const = default;

   private:
    const EventColumns* events_;
    std::size_t i_;
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size()}; }

  static constexpr std::uint8_t kError = 4;  // beside the kind, which is below it

  // Durations below kLong, in nanoseconds; kLong stands for all others, which long_durs has by event, sorted.
  static constexpr std::uint32_t kLong = 0xFFFFFFFFu;
  struct LongDuration {
    std::int64_t dur_ns;
    std::uint64_t event;
  };

  // Calls visit(column) for each column, always in the same order: to store them, and to put stored ones in.
  template <typename Visit>
  void for_each_column(Visit&& visit) {
    visit(start_ns_), visit(short_dur_), visit(name_), visit(long_durs_), visit(context_), visit(category_);
    visit(traits_), visit(order_), visit(dur_ps_), visit(roles_);
  }
  template <typename Visit>
  void for_each_column(Visit&& visit) const {
    visit(start_ns_), visit(short_dur_), visit(name_), visit(long_durs_), visit(context_), visit(category_);
    visit(traits_), visit(order_), visit(dur_ps_), visit(roles_);
  }

  std::span<const std::int64_t> starts() const { return start_ns_.span(); }
  std::span<const std::uint32_t> short_durs() const { return short_dur_.span(); }
  std::span<const std::uint32_t> names() const { return name_.span(); }

 private:
  static constexpr std::uint8_t kStep = 8;  // beside the role, which is below it

  std::int64_t long_dur_ns(std::size_t i) const;
  std::int64_t long_length_ns(std::size_t i) const;

  Column<std::int64_t> start_ns_;
  Column<std::uint32_t> short_dur_;
  Column<std::uint32_t> name_;
  Column<LongDuration> long_durs_;
  SparseColumn<std::uint32_t, kNoId> context_;
  SparseColumn<std::uint32_t, 0> category_;
  SparseColumn<std::uint8_t, 0> traits_;  // the kind, and kError
  SparseColumn<std::uint32_t, 0> order_;
  SparseColumn<std::uint16_t, 0> dur_ps_;
  SparseColumn<std::uint8_t, 0> roles_;  // the role, and kStep
};

}  // namespace vizd
