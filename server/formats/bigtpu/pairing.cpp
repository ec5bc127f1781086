#include "formats/bigtpu/pairing.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/ids.h"

namespace vizd::bigtpu {
namespace {

// Places of commands or records whose ids rise; their number of ids is the key.
struct Section {
  std::int64_t key = 0;
  std::vector<std::uint32_t> places;
};

// Cuts items into sections. take(item, place) says whether it takes part.
template <typename Item, typename Take>
std::vector<Section> cut(std::span<const Item> items, Take&& take) {
  std::vector<Section> sections;
  bool is_open = false;
  std::int64_t first = 0, last = 0;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if constexpr (std::is_same_v<Item, Command>) {
      if (items[i].is_list) {
        sections.push_back({items[i].count, {static_cast<std::uint32_t>(i)}});
        is_open = false;
        continue;
      }
    }
    if (!take(items[i])) continue;
    const std::int64_t id = items[i].id;
    if (!is_open || id <= last) {
      sections.push_back({});
      first = id;
      is_open = true;
    }
    last = id;
    sections.back().key = last - first + 1;
    sections.back().places.push_back(static_cast<std::uint32_t>(i));
  }
  return sections;
}

std::vector<std::int64_t> keys_of(const std::vector<Section>& sections) {
  std::vector<std::int64_t> keys;
  keys.reserve(sections.size());
  for (const Section& section : sections) keys.push_back(section.key);
  return keys;
}

void bind(PmuRecord& record, const Command& command) {
  record.command = &command;
  copy_tags(command.tags, record.tags);
}

class SectionBinder {
 public:
  SectionBinder(std::vector<PmuRecord>& records, std::span<const Command> commands, const FindList& find_list,
                Reader reader)
      : records_(records), commands_(commands), find_list_(find_list), reader_(reader) {}

  Result<void> bind_section(const Section& monitor, const Section& command) {
    const Command& first = commands_[command.places[0]];
    if (first.is_list) return bind_list(monitor, first);
    const std::int64_t first_id = records_[monitor.places[0]].id;
    for (const std::uint32_t place : monitor.places) {
      const auto relative = static_cast<std::size_t>(records_[place].id - first_id);
      if (relative < command.places.size()) {
        bind(records_[place], commands_[command.places[relative]]);
      } else if (relative == command.places.size() && reader_ == Reader::kOriginal030) {
        return Error{ErrorKind::kBadInput, "list index out of range", ""};
      } else if (reader_ != Reader::kOriginal030) {
        copy_tags(first.tags, records_[place].tags);
      }
    }
    return {};
  }

 private:
  Result<void> bind_list(const Section& monitor, const Command& list) {
    const std::vector<Command>* descriptors = find_list_ ? find_list_(list) : nullptr;
    const std::int64_t first_id = records_[monitor.places[0]].id;
    const bool is_old = reader_ == Reader::kOriginal030;
    for (const std::uint32_t place : monitor.places) {
      PmuRecord& record = records_[place];
      const auto relative = static_cast<std::size_t>(record.id - first_id);
      if (!find_list_ && relative == 0) continue;
      const std::size_t size = descriptors != nullptr ? descriptors->size() : 1;
      // 0.3.0 looks one beyond the end, too, and for a list that the profile does not have among the items around it.
      if (is_old && relative == size) return Error{ErrorKind::kBadInput, "list index out of range", ""};
      if (!is_old) copy_tags(list.tags, record.tags);
      if (descriptors != nullptr && relative < descriptors->size()) record.command = &(*descriptors)[relative];
    }
    return {};
  }

  std::vector<PmuRecord>& records_;
  std::span<const Command> commands_;
  const FindList& find_list_;
  Reader reader_;
};

}  // namespace

void copy_tags(const Tags& from, Tags& to) {
  if (from.mode != Mode::kNone) to.mode = from.mode;
  if (from.function >= 0) to.function = from.function;
  if (from.scope >= 0) to.scope = from.scope;
  if (from.batch >= 0) to.batch = from.batch;
}

