// A result as a Parquet file: read here by the format's own words, from its end, and strictly: no byte of it may be of
// nothing, and every number that it tells twice has to be equal.
#include "query/parquet_file.h"

#include <zstd.h>

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "query/parquet_runs.h"
#include "query/result_text.h"
#include "support/catch.h"

namespace vizd::sql::parquet_file_test {
namespace {

// A stretch of bytes, taken from its beginning on.
class Bytes {
 public:
  explicit Bytes(std::string_view left) : left_(left) {}

  std::string_view take(std::size_t count) {
    REQUIRE(count <= left_.size());
    const std::string_view taken = left_.substr(0, count);
    left_.remove_prefix(count);
    return taken;
  }
  std::uint8_t byte() { return static_cast<std::uint8_t>(take(1)[0]); }
  std::uint64_t varint() {
    std::uint64_t value = 0;
    for (int shift = 0;; shift += 7) {
      REQUIRE(shift < 64);
      const std::uint8_t next = byte();
      value |= std::uint64_t{next & 0x7fu} << shift;
      if (next < 0x80) return value;
    }
  }
  std::uint64_t number(std::size_t size_bytes) {
    std::uint64_t value = 0;
    std::memcpy(&value, take(size_bytes).data(), size_bytes);
    return value;
  }
  bool is_empty() const { return left_.empty(); }

 private:
  std::string_view left_;
};

// A value of Thrift's: a number, a text, a list, or a record's fields by their numbers.
struct Told {
  std::int64_t number = 0;
  std::string text;
  std::vector<Told> items;
  std::map<int, Told> fields;

  const Told& at(int field) const {
    INFO("field " << field);
    REQUIRE(fields.contains(field));
    return fields.at(field);
  }
  std::uint64_t count(int field) const { return static_cast<std::uint64_t>(at(field).number); }
};

Told read_told(Bytes& bytes, int type) {
  Told told;
  if (type >= 4 && type <= 6) {
    const std::uint64_t value = bytes.varint();
    told.number = static_cast<std::int64_t>(value >> 1 ^ (~(value & 1) + 1));
  } else if (type == 8) {
    told.text = bytes.take(bytes.varint());
  } else if (type == 9) {
    const std::uint8_t head = bytes.byte();
    const std::uint64_t count = head >> 4 == 15 ? bytes.varint() : head >> 4;
    for (std::uint64_t i = 0; i < count; ++i) told.items.push_back(read_told(bytes, head & 15));
  } else {
    REQUIRE(type == 12);
    for (int field = 0; const std::uint8_t head = bytes.byte();) {
      REQUIRE(head >> 4 != 0);
      told.fields[field += head >> 4] = read_told(bytes, head & 15);
    }
  }
  return told;
}

std::vector<std::uint64_t> read_runs(Bytes& bytes, std::uint64_t count, unsigned bits) {
  std::vector<std::uint64_t> numbers;
  while (numbers.size() < count) {
    const std::uint64_t head = bytes.varint();
    REQUIRE(head >> 1 != 0);
    if ((head & 1) == 0) {
      numbers.insert(numbers.end(), head >> 1, bytes.number((bits + 7) / 8));
      REQUIRE(numbers.size() <= count);
      continue;
    }
    const std::string_view packed = bytes.take((head >> 1) * bits);
    REQUIRE(numbers.size() + (head >> 1) * 8 < count + 8);
    for (std::uint64_t i = 0; i < (head >> 1) * 8; ++i) {
      std::uint64_t number = 0;
      for (std::uint64_t bit = 0; bit < bits; ++bit) {
        const std::uint64_t at = i * bits + bit;
        number |= std::uint64_t{static_cast<unsigned char>(packed[at / 8]) >> at % 8 & 1u} << bit;
      }
      if (numbers.size() < count) numbers.push_back(number);
    }
  }
  return numbers;
}

class ParquetReader {
 public:
  explicit ParquetReader(std::string bytes) : bytes_(std::move(bytes)) {
    REQUIRE(bytes_.starts_with("PAR1"));
    REQUIRE(bytes_.ends_with("PAR1"));
    const std::size_t footer_bytes = Bytes(std::string_view(bytes_).substr(bytes_.size() - 8)).number(4);
    footer_at_ = bytes_.size() - 8 - footer_bytes;
    Bytes footer(std::string_view(bytes_).substr(footer_at_, footer_bytes));
    const Told file = read_told(footer, 12);
    REQUIRE(footer.is_empty());
    read_schema(file.at(2).items);
    REQUIRE(file.at(7).items.size() == types_.size());
    for (const Told& group : file.at(4).items) read_group(group);
    REQUIRE(at_ == footer_at_);
    REQUIRE(rows.size() == file.count(3));
  }

  std::string names;              // with their types, as Parquet numbers them
  std::vector<std::string> rows;  // values with blanks between
  std::vector<std::uint64_t> groups;
  std::string bounds;  // of each column of each group: least..greatest, nulls; "d" where it has a dictionary

