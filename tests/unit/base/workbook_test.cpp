// Workbooks: what their sheets hold, looked at as the zip file of XML that they are.
#include "base/workbook.h"

#include <zlib.h>

#include <cstring>

#include "support/catch.h"

namespace vizd {
namespace {

std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint32_t number = 0;
  std::memcpy(&number, bytes.data() + at, size);
  return number;
}

// A file of the zip archive, found through its directory at the end.
std::string unzipped(std::string_view zip, std::string_view name) {
  for (std::size_t at = zip.find("PK\1\2"); at != std::string_view::npos; at = zip.find("PK\1\2", at + 1)) {
    const std::size_t name_size = number_at(zip, at + 28, 2);
    if (zip.substr(at + 46, name_size) != name) continue;
    const std::size_t packed = number_at(zip, at + 20, 4), size = number_at(zip, at + 24, 4);
    const std::size_t local = number_at(zip, at + 42, 4);
    const std::size_t begin = local + 30 + number_at(zip, local + 26, 2) + number_at(zip, local + 28, 2);
    std::string text(size, '\0');
    z_stream stream{};
    REQUIRE(inflateInit2(&stream, -MAX_WBITS) == Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(zip.data() + begin));
    stream.avail_in = static_cast<uInt>(packed);
    stream.next_out = reinterpret_cast<Bytef*>(text.data());
    stream.avail_out = static_cast<uInt>(size);
    CHECK(inflate(&stream, Z_FINISH) == Z_STREAM_END);
    inflateEnd(&stream);
    return text;
  }
  FAIL("no " << name);
  return "";
}

std::string written(Workbook& book) {
  std::string bytes;
  REQUIRE(book.finish([&](std::string_view part) { bytes += part; }));
  return bytes;
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST_CASE("a workbook has its sheets with numbers, texts and headings", "[workbook]") {
  Workbook book;
  Workbook::Sheet sheet = book.add_sheet("Engine Summary");
  sheet.put(0, 0, "a & <b>", Workbook::Look::kHeading);
  sheet.put(1, 0, std::int64_t{1} << 40);
  sheet.put(1, 1, 0.5);
  sheet.put(1, 2, std::int64_t{1} << 60);
  sheet.put(Workbook::kMostRows, 0, "beyond");
  const std::string zip = written(book);
  const std::string xml = unzipped(zip, "xl/worksheets/sheet1.xml");
  CHECK(holds(xml, "a &amp; &lt;b&gt;"));
  CHECK(holds(xml, "<v>1099511627776</v>"));
  CHECK(holds(xml, "<v>0.5</v>"));
  CHECK(holds(xml, "1152921504606846976"));  // as text: a spreadsheet would round it
  CHECK_FALSE(holds(xml, "beyond"));
  CHECK(holds(unzipped(zip, "xl/workbook.xml"), R"(name="Engine Summary")"));
}

TEST_CASE("sheets get names that a workbook may have, each its own", "[workbook]") {
  Workbook book;
  book.add_sheet("a/b:[c]");
  book.add_sheet("a/b:[c]");
  book.add_sheet("a name that is much longer than thirty-one characters");
  book.add_sheet("");
  const std::string xml = unzipped(written(book), "xl/workbook.xml");
  CHECK(holds(xml, R"(name="a_b__c_")"));
  CHECK(holds(xml, "a_b__c_ (2)"));
  CHECK(holds(xml, R"(name="a name that is much longer than")"));
  CHECK(holds(xml, R"(name="sheet")"));
}

TEST_CASE("what is no text of XML is left out of a cell", "[workbook]") {
  Workbook book;
  Workbook::Sheet sheet = book.add_sheet("one");
  sheet.put(0, 0, std::string_view("a\0b\x01\xff\x1b[31mred", 13));
  const std::string xml = unzipped(written(book), "xl/worksheets/sheet1.xml");
  CHECK(xml.find('\x01') == std::string::npos);
  CHECK(xml.find('\xff') == std::string::npos);
  CHECK(holds(xml, "red"));
}

}  // namespace
}  // namespace vizd