std::vector<std::uint32_t> align_sections(std::span<const std::int64_t> monitor,
                                          std::span<const std::int64_t> commands) {
  // Where a step of the table came from.
  enum Step : std::uint8_t { kPair, kSkipRecord, kSkipCommand };
  constexpr std::size_t kMostCells = std::size_t{1} << 27;  // a byte each
  std::vector<std::uint32_t> pairs(monitor.size(), kNoId);
  std::size_t m = monitor.size(), n = commands.size();
  // Going back from the end, equal sections always go together.
  while (m > 0 && n > 0 && monitor[m - 1] == commands[n - 1]) pairs[--m] = static_cast<std::uint32_t>(--n);
  if (m == 0 || n == 0) return pairs;
  std::size_t begin = 0;
  if (m * n > kMostCells) {
    while (begin < std::min(m, n) && monitor[begin] == commands[begin]) {
      pairs[begin] = static_cast<std::uint32_t>(begin);
      ++begin;
    }
    if ((m - begin) * (n - begin) > kMostCells) return pairs;
  }
  const std::size_t columns = n - begin + 1;
  std::vector<std::uint8_t> steps((m - begin + 1) * columns, kSkipCommand);
  std::vector<std::uint32_t> above(columns), cost(columns);
  for (std::size_t j = 0; j < columns; ++j) above[j] = static_cast<std::uint32_t>(j);
  for (std::size_t i = 1; i <= m - begin; ++i) {
    cost[0] = static_cast<std::uint32_t>(i);
    steps[i * columns] = kSkipRecord;
    for (std::size_t j = 1; j < columns; ++j) {
      std::uint8_t& step = steps[i * columns + j];
      if (monitor[begin + i - 1] == commands[begin + j - 1]) {
        step = kPair;
        cost[j] = above[j - 1];
      } else {
        step = above[j] <= cost[j - 1] ? kSkipRecord : kSkipCommand;
        cost[j] = std::min(above[j], cost[j - 1]) + 1;
      }
    }
    std::swap(above, cost);
  }
  for (std::size_t i = m - begin, j = n - begin; i > 0 || j > 0;) {
    const std::uint8_t step = steps[i * columns + j];
    if (step == kPair) pairs[begin + i - 1] = static_cast<std::uint32_t>(begin + j - 1);
    if (step != kSkipCommand) --i;
    if (step != kSkipRecord) --j;
  }
  return pairs;
}

Result<void> pair_commands(std::vector<PmuRecord>& records, std::span<const Command> commands,
                           const FindList& find_list, Reader reader) {
  const auto monitor =
      cut(std::span<const PmuRecord>(records), [](const PmuRecord& record) { return record.command == nullptr; });
  const auto given = cut(commands, [](const Command&) { return true; });
  const auto pairs = align_sections(keys_of(monitor), keys_of(given));
  SectionBinder binder(records, commands, find_list, reader);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (pairs[i] != kNoId) VIZD_TRY(binder.bind_section(monitor[i], given[pairs[i]]));
  }
  return {};
}

void mark_system_records_in_turn(Engine engine, std::vector<PmuRecord>& records) {
  bool is_send = true;
  for (PmuRecord& record : records) {
    if (record.command != nullptr || !is_system(engine, record.words)) continue;
    record.role = is_send ? SystemRole::kSend : SystemRole::kWait;
    is_send = !is_send;
  }
}

void mark_system_records(Engine engine, std::vector<PmuRecord>& records) {
  constexpr std::int64_t kLongestSend = 1000;  // nanoseconds
  std::vector<std::pair<PmuRecord*, std::size_t>> open;
  std::array<std::int64_t, 2> total{};
  std::size_t turn = 0;
  for (PmuRecord& record : records) {
    if (record.command != nullptr || !is_system(engine, record.words)) continue;
    if (record.role == SystemRole::kNone) {
      open.emplace_back(&record, turn & 1);
      total[turn & 1] += record.end - record.start;
    }
    ++turn;
  }
  const std::size_t waiting = total[1] > total[0] ? 1 : 0;
  for (const auto& [record, parity] : open) {
    const bool waits = record->end - record->start > kLongestSend || parity == waiting;
    record->role = waits ? SystemRole::kWait : SystemRole::kSend;
  }
}

}  // namespace vizd::bigtpu
