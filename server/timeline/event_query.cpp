#include "timeline/event_query.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <unordered_set>

#include "base/ascii_case.h"
#include "base/parallel.h"

namespace vizd {
namespace {

// Without ANSI colour codes (ESC [ … m), in lower case.
std::string plain_lower(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\x1b') {
      const std::size_t end = text.find('m', i);
      if (end == std::string_view::npos) break;
      i = end;
    } else {
      out.push_back(ascii_lower(text[i]));
    }
  }
  return out;
}

constexpr std::string_view kDuration = "dur", kCategory = "category";

struct Sign {
  std::string_view text;
  Comparison comparison;
};
// Longer ones first.
constexpr std::array kSigns = {
    Sign{"!=", Comparison::kUnequal}, Sign{"<=", Comparison::kAtMost}, Sign{">=", Comparison::kAtLeast},
    Sign{":", Comparison::kHolds},    Sign{"=", Comparison::kEqual},   Sign{"<", Comparison::kLess},
    Sign{">", Comparison::kMore},
};

std::unordered_set<std::string> names_to_ask_for(const Capture& capture) {
  std::unordered_set<std::string> names = {std::string(kDuration), std::string(kCategory)};
  for (const Track& track : capture.profile.tracks) {
    for (const ArgumentColumn& column : track.arguments) {
      if (!column.is_hidden) names.insert(plain_lower(capture.strings.get(column.name)));
    }
  }
  return names;
}

// The condition that begins at that place, and how long it is. Names may have blanks ("loads and stores>1e6").
std::optional<EventCondition> condition_at(std::string_view text, const std::unordered_set<std::string>& names,
                                           std::size_t& length) {
  for (std::size_t end = 1; end < text.size(); ++end) {
    const auto sign = std::ranges::find_if(kSigns, [&](const Sign& s) { return text.substr(end).starts_with(s.text); });
    if (sign == kSigns.end()) continue;
    if (!names.contains(std::string(text.substr(0, end)))) return std::nullopt;
    const std::size_t value = end + sign->text.size();
    const bool is_quoted = value < text.size() && text[value] == '"';
    const std::size_t begin = value + (is_quoted ? 1 : 0);
    const std::size_t last = std::min(text.find(is_quoted ? '"' : ' ', begin), text.size());
    const std::string_view wanted = text.substr(begin, last - begin);
    length = std::min(last + (is_quoted ? 1 : 0), text.size());
    return EventCondition{std::string(text.substr(0, end)), sign->comparison, std::string(wanted),
                          parse_quantity(wanted)};
  }
  return std::nullopt;
}

bool fits_order(double order, Comparison comparison) {
  switch (comparison) {
    case Comparison::kHolds:
    case Comparison::kEqual:
      return order == 0;
    case Comparison::kUnequal:
      return order != 0;
    case Comparison::kLess:
      return order < 0;
    case Comparison::kAtMost:
      return order <= 0;
    case Comparison::kMore:
      return order > 0;
    case Comparison::kAtLeast:
      return order >= 0;
  }
  return false;
}

bool fits(const EventCondition& condition, double value) {
  return condition.number && fits_order(value - *condition.number, condition.comparison);
}

bool fits(const EventCondition& condition, std::string_view value) {
  const std::string plain = plain_lower(value);
  if (condition.comparison == Comparison::kHolds) return plain.find(condition.text) != std::string::npos;
  return fits_order(plain.compare(condition.text), condition.comparison);
}

// Whether strings fit, each looked at once.
template <typename Fits>
class StringFits {
 public:
  StringFits(const StringTable& strings, Fits fits) : strings_(strings), fits_(std::move(fits)) {}
  bool operator()(StringId id) {
    const std::size_t at = index(id);
    if (at >= known_.size()) known_.resize(at + 1, Known::kNot);
    if (known_[at] == Known::kNot) known_[at] = fits_(strings_.get(id)) ? Known::kFits : Known::kFails;
    return known_[at] == Known::kFits;
  }

 private:
  enum class Known : std::uint8_t { kNot, kFits, kFails };
  const StringTable& strings_;
  Fits fits_;
  std::vector<Known> known_;
};

class LaneSearch {
 public:
  LaneSearch(const Capture& capture, const Timeline& timeline, const Track& track, Budget budget)
      : capture_(capture), timeline_(timeline), track_(track), events_(track.events), budget_(std::move(budget)) {}

  LanePicks find(const EventQuery& query, const std::vector<bool>& wanted_names) const {
    LanePicks found(events_.size());
    if (query.text.empty()) {
      found.set_all();
    } else {
      mark_text(query, wanted_names, found);
    }
    for (const EventCondition& condition : query.conditions) {
      LanePicks fitting(events_.size());
      mark_fitting(condition, fitting);
      found.keep_common(fitting);
    }
    return found;
  }

 private:
  void mark_text(const EventQuery& query, const std::vector<bool>& wanted_names, LanePicks& found) const {
    for_each_event([&](std::uint32_t i) {
      if (wanted_names[timeline_.number_of(events_.name(i))]) found.set(i);
    });
    if (query.in_names_only) return;
    StringFits holds(capture_.strings,
                     [&](std::string_view text) { return plain_lower(text).find(query.text) != std::string::npos; });
    for_each_event([&](std::uint32_t i) {
      if (holds(events_.category(i))) found.set(i);
    });
    for (const ArgumentColumn& column : track_.arguments) {
      if (column.type != ArgumentType::kText || column.is_hidden) continue;
      mark_numbers(column, found,
                   [&](std::int64_t id) { return holds(to_id<StringId>(static_cast<std::size_t>(id))); });
    }
  }