 private:
  void read_schema(const std::vector<Told>& columns) {
    REQUIRE(columns.at(0).count(5) == columns.size() - 1);
    for (std::size_t i = 1; i < columns.size(); ++i) {
      REQUIRE(columns[i].number == 0);
      REQUIRE(columns[i].count(3) == 1);
      types_.push_back(columns[i].count(1));
      const bool is_text = types_.back() == 6;
      REQUIRE(columns[i].fields.contains(6) == is_text);
      if (is_text) REQUIRE(columns[i].at(10).fields.contains(1));
      if (types_.back() == 1) REQUIRE(columns[i].at(10).fields.contains(11));
      names += columns[i].at(4).text + ":" + std::to_string(types_.back()) + " ";
      names_.push_back(columns[i].at(4).text);
    }
  }

  void read_group(const Told& group) {
    const std::uint64_t count = group.count(3);
    REQUIRE(group.count(5) == at_);
    REQUIRE(group.at(1).items.size() == types_.size());
    std::vector<std::string> texts(count);
    std::uint64_t plain_bytes = 0, stored_bytes = 0;
    for (std::size_t column = 0; column < types_.size(); ++column) {
      const Told& chunk = group.at(1).items[column];
      REQUIRE(chunk.count(2) == at_);
      const auto values = read_chunk(chunk.at(3), column, count);
      for (std::uint64_t i = 0; i < count; ++i) texts[i] += (column == 0 ? "" : " ") + values[i];
      plain_bytes += chunk.at(3).count(6);
      stored_bytes += chunk.at(3).count(7);
    }
    REQUIRE(group.count(2) == plain_bytes);
    REQUIRE(group.count(6) == stored_bytes);
    groups.push_back(count);
    rows.insert(rows.end(), texts.begin(), texts.end());
  }

  std::vector<std::string> read_chunk(const Told& chunk, std::size_t column, std::uint64_t count) {
    REQUIRE(chunk.count(1) == types_[column]);
    REQUIRE(chunk.at(3).items.at(0).text == names_[column]);
    REQUIRE(chunk.count(4) == 6);
    REQUIRE(chunk.count(5) == count);
    const std::size_t begin = at_;
    plain_bytes_ = 0;
    std::vector<std::string> dictionary;
    const bool has_dictionary = chunk.fields.contains(11);
    REQUIRE(chunk.at(2).items.size() == (has_dictionary ? 3 : 2));
    if (has_dictionary) {
      REQUIRE(chunk.count(11) == at_);
      const auto [head, plain] = read_page(2);
      Bytes texts(plain);
      for (std::uint64_t i = 0; i < head.at(7).count(1); ++i) dictionary.push_back(read_value(texts, 6));
      REQUIRE(texts.is_empty());
    }
    REQUIRE(chunk.count(9) == at_);
    const auto [head, plain] = read_page(0);
    REQUIRE(head.at(5).count(1) == count);
    REQUIRE(head.at(5).count(2) == (has_dictionary ? 8 : 0));
    REQUIRE(chunk.count(6) == plain_bytes_);
    REQUIRE(chunk.count(7) == at_ - begin);
    return read_values(chunk, column, count, plain, dictionary);
  }

  std::vector<std::string> read_values(const Told& chunk, std::size_t column, std::uint64_t count,
                                       std::string_view page, const std::vector<std::string>& dictionary) {
    Bytes bytes(page);
    const std::uint64_t level_bytes = bytes.number(4);
    Bytes levels(bytes.take(level_bytes));
    const auto is_there = read_runs(levels, count, 1);
    REQUIRE(levels.is_empty());
    const auto values = static_cast<std::uint64_t>(std::ranges::count(is_there, 1u));
    REQUIRE(chunk.at(12).count(3) == count - values);
    std::vector<std::uint64_t> places;
    if (!dictionary.empty()) {
      const unsigned bits = bytes.byte();
      places = read_runs(bytes, values, bits);
    }
    std::vector<std::string> texts;
    for (std::uint64_t i = 0, value = 0; i < count; ++i) {
      if (is_there[i] == 0) {
        texts.emplace_back("null");
      } else {
        texts.push_back(dictionary.empty() ? read_value(bytes, types_[column]) : dictionary.at(places[value]));
        ++value;
      }
    }
    REQUIRE(bytes.is_empty());
    const auto bound = [&](int field) {
      return chunk.at(12).fields.contains(field)
                 ? std::to_string(static_cast<std::int64_t>(Bytes(chunk.at(12).at(field).text).number(8)))
                 : "";
    };
    bounds += names_[column] + "=" + bound(6) + ".." + bound(5) + "," + std::to_string(count - values) +
              (dictionary.empty() ? " " : "d ");
    return texts;
  }

  // Its head, and what it holds, unpacked.
  std::pair<Told, std::string> read_page(std::uint64_t type) {
    Bytes bytes(std::string_view(bytes_).substr(at_, footer_at_ - at_));
    Told head = read_told(bytes, 12);
    REQUIRE(head.count(1) == type);
    std::string plain(head.count(2), '\0');
    const std::string_view packed = bytes.take(head.count(3));
    REQUIRE(ZSTD_decompress(plain.data(), plain.size(), packed.data(), packed.size()) == plain.size());
    const auto end = static_cast<std::size_t>(packed.data() + packed.size() - bytes_.data());
    plain_bytes_ += end - at_ - packed.size() + plain.size();
    at_ = end;
    return {std::move(head), std::move(plain)};
  }

