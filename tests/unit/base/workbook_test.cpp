// Workbooks: what their sheets hold, looked at as the zip file of XML that they are.
#include "base/workbook.h"

#include "support/catch.h"
#include "support/zip_entry.h"

namespace vizd::workbook_test {
namespace {

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
}  // namespace vizd::workbook_test
