// CommandArguments: what one engine's records and commands say beside their times, as arguments of a track's events.
// Made for one track at a time. One thread.
#pragma once

#include <cstdint>
#include <span>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "formats/bigtpu/names.h"
#include "formats/bigtpu/pmu_records.h"
#include "formats/bigtpu/whole_command.h"
#include "model/capture.h"

namespace vizd::bigtpu {

class CommandArguments {
 public:
  // has_base: times do not count from the device's first command.
  CommandArguments(Engine engine, double mhz, bool has_base, StringTable& strings);

  struct Names {
    StringId name{}, category{};
  };
  // functions: names that the tags refer to.
  Names add(std::uint32_t event, const PmuRecord& record, const std::vector<std::string>& functions);

  // How much is known of the commands that were added: of a record alone when it ran, of its dynamic data what it was,
  // of the whole command what it worked on. Fields of a whole command that vizd does not know stand as raw words.
  struct Known {
    std::uint64_t commands = 0, without_kind = 0, whole = 0, in_part = 0;
    Known& operator+=(const Known& other) {
      commands += other.commands;
      without_kind += other.without_kind;
      whole += other.whole;
      in_part += other.in_part;
      return *this;
    }
  };
  const Known& known() const { return known_; }

  // The columns that have values.
  std::vector<ArgumentColumn> take();

 private:
  struct Counter;

  std::size_t column(std::string_view name, std::string_view unit, ArgumentType type);
  void put(std::size_t column, std::uint32_t event, const ArgumentValue& value);
  void put_text(std::size_t column, std::uint32_t event, std::string_view text);
  Names names_of(int type, int special, std::string_view direction);
  Names add_command(std::uint32_t event, const PmuRecord& record);
  void add_whole(std::uint32_t event, const WholeCommand& whole, std::span<const std::byte> bytes);
  void add_counters(std::uint32_t event, const PmuRecord& record);

  const Engine engine_;
  const double ns_per_cycle_;
  const bool has_cycles_;  // an event's times do not tell them
  StringTable& strings_;
  std::vector<ArgumentColumn> columns_;
  std::span<const Counter> counters_;
  std::vector<std::size_t> counter_columns_;  // by counter
  std::size_t id_, start_, cycles_, mode_, function_, batch_, type_, special_, data_type_, count_, direction_, bytes_,
      bandwidth_, core_, waits_for_, words_;
  std::unordered_map<std::string_view, std::size_t> field_columns_;  // of whole commands
  std::unordered_map<std::uint64_t, Names> names_;
  Names nameless_;  // of what nobody knows
  Known known_;
};

}  // namespace vizd::bigtpu
