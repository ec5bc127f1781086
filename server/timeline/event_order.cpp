#include "timeline/event_order.h"

#include <algorithm>
#include <tuple>

namespace vizd {
namespace {

// The key by which events are ordered.
struct Key {
  enum class Kind : std::uint8_t { kNumber, kText, kNone } kind = Kind::kNone;
  double number = 0;
  std::string_view text = {};
  std::int64_t start_ns = 0;
  EventPlace place;
};

class KeyOrder {
 public:
  explicit KeyOrder(bool descending) : descending_(descending) {}
  bool operator()(const Key& a, const Key& b) const {
    if ((a.kind == Key::Kind::kNone) != (b.kind == Key::Kind::kNone)) return b.kind == Key::Kind::kNone;
    const std::tuple values(a.kind, a.number, a.text), others(b.kind, b.number, b.text);
    if (values != others) return descending_ ? others < values : values < others;
    return std::tuple(a.start_ns, a.place.lane, a.place.event) < std::tuple(b.start_ns, b.place.lane, b.place.event);
  }

 private:
  bool descending_;
};

class LaneKeys {
 public:
  LaneKeys(const Capture& capture, std::uint32_t lane, const EventOrder& order)
      : capture_(capture), lane_(lane), events_(capture.profile.tracks[lane].events), order_(order) {
    for (const ArgumentColumn& column : capture.profile.tracks[lane].arguments) {
      if (!column.is_hidden && capture.strings.get(column.name) == order.argument) columns_.push_back(&column);
    }
  }

  Key key_of(std::uint32_t event) const {
    Key key{.start_ns = events_.start_ns(event), .place = {lane_, event}};
    switch (order_.by) {
      case EventOrder::By::kStart:
        break;
      case EventOrder::By::kDuration:
        set_number(key, static_cast<double>(events_.length_ns(event)));
        break;
      case EventOrder::By::kName:
        set_text(key, events_.name(event));
        break;
      case EventOrder::By::kArgument:
        set_argument(key, event);
        break;
    }
    return key;
  }

 private:
  static void set_number(Key& key, double number) {
    key.kind = Key::Kind::kNumber;
    key.number = number == number ? number : 0;  // NaN has no place in an order
  }
  void set_text(Key& key, StringId text) const {
    key.kind = Key::Kind::kText;
    key.text = capture_.strings.get(text);
  }
  void set_argument(Key& key, std::uint32_t event) const {
    for (const ArgumentColumn* column : columns_) {
      const auto value = column->of(event);
      if (!value) continue;
      if (const auto* integer = std::get_if<std::int64_t>(&*value))
        return set_number(key, static_cast<double>(*integer));
      if (const auto* real = std::get_if<double>(&*value)) return set_number(key, *real);
      return set_text(key, std::get<StringId>(*value));
    }
  }

  const Capture& capture_;
  std::uint32_t lane_;
  const EventColumns& events_;
  const EventOrder& order_;
  std::vector<const ArgumentColumn*> columns_;  // of the name: of each type one
};

}  // namespace

std::optional<EventOrder> parse_event_order(std::string_view text) {
  constexpr std::string_view kArgument = "argument:";
  EventOrder order;
  if (text.starts_with('-')) {
    order.descending = true;
    text.remove_prefix(1);
  }
  if (text == "start") return order;
  if (text == "dur") {
    order.by = EventOrder::By::kDuration;
  } else if (text == "name") {
    order.by = EventOrder::By::kName;
  } else if (text.starts_with(kArgument)) {
    order.by = EventOrder::By::kArgument;
    order.argument = text.substr(kArgument.size());
  } else {
    return std::nullopt;
  }
  return order;
}

std::vector<EventPlace> marked_in_order(const Capture& capture, const Picks& picks,
                                        const std::vector<std::uint32_t>& lanes, const EventOrder& order,
                                        std::size_t limit, const Budget& budget) {
  // By start, descending goes over the start itself, which is no value of the key.
  const bool latest_first = order.by == EventOrder::By::kStart && order.descending;
  const KeyOrder values(order.descending);
  const auto before = [&](const Key& a, const Key& b) { return latest_first ? values(b, a) : values(a, b); };
  std::vector<Key> first;  // a heap, the last of them on top
  for (const std::uint32_t lane : lanes) {
    const LaneKeys keys(capture, lane, order);
    const auto end = static_cast<std::uint32_t>(capture.profile.tracks[lane].events.size());
    for (std::uint32_t event = picks.lanes[lane].next(0, end); event < end && budget.goes_on();
         event = picks.lanes[lane].next(event + 1, end)) {
      const Key key = keys.key_of(event);
      if (first.size() == limit) {
        if (!before(key, first.front())) continue;
        std::ranges::pop_heap(first, before);
        first.pop_back();
      }
      first.push_back(key);
      std::ranges::push_heap(first, before);
    }
  }
  std::ranges::sort_heap(first, before);
  std::vector<EventPlace> places;
  for (const Key& key : first) places.push_back(key.place);
  return places;
}

}  // namespace vizd
