// args: the arguments of events, one a row, with Perfetto's column names. Narrows by set and by key. One thread.
#pragma once

#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "query/catalog.h"
#include "query/table.h"

namespace vizd::sql {

// All the values that a track's events have of one argument.
struct ArgumentRun {
  std::uint32_t source = 0, track = 0;  // place in Profile::tracks
  const ArgumentColumn* column = nullptr;
  std::string key;        // "debug.NAME", of traces "args.NAME"
  std::string_view name;  // without that
  std::uint64_t first_id = 0;
};

// args.value_type of its values. strings: of its capture.
std::string_view value_type(const ArgumentRun& run, const StringTable& strings);

class ArgsTable : public Table {
 public:
  explicit ArgsTable(const Catalog& catalog) : catalog_(catalog) {}

  std::string_view name() const override { return "args"; }
  std::string_view about() const override { return "Arguments of slices, a value a row."; }
  std::span<const ColumnInfo> columns() const override;
  Plan plan(const PlanRequest& request) override;
  std::unique_ptr<Cursor> open(const Budget& budget) override;

  const Catalog& catalog() const { return catalog_; }
  std::span<const ArgumentRun> runs() const { return all().runs; }
  // Returns the runs of the track that has the slice.
  std::span<const ArgumentRun> runs_of(const SliceTrack& track) const;
  std::uint64_t size() const { return all().size; }

 private:
  struct Runs {
    std::vector<ArgumentRun> runs;
    std::deque<ArgumentColumn> made;  // that runs refer to, where the capture has no such column
    std::uint64_t size = 0;
  };
  // Listed when a query first asks for arguments: most do not.
  const Runs& all() const;

  const Catalog& catalog_;
  mutable std::optional<Runs> all_;
};

// Writes a slice's argument of that key, with or without what stands before the name; null where it has none.
void write_argument(const ArgsTable& args, std::int64_t slice, std::string_view key, Cell& cell);

}  // namespace vizd::sql