  static std::string read_value(Bytes& bytes, std::uint64_t type) {
    if (type == 2) return std::to_string(static_cast<std::int64_t>(bytes.number(8)));
    if (type == 6) return std::string(bytes.take(bytes.number(4)));
    REQUIRE(type == 5);
    const std::uint64_t bits = bytes.number(8);
    double value = 0;
    std::memcpy(&value, &bits, 8);
    return plain_text(Value(value));
  }

  std::string bytes_;
  std::size_t at_ = 4, footer_at_ = 0, plain_bytes_ = 0;
  std::vector<std::uint64_t> types_;
  std::vector<std::string> names_;
};

std::string parquet_of(std::string_view query) {
  ResultColumns result(UINT64_MAX);
  Catalog catalog({}, {});
  Database database(catalog);
  INFO(query);
  REQUIRE(database.run(query, result));
  std::string bytes;
  write_parquet(result, [&](std::string_view part) { bytes += part; });
  return bytes;
}

TEST_CASE("a result is a Parquet file whose columns are of the widest of their values, and may have none") {
  const ParquetReader read(parquet_of(
      "SELECT column1 AS a, column2 AS b, column3 AS \"c d\", column4 AS e, column5 AS f FROM (VALUES "
      "(1, NULL, 'x', NULL, 7), (NULL, 2.5, 'ÄÖ', NULL, 1.5), (-9223372036854775807, 3, '', NULL, 'text'))"));
  CHECK(read.names == "a:2 b:5 c d:6 e:1 f:6 ");
  REQUIRE(read.rows.size() == 3);
  CHECK(read.rows[0] == "1 null x null 7");
  CHECK(read.rows[1] == "null 2.5 ÄÖ null 1.5");
  CHECK(read.rows[2] == "-9223372036854775807 3  null text");
  CHECK(read.bounds == "a=-9223372036854775807..1,1 b=..,1 c d=..,0 e=..,3 f=..,0 ");
}

TEST_CASE("a Parquet file of many rows has them in groups, and tells texts that recur once a group") {
  const std::string many = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 300000) ";
  const ParquetReader read(parquet_of(
      many +
      "SELECT i, 'number ' || i AS name, 'kind ' || (i * i % 700) AS kind, iif(i % 5000 < 9, NULL, 'all') AS one, "
      "iif(i % 3 = 0, NULL, i * 0.5) AS half FROM n"));
  CHECK(read.groups == std::vector<std::uint64_t>{131'072, 131'072, 37'856});
  CHECK(read.bounds.starts_with("i=1..131072,0 name=..,0 kind=..,0d one=..,242d half=..,43690 "));
  REQUIRE(read.rows.size() == 300'000);
  bool all_equal = true;
  for (std::uint64_t i = 1; i <= 300'000; ++i) {
    const std::string half = i % 3 == 0 ? "null" : plain_text(Value(static_cast<double>(i) / 2));
    all_equal = all_equal && read.rows[i - 1] == std::to_string(i) + " number " + std::to_string(i) + " kind " +
                                                     std::to_string(i * i % 700) + (i % 5000 < 9 ? " null " : " all ") +
                                                     half;
  }
  CHECK(all_equal);
  const ParquetReader none(parquet_of("SELECT 1 AS a WHERE 0"));
  CHECK(none.names == "a:1 ");
  CHECK(none.rows.empty());
}

TEST_CASE("groups of long texts have fewer rows") {
  const ParquetReader read(
      parquet_of("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 100) "
                 "SELECT i, i || hex(zeroblob(450000)) AS long FROM n"));
  CHECK(read.groups == std::vector<std::uint64_t>{50, 50});
}

TEST_CASE("numbers of any width come back from runs and bits") {
  for (const int bits : {1, 2, 7, 8, 9, 20, 32}) {
    std::vector<std::uint32_t> numbers;
    std::uint32_t state = 1;
    for (int i = 0; i < 500; ++i) {
      state = state * 1'664'525u + 1'013'904'223u;
      const auto number = static_cast<std::uint32_t>(std::uint64_t{state} >> (32 - bits));
      numbers.insert(numbers.end(), i % 7 == 0 ? state >> 28 : 1, number);
    }
    for (std::size_t count = numbers.size(); count > numbers.size() - 20; --count) {
      std::string out;
      append_parquet_runs(out, std::span(numbers).first(count), bits);
      Bytes bytes(out);
      const auto read = read_runs(bytes, count, static_cast<unsigned>(bits));
      CHECK(bytes.is_empty());
      CHECK(std::ranges::equal(read, std::span(numbers).first(count)));
    }
  }
  CHECK(bits_below(0) == 1);
  CHECK(bits_below(2) == 1);
  CHECK(bits_below(3) == 2);
  CHECK(bits_below(256) == 8);
  CHECK(bits_below(257) == 9);
}

}  // namespace
}  // namespace vizd::sql::parquet_file_test
