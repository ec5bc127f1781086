// A result as a file of Arrow's: read here by the format's own words, from its end, as every reader of Arrow does.
#include "query/arrow_file.h"

#include <cstring>
#include <string>
#include <vector>

#include "support/catch.h"
#include "unit/query/asked.h"

namespace vizd::sql::arrow_file_test {
namespace {

class ArrowReader {
 public:
  explicit ArrowReader(std::string bytes) : bytes_(std::move(bytes)) {
    REQUIRE(bytes_.starts_with(std::string("ARROW1\0\0", 8)));
    REQUIRE(bytes_.ends_with("ARROW1"));
    const std::size_t footer = bytes_.size() - 10 - number(bytes_.size() - 10, 4);
    const std::size_t root = footer + number(footer, 4);
    read_schema(target(field(root, 1)));
    const std::size_t blocks = target(field(root, 3));
    for (std::uint64_t i = 0; i < number(blocks, 4); ++i) read_batch(blocks + 4 + 24 * i);
  }

  std::string names;              // with their types, as Arrow numbers them
  std::vector<std::string> rows;  // values with blanks between
  std::size_t batches = 0;

 private:
  std::uint64_t number(std::size_t at, std::size_t size_bytes) const {
    REQUIRE(at + size_bytes <= bytes_.size());
    std::uint64_t value = 0;
    std::memcpy(&value, bytes_.data() + at, size_bytes);
    return value;
  }
  // Where a table's field is.
  std::size_t field(std::size_t table, std::size_t which) const {
    const std::size_t places = table - number(table, 4);
    REQUIRE(4 + 2 * which < number(places, 2));
    const std::uint64_t place = number(places + 4 + 2 * which, 2);
    REQUIRE(place != 0);
    return table + place;
  }
  std::size_t target(std::size_t reference) const { return reference + number(reference, 4); }

  void read_schema(std::size_t schema) {
    const std::size_t fields = target(field(schema, 1));
    for (std::uint64_t i = 0; i < number(fields, 4); ++i) {
      const std::size_t of = target(fields + 4 + 4 * i), name = target(field(of, 0));
      types_.push_back(number(field(of, 2), 1));
      names += bytes_.substr(name + 4, number(name, 4)) + ":" + std::to_string(types_.back()) + " ";
    }
  }

  void read_batch(std::size_t block) {
    ++batches;
    const std::uint64_t at = number(block, 8), metadata_bytes = number(block + 8, 4), body = at + metadata_bytes;
    REQUIRE(number(at, 4) == 0xffffffff);
    REQUIRE(metadata_bytes % 8 == 0);
    REQUIRE(number(at + 4, 4) + 8 == metadata_bytes);
    const std::size_t message = at + 8 + number(at + 8, 4), batch = target(field(message, 2));
    REQUIRE(number(field(message, 1), 1) == 3);
    REQUIRE(number(field(message, 3), 8) == number(block + 16, 8));
    const std::uint64_t count = number(field(batch, 0), 8);
    const std::size_t nodes = target(field(batch, 1)) + 4, buffers = target(field(batch, 2)) + 4;
    REQUIRE(nodes % 8 == 0);
    std::vector<std::string> texts(count);
    std::size_t buffer = 0;
    for (std::size_t column = 0; column < types_.size(); ++column) {
      REQUIRE(number(nodes + 16 * column, 8) == count);
      const auto next = [&] { return body + number(buffers + 16 * buffer++, 8); };
      const std::size_t there = types_[column] == 1 ? 0 : next(), values = types_[column] == 1 ? 0 : next();
      const std::size_t text = types_[column] == 5 ? next() : 0;
      std::uint64_t nulls = 0;
      for (std::uint64_t i = 0; i < count; ++i) {
        const bool is_there = there != 0 && (number(there + i / 8, 1) >> i % 8 & 1) != 0;
        nulls += is_there ? 0 : 1;
        texts[i] += (column == 0 ? "" : " ") + (is_there ? value_text(types_[column], values, text, i) : "null");
      }
      REQUIRE(number(nodes + 16 * column + 8, 8) == nulls);
    }
    rows.insert(rows.end(), texts.begin(), texts.end());
  }

  std::string value_text(std::uint64_t type, std::size_t values, std::size_t text, std::uint64_t i) const {
    if (type == 2) return std::to_string(static_cast<std::int64_t>(number(values + 8 * i, 8)));
    if (type == 3) {
      double value = 0;
      std::memcpy(&value, bytes_.data() + values + 8 * i, 8);
      return plain_text(Value(value));
    }
    const std::uint64_t begin = number(values + 4 * i, 4), end = number(values + 4 * i + 4, 4);
    return bytes_.substr(text + begin, end - begin);
  }

  std::string bytes_;
  std::vector<std::uint64_t> types_;
};

std::string arrow_of(std::string_view query) {
  ResultColumns result(UINT64_MAX);
  Catalog catalog({}, {});
  Database database(catalog);
  const auto ran = database.run(query, result);
  INFO(query);
  REQUIRE(ran);
  std::string bytes;
  write_arrow(result, [&](std::string_view part) { bytes += part; });
  return bytes;
}

TEST_CASE("a result is an Arrow file whose columns are of the widest of their values") {
  const ArrowReader read(
      arrow_of("SELECT column1 AS a, column2 AS b, column3 AS \"c d\", column4 AS e, column5 AS f FROM (VALUES "
               "(1, NULL, 'x', NULL, 7), (NULL, 2.5, 'ÄÖ', NULL, 1.5), (-9223372036854775807, 3, '', NULL, 'text'))"));
  CHECK(read.names == "a:2 b:3 c d:5 e:1 f:5 ");
  REQUIRE(read.rows.size() == 3);
  CHECK(read.rows[0] == "1 null x null 7");
  CHECK(read.rows[1] == "null 2.5 ÄÖ null 1.5");
  CHECK(read.rows[2] == "-9223372036854775807 3  null text");
}

TEST_CASE("an Arrow file of many rows has them in batches, and one of none is a file too") {
  const std::string many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 150000) ";
  const ArrowReader read(arrow_of(many + "SELECT i, 'number ' || i AS name FROM n"));
  CHECK(read.batches == 3);
  REQUIRE(read.rows.size() == 150'000);
  CHECK(read.rows.back() == "150000 number 150000");
  CHECK(read.rows[65'536] == "65537 number 65537");
  const ArrowReader none(arrow_of("SELECT 1 AS a WHERE 0"));
  CHECK(none.names == "a:1 ");
  CHECK(none.rows.empty());
}

}  // namespace
}  // namespace vizd::sql::arrow_file_test
