#include "formats/bigtpu/command_arguments.h"

#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <span>

namespace vizd::bigtpu {

// A counter of a record: some bits of a word.
struct CommandArguments::Counter {
  std::size_t word;
  std::string_view name, unit;
  unsigned shift = 0;
  std::uint32_t mask = 0xFFFFFFFF;
};

namespace {

constexpr std::uint32_t kBits12 = 0xFFF, kBits19 = 0x7FFFF, kBits31 = 0x7FFFFFFF;

}  // namespace

CommandArguments::CommandArguments(Engine engine, double mhz, bool has_base, StringTable& strings)
    : engine_(engine), ns_per_cycle_(1000 / mhz), has_cycles_(has_base || ns_per_cycle_ != 1), strings_(strings) {
  static constexpr Counter kTiuCounters[] = {{3, "thread", "", 0, 1}, {3, "bank conflicts", "", 1, kBits31}};
  static constexpr Counter kDmaCounters[] = {
      {3, "thread", "", 0, 1},
      {3, "AR latency", "cycles", 1, kBits19},
      {3, "RIP valid latency", "cycles", 20, kBits12},
      {4, "GIF stall", "cycles"},
      {5, "AXI written", "B"},
      {6, "AXI read requests", ""},
      {7, "AXI write requests", ""},
      {8, "AXI write stall", "cycles"},
      {9, "AXI read stall", "cycles"},
      {10, "GIF written", "B"},
      {11, "GIF read requests", ""},
      {12, "AXI writes valid", ""},
      {13, "AXI reads valid", ""},
      {14, "GIF writes valid", ""},
      {15, "GIF reads valid", ""},
  };
  static constexpr Counter kCdmaCounters[] = {
      {2, "thread", "", 24, 1},
      {4, "M0 write requests", "B"},
      {5, "M0 writes", ""},
      {6, "M0 read requests", ""},
      {8, "M0 writes valid", ""},
      {9, "M0 write stall", "cycles"},
      {10, "M0 reads valid", ""},
      {11, "M0 read stall", "cycles"},
      {12, "ATI valid", ""},
      {13, "ATI stall", "cycles"},
      {14, "ARI valid", ""},
      {15, "ARI stall", "cycles"},
      {16, "ATI FIFO stall", "cycles"},
      {17, "replays", ""},
      {18, "M0 response start", "cycles"},
      {19, "M0 response end", "cycles"},
      {20, "M0 read request start", "cycles"},
      {21, "M0 read request end", "cycles"},
      {22, "M0 write request start", "cycles"},
      {23, "M0 write request end", "cycles"},
      {24, "M0 read start", "cycles"},
      {25, "M0 read end", "cycles"},
      {26, "M0 write start", "cycles"},
      {27, "M0 write end", "cycles"},
      {28, "ATI start", "cycles"},
      {29, "ATI end", "cycles"},
      {30, "ARI start", "cycles"},
      {31, "ARI end", "cycles"},
  };
  counters_ = engine == Engine::kTiu    ? std::span<const Counter>(kTiuCounters)
              : engine == Engine::kCdma ? std::span<const Counter>(kCdmaCounters)
                                        : std::span<const Counter>(kDmaCounters);
  nameless_.name =
      strings_.add(fmt::format("{} {}", engine_name(engine_), engine_ == Engine::kTiu ? "command" : "transfer"));
  id_ = column("command id", "", ArgumentType::kInteger);
  start_ = column("start cycle", "cycles", ArgumentType::kInteger);
  cycles_ = column("cycles", "cycles", ArgumentType::kInteger);
  direction_ = column("direction", "", ArgumentType::kText);
  data_type_ = column("data type", "", ArgumentType::kText);
  bytes_ = column("bytes", "B", ArgumentType::kInteger);
  bandwidth_ = column("bandwidth", "B/s", ArgumentType::kReal);
  function_ = column("function", "", ArgumentType::kText);
  batch_ = column("batch", "", ArgumentType::kInteger);
  mode_ = column("mode", "", ArgumentType::kText);
  core_ = column("core", "", ArgumentType::kInteger);
  type_ = column("command type", "", ArgumentType::kInteger);
  special_ = column("command function", "", ArgumentType::kInteger);
  count_ = column("messages", "", ArgumentType::kInteger);
  waits_for_ = column("waits for command", "", ArgumentType::kInteger);
  words_ = column("command words, not decoded", "", ArgumentType::kText);
  for (const Counter& counter : counters_)
    counter_columns_.push_back(column(counter.name, counter.unit, ArgumentType::kInteger));
}

std::size_t CommandArguments::column(std::string_view name, std::string_view unit, ArgumentType type) {
  ArgumentColumn& added = columns_.emplace_back();
  added.name = strings_.add(name);
  added.unit = strings_.add(unit);
  added.type = type;
  return columns_.size() - 1;
}

void CommandArguments::put(std::size_t place, std::uint32_t event, const ArgumentValue& value) {
  columns_[place].push_back(event, value);
}

void CommandArguments::put_text(std::size_t column, std::uint32_t event, std::string_view text) {
  if (!text.empty()) put(column, event, strings_.add(text));
}

CommandArguments::Names CommandArguments::names_of(int type, int special, std::string_view direction) {
  const std::uint64_t key = std::uint64_t{index(strings_.add(direction))} << 16 |
                            static_cast<std::uint64_t>(type & 0xFF) << 8 | static_cast<std::uint64_t>(special & 0xFF);
  const auto [place, is_new] = names_.try_emplace(key);
  if (is_new) {
    const CommandName name = engine_ == Engine::kTiu    ? tiu_command_name(type, special)
                             : engine_ == Engine::kCdma ? cdma_command_name(type, special)
                                                        : dma_command_name(type, special, direction);
    place->second = {strings_.add(name.name), strings_.add(name.type)};
  }
  return place->second;
}

CommandArguments::Names CommandArguments::add_command(std::uint32_t event, const PmuRecord& record) {
  ++known_.commands;
  if (record.command == nullptr) {
    ++known_.without_kind;
    if (is_system(engine_, record.words)) {
      const int send = engine_ == Engine::kTiu ? 8 : 3;
      return names_of(system_type(engine_), send + (record.role == SystemRole::kWait ? 1 : 0), "");
    }
    // A single record does not say what the command did.
    return nameless_;
  }
  const Command& command = *record.command;
  const auto whole = read_whole_command(engine_, command.detail);
  const int type = whole ? whole->type : command.type, special = whole ? whole->special : command.special;
  put(type_, event, std::int64_t{type});
  put(special_, event, std::int64_t{special});
  if (whole) ++(whole->is_decoded ? known_.whole : known_.in_part);
  if (whole) add_whole(event, *whole, command.detail);
  std::string direction;
  if (type == system_type(engine_)) {
    put(count_, event, std::int64_t{command.extra & 0x7F});
  } else {
    put_text(data_type_, event, data_type_name(whole && whole->data_type ? *whole->data_type : command.extra & 0xF));
    const std::string_view from = memory_name(command.extra >> 4 & 3), to = memory_name(command.extra >> 6 & 3);
    if (whole && !whole->direction.empty()) {
      direction = whole->direction;
    } else if (engine_ != Engine::kTiu && !from.empty() && !to.empty()) {
      direction = fmt::format("{}->{}", from, to);
    }
    put_text(direction_, event, direction);
  }
  return names_of(type, special, direction);
}

void CommandArguments::add_whole(std::uint32_t event, const WholeCommand& whole, std::span<const std::byte> bytes) {
  if (whole.waits_for != 0) put(waits_for_, event, whole.waits_for);
  for (const CommandField& field : whole.fields) {
    const auto [place, is_new] = field_columns_.try_emplace(field.name);
    if (is_new) place->second = column(field.name, field.unit, ArgumentType::kInteger);
    put(place->second, event, static_cast<std::int64_t>(bits_at(bytes, field.bit, field.width)));
  }
  if (whole.is_decoded) return;
  constexpr std::size_t kMostWords = 32;
  std::string words;
  for (std::size_t at = 0; at + 4 <= bytes.size() && at < 4 * kMostWords; at += 4)
    words += fmt::format("{}{:08x}", at == 0 ? "" : " ", word_at(bytes.data() + at, 0));
  put_text(words_, event, words);
}

void CommandArguments::add_counters(std::uint32_t event, const PmuRecord& record) {
  for (std::size_t i = 0; i < counters_.size(); ++i) {
    const std::uint32_t value = record.word(counters_[i].word) >> counters_[i].shift & counters_[i].mask;
    if (value != 0) put(counter_columns_[i], event, std::int64_t{value});
  }
}

CommandArguments::Names CommandArguments::add(std::uint32_t event, const PmuRecord& record,
                                              const std::vector<std::string>& functions) {
  put(id_, event, record.id);
  if (has_cycles_) {
    put(start_, event, record.start);
    put(cycles_, event, record.cycles);
  }
  const Names names = add_command(event, record);
  if (engine_ != Engine::kTiu && !is_system(engine_, record.words)) {
    const std::int64_t bytes = moved_bytes(engine_, record.words);
    const double seconds = static_cast<double>(record.cycles) * ns_per_cycle_ / 1e9;
    put(bytes_, event, bytes);
    if (seconds > 0) put(bandwidth_, event, static_cast<double>(bytes) / seconds);
  }
  if (record.tags.function >= 0) put_text(function_, event, functions[static_cast<std::size_t>(record.tags.function)]);
  if (record.tags.batch >= 0) put(batch_, event, record.tags.batch);
  put_text(mode_, event, mode_name(record.tags.mode));
  if (record.core >= 0) put(core_, event, std::int64_t{record.core});
  add_counters(event, record);
  return names;
}

std::vector<ArgumentColumn> CommandArguments::take() {
  std::erase_if(columns_, [](const ArgumentColumn& column) { return column.size() == 0; });
  for (ArgumentColumn& column : columns_) column.shrink();
  return std::move(columns_);
}

}  // namespace vizd::bigtpu