  // The events whose number in the column fits, all of a block looked at together: many in a row are the same.
  template <typename FitsNumber>
  void mark_numbers(const ArgumentColumn& column, LanePicks& found, FitsNumber&& fits_number) const {
    constexpr std::size_t kBlock = PackedIntegers::kBlock;
    std::array<std::int64_t, kBlock> room;
    for_each_within(budget_, (column.size() + kBlock - 1) / kBlock, [&](std::size_t block) {
      const std::span<const std::int64_t> numbers = column.numbers.block(block, room);
      bool do_fit = false;
      for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (i == 0 || numbers[i] != numbers[i - 1]) do_fit = fits_number(numbers[i]);
        if (do_fit) found.set(column.event(block * kBlock + i));
      }
    });
  }

  template <typename Look>
  void for_each_event(Look&& look) const {
    for_each_within(budget_, static_cast<std::uint32_t>(events_.size()), look);
  }

  void mark_fitting(const EventCondition& condition, LanePicks& found) const {
    StringFits text_fits(capture_.strings, [&](std::string_view text) { return fits(condition, text); });
    if (condition.name == kDuration) {
      for_each_event([&](std::uint32_t i) {
        if (fits(condition, static_cast<double>(events_.length_ns(i)))) found.set(i);
      });
    } else if (condition.name == kCategory) {
      for_each_event([&](std::uint32_t i) {
        if (text_fits(events_.category(i))) found.set(i);
      });
    }
    for (const ArgumentColumn& column : track_.arguments) {
      if (column.is_hidden || plain_lower(capture_.strings.get(column.name)) != condition.name) continue;
      if (column.type == ArgumentType::kText) {
        mark_numbers(column, found,
                     [&](std::int64_t id) { return text_fits(to_id<StringId>(static_cast<std::size_t>(id))); });
      } else if (column.type == ArgumentType::kInteger) {
        mark_numbers(column, found, [&](std::int64_t value) { return fits(condition, static_cast<double>(value)); });
      } else {
        for_each_within(budget_, column.size(), [&](std::size_t i) {
          if (fits(condition, column.real(i))) found.set(column.event(i));
        });
      }
    }
  }

  const Capture& capture_;
  const Timeline& timeline_;
  const Track& track_;
  const EventColumns& events_;
  const Budget budget_;
};

}  // namespace

std::optional<double> parse_quantity(std::string_view text) {
  struct Unit {
    std::string_view name;
    double size;
  };
  // In lower case, as queries are.
  constexpr std::array kUnits = {
      Unit{"", 1},          Unit{"ns", 1},          Unit{"us", 1e3},
      Unit{"µs", 1e3},      Unit{"ms", 1e6},        Unit{"s", 1e9},
      Unit{"b", 1},         Unit{"k", 1e3},         Unit{"kb", 1e3},
      Unit{"m", 1e6},       Unit{"mb", 1e6},        Unit{"g", 1e9},
      Unit{"gb", 1e9},      Unit{"t", 1e12},        Unit{"tb", 1e12},
      Unit{"ki", 1024},     Unit{"kib", 1024},      Unit{"mi", 1048576},
      Unit{"mib", 1048576}, Unit{"gi", 1073741824}, Unit{"gib", 1073741824},
      Unit{"%", 1},
  };
  double number = 0;
  const auto [after, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failed != std::errc()) return std::nullopt;
  const std::string_view rest = text.substr(static_cast<std::size_t>(after - text.data()));
  const auto unit = std::ranges::find(kUnits, rest, &Unit::name);
  return unit == kUnits.end() ? std::nullopt : std::optional(number * unit->size);
}

EventQuery parse_event_query(const Capture& capture, std::string_view text) {
  const std::string all = plain_lower(text);
  EventQuery query;
  if (all.size() > 2 && all.front() == '"' && all.back() == '"') {
    query.text = all.substr(1, all.size() - 2);
    query.in_names_only = true;
    return query;
  }
  const auto names = names_to_ask_for(capture);
  std::string words;
  for (std::size_t at = 0; at < all.size();) {
    std::size_t length = 0;
    const bool begins_word = at == 0 || all[at - 1] == ' ';
    auto condition = begins_word ? condition_at(std::string_view(all).substr(at), names, length) : std::nullopt;
    if (condition) {
      query.conditions.push_back(std::move(*condition));
      at += length;
    } else {
      words.push_back(all[at++]);
    }
  }
  const std::size_t first = words.find_first_not_of(' ');
  if (first != std::string::npos) query.text = words.substr(first, words.find_last_not_of(' ') - first + 1);
  return query;
}

Picks find_by_query(const Capture& capture, const Timeline& timeline, const EventQuery& query, unsigned threads,
                    const Budget& budget) {
  const std::vector<Track>& tracks = capture.profile.tracks;
  Picks picks;
  picks.lanes.resize(tracks.size());
  const bool asks_nothing = query.text.empty() && query.conditions.empty();
  std::vector<bool> wanted(timeline.names.size());
  for (std::size_t i = 0; i < wanted.size() && !query.text.empty(); ++i)
    wanted[i] = plain_lower(capture.strings.get(timeline.names[i])).find(query.text) != std::string::npos;
  for_each_index(tracks.size(), threads, [&](std::size_t l) {
    picks.lanes[l] = asks_nothing ? LanePicks(tracks[l].events.size())
                                  : LaneSearch(capture, timeline, tracks[l], budget).find(query, wanted);
    picks.lanes[l].count();
  });
  for (const LanePicks& lane : picks.lanes) picks.total += lane.total();
  return picks;
}

Picks find_by_text(const Capture& capture, const Timeline& timeline, std::string_view text, unsigned threads,
                   const Budget& budget) {
  return find_by_query(capture, timeline, parse_event_query(capture, text), threads, budget);
}

}  // namespace vizd
