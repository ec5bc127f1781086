// "allocation groups" and "memory_event groups": the rows of these tables in groups, for queries that count and add
// them up (grouped_query.h). A row is a number of rows of one track that have all the key columns which the query reads
// in common; several may have the same keys. Its keys are those of one of them, as the table itself writes them. It is
// made column by column, a batch at a time: at most kMostGroups are held at once. One thread.
#pragma once

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "query/catalog.h"
#include "query/grouped_query.h"

namespace vizd::sql {

// Rows of a track as numbers: what tells them apart, and which values of theirs are added up.
struct MemoryRowBlock {
  static constexpr std::size_t kRows = 4096, kTraits = 5, kMostSums = 4;

  std::size_t size = 0;
  std::array<std::array<std::uint32_t, kTraits>, kRows> traits;
  std::array<std::array<std::int64_t, kRows>, kMostSums> values;
  std::array<bool, kMostSums> is_null = {};  // all of them
};

// A table of memory.
struct MemoryRows {
  // A column, and the trait that it rests on; kNoTrait: on the track alone.
  struct Key {
    std::string_view name;
    std::size_t trait;
  };
  static constexpr std::size_t kNoTrait = MemoryRowBlock::kTraits;

  std::string_view table, name, about;
  std::span<const Key> keys;               // the first is track_id
  std::span<const std::string_view> sums;  // columns
  std::size_t (*count)(const Track& track);
  // Reads the rows from begin on, at most to end, as many as fit.
  void (*read)(const Track& track, std::size_t begin, std::size_t end, MemoryRowBlock& to);
};

extern const MemoryRows kAllocationRows, kMemoryEventRows;

class MemoryGroups : public Table {
 public:
  static constexpr std::size_t kMostGroups = std::size_t{1} << 16;

  // of: the table of these rows.
  MemoryGroups(const Catalog& catalog, Table& of, const MemoryRows& rows);

  std::string_view name() const override { return rows_.name; }
  std::string_view about() const override { return rows_.about; }
  std::span<const ColumnInfo> columns() const override { return columns_; }
  Plan plan(const PlanRequest& request) override;
  std::unique_ptr<Cursor> open(const Budget& budget) override;

  // How totals of rows become totals of this. Refers to this.
  Grouping grouping() { return {.of = &of_, .groups = this, .totals = totals_, .keys = keys_}; }

 private:
  class GroupsCursor;

  std::string_view keep(std::string text) { return texts_.emplace_back(std::move(text)); }
  void add_sum(std::string_view column);

  const Catalog& catalog_;
  Table& of_;
  const MemoryRows& rows_;
  std::deque<std::string> texts_;  // that the others refer to
  std::vector<ColumnInfo> columns_;
  std::vector<std::string_view> keys_;
  std::vector<int> key_columns_;  // of the table
  std::vector<TotalOfGroups> totals_;
};

}  // namespace vizd::sql
