// Restore: puts values and ops back as they stand in the file, without looking for equal ones: for files that say that
// no two are alike (FORMAT.md, the fact "unique"), as `vizd convert` writes them. Whatever such a file holds is checked
// first: what a record is made of stands before it, is there and fits. All or nothing: where any record does not pass,
// or a chunk is missing, the tables are left empty, and the records are to be read one by one (tables.h). One thread.
#pragma once

#include <cstdint>
#include <vector>

#include "formats/native/columns.h"
#include "formats/native/tables.h"
#include "model/capture.h"

namespace vizd::native {

class Restore {
 public:
  // How many records the section's chunks say they have.
  struct Counts {
    std::uint64_t values = 0, ops = 0;
  };

  // The tables must have the section's strings and kinds; the capture no value and no op. most_reserved: no more room
  // is made for records that the file only claims.
  Restore(Capture& capture, const Tables& tables, const Counts& counts, std::uint64_t most_reserved);

  // Whether all is well so far. Values are to be added before ops.
  bool add_values(const Columns& columns, std::uint64_t first);
  bool add_ops(const Columns& columns, std::uint64_t first);
  // Whether everything is there, and no two ops are equal.
  bool finish();
  // Empties the tables again.
  void undo();

 private:
  bool add_value(ValueKind kind, std::int64_t number, std::span<const ValueId> items);
  // Whether a string, enum member, … is made of what such a value is made of.
  bool has_fitting_items(ValueKind kind, std::span<const ValueId> items) const;

  Capture& capture_;
  const Tables& tables_;
  const Counts counts_;
  // By value: how deep it nests, and one more than the last op in it.
  std::vector<std::uint8_t> depths_{0};
  std::vector<std::uint32_t> op_ends_{0};

  // A chunk's columns, kept for their room.
  std::vector<std::uint8_t> kinds_;
  std::vector<std::int64_t> numbers_;
  std::vector<double> reals_;
  std::vector<std::uint32_t> item_counts_, items_, op_kinds_, dtypes_, arguments_, tags_;
  std::vector<ValueId> value_items_;
  std::vector<OpId> sources_;
};

}  // namespace vizd::native
