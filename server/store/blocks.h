// BlockMaker: a table's rows as the store takes them: so many at a time that each block becomes one part of the table,
// which is there whole or not at all. The same rows make the same blocks, whenever they are made. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "base/budget.h"
#include "base/result.h"
#include "query/tables.h"
#include "store/row_binary.h"
#include "store/schema.h"

namespace vizd::store {

inline constexpr std::uint64_t kMostBlockRows = 262'144;  // ClickHouse takes up to 2^20 rows as one part
inline constexpr std::size_t kMostBlockBytes = std::size_t{48} << 20;

// Appends the columns of the next row; false, and nothing, at the end.
using WriteRow = std::function<Result<bool>(RowBinaryWriter& row)>;

// The rows of a query's table, by track and time where it can. Both outlive the function.
Result<WriteRow> rows_of(sql::Table& table, const StoredTable& stored);

struct Block {
  std::uint32_t number = 0;  // from 0
  std::uint64_t rows = 0;
  std::string bytes;
};

class BlockMaker {
 public:
  BlockMaker(RowOrigin origin, WriteRow write_row) : origin_(std::move(origin)), write_row_(std::move(write_row)) {}

  // None after the last.
  Result<std::optional<Block>> next();

 private:
  const RowOrigin origin_;
  const WriteRow write_row_;
  std::uint32_t number_ = 0;
  bool at_end_ = false;
};

}  // namespace vizd::store
