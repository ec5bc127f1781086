#include "query/parquet_chunk.h"

#include <zstd.h>

#include <algorithm>
#include <bit>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/assert.h"
#include "query/compact_record.h"
#include "query/parquet_runs.h"

namespace vizd::sql {
namespace {

static_assert(std::endian::native == std::endian::little, "Parquet's numbers are written as they lie");

constexpr std::size_t kDictionaryBytes = 1 << 20;  // of texts; where they are more, most recur seldom
constexpr int kZstdPageLevel = 3;

// As the format numbers them.
enum class PageType : std::int32_t { kData = 0, kDictionary = 2 };

void append_parquet_text(std::string& bytes, std::string_view text) {
  append_parquet_value(bytes, static_cast<std::uint32_t>(text.size()));
  bytes += text;
}

// The texts of a part, each once, and which of them each of its values is.
struct TextDictionary {
  std::string plain;
  std::uint32_t count = 0;
  std::vector<std::uint32_t> places;
};

// Nothing where texts are long, or most are there once.
std::optional<TextDictionary> dictionary_of(const ColumnPart& part, std::uint64_t values) {
  if (part.column.type != ResultType::kText) return std::nullopt;
  TextDictionary dictionary;
  std::unordered_map<std::string_view, std::uint32_t> known;
  for (std::uint64_t row = part.begin; row < part.end; ++row) {
    if (part.column.is_null[row]) continue;
    const std::string_view text = part.column.text_of(row);
    const auto [at, is_new] = known.try_emplace(text, dictionary.count);
    dictionary.places.push_back(at->second);
    if (!is_new) continue;
    ++dictionary.count;
    append_parquet_text(dictionary.plain, text);
    if (dictionary.plain.size() > kDictionaryBytes || dictionary.count > values / 2) return std::nullopt;
  }
  return dictionary;
}

// The values that are there, one behind the other.
void append_values(std::string& bytes, const ColumnPart& part) {
  const ResultColumns::Column& column = part.column;
  for (std::uint64_t row = part.begin; row < part.end; ++row) {
    if (column.is_null[row]) continue;
    if (column.type == ResultType::kInteger) append_parquet_value(bytes, column.integers[row]);
    if (column.type == ResultType::kReal) append_parquet_value(bytes, column.reals[row]);
    if (column.type == ResultType::kText) append_parquet_text(bytes, column.text_of(row));
  }
}

void append_page(std::string& out, ParquetChunk& chunk, PageType type, std::uint64_t values, ParquetEncoding encoding,
                 std::string_view plain) {
  std::string packed(ZSTD_compressBound(plain.size()), '\0');
  const std::size_t size = ZSTD_compress(packed.data(), packed.size(), plain.data(), plain.size(), kZstdPageLevel);
  VIZD_ASSERT(ZSTD_isError(size) == 0);
  packed.resize(size);
  CompactRecord head;
  head.add_int32(1, static_cast<std::int32_t>(type));
  head.add_int32(2, static_cast<std::int32_t>(plain.size()));
  head.add_int32(3, static_cast<std::int32_t>(packed.size()));
  head.begin_record(type == PageType::kData ? 5 : 7);
  head.add_int32(1, static_cast<std::int32_t>(values));
  head.add_int32(2, static_cast<std::int32_t>(encoding));
  if (type == PageType::kData) {
    head.add_int32(3, static_cast<std::int32_t>(ParquetEncoding::kRuns));  // of which values are there
    head.add_int32(4, static_cast<std::int32_t>(ParquetEncoding::kRuns));  // of repetitions, of which there are none
  }
  head.end();
  head.end();
  chunk.plain_bytes += head.bytes().size() + plain.size();
  chunk.stored_bytes += head.bytes().size() + packed.size();
  out.append(head.bytes()).append(packed);
}

}  // namespace

ParquetChunk append_parquet_chunk(std::string& out, std::uint64_t at, const ColumnPart& part) {
  ParquetChunk chunk;
  std::vector<std::uint32_t> is_there;
  for (std::uint64_t row = part.begin; row < part.end; ++row) {
    const bool is_null = part.column.is_null[row];
    is_there.push_back(is_null ? 0 : 1);
    if (is_null) {
      ++chunk.nulls;
    } else if (part.column.type == ResultType::kInteger) {
      const std::int64_t value = part.column.integers[row];
      chunk.least = std::min(chunk.least.value_or(value), value);
      chunk.greatest = std::max(chunk.greatest.value_or(value), value);
    }
  }
  const auto dictionary = dictionary_of(part, is_there.size() - chunk.nulls);
  if (dictionary)
    append_page(out, chunk, PageType::kDictionary, dictionary->count, ParquetEncoding::kPlain, dictionary->plain);
  chunk.at = at;
  chunk.data_at = at + chunk.stored_bytes;
  std::string runs;
  append_parquet_runs(runs, is_there, 1);
  std::string page;
  append_parquet_value(page, static_cast<std::uint32_t>(runs.size()));
  page += runs;
  if (dictionary) {
    const int bits = bits_below(dictionary->count);
    page += static_cast<char>(bits);
    append_parquet_runs(page, dictionary->places, bits);
  } else {
    append_values(page, part);
  }
  append_page(out, chunk, PageType::kData, is_there.size(),
              dictionary ? ParquetEncoding::kDictionaryRuns : ParquetEncoding::kPlain, page);
  return chunk;
}

}  // namespace vizd::sql
