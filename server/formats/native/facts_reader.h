// FactsReader: reads one section's stacks, facts of the capture, and numbers on ops. One thread.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "formats/native/columns.h"
#include "formats/native/tables.h"
#include "model/capture.h"

namespace vizd::native {

class FactsReader {
 public:
  FactsReader(Capture& capture, Tables& tables) : capture_(capture), tables_(tables) {}

  void add_stacks(const Columns& columns, std::uint64_t first);
  void add_facts(const Columns& columns);
  void add_measures(const Columns& columns, std::uint64_t first);
  // Adds values of measures that were added before, once the tables are finished.
  void add_op_values(const Columns& columns);

  // The stack of a number of the section's: one more than it, 0 for none.
  StackId stack(std::uint64_t number) const {
    return number == 0 || number > stacks_.size() ? StackId{kNoId} : stacks_[number - 1];
  }

  // The places in Capture::facts of those that are of a track, and its number.
  const std::vector<std::pair<std::size_t, std::uint64_t>>& facts_of_tracks() const { return facts_of_tracks_; }

 private:
  Capture& capture_;
  Tables& tables_;
  std::vector<std::pair<std::size_t, std::uint64_t>> facts_of_tracks_;
  std::vector<StackId> stacks_;        // by number
  std::vector<std::size_t> measures_;  // by number: places in Rewrites::measures
};

// A value of that type of integer (a text's number) and real; none of an unknown type.
std::optional<ArgumentValue> argument_value(const Tables& tables, std::uint32_t type, std::int64_t integer,
                                            double real);

}  // namespace vizd::native
