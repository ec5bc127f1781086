// JSON read where it lies, against a library that makes a document of it.
#include "base/json_scan.h"

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/catch.h"

namespace vizd::json_scan_test {
namespace {

using Json = nlohmann::json;

const std::string kWhole =
    R"( {"a": [1, -2.5e3, true, null, [], {}], "b\"\\" : {"c" : "d\u00e9\n", "e":[[[0]], "é"]}, "f":false , "g": ""} )";

// The same document, from the parts that the scan finds.
Json document_of(std::string_view value) {
  if (value.starts_with('[')) {
    Json list = Json::array();
    JsonItems items(value);
    while (const auto item = items.next()) list.push_back(document_of(*item));
    CHECK(count_json_items(value) == list.size());
    return list;
  }
  if (value.starts_with('{')) {
    Json object = Json::object();
    JsonMembers members(value);
    while (const auto member = members.next())
      object[json_text("\"" + std::string(member->key) + "\"")] = document_of(member->value);
    return object;
  }
  if (value.starts_with('"')) return json_text(value);
  if (const auto whole = json_int64(value)) return *whole;
  if (const auto real = json_double(value)) return *real;
  return Json::parse(value);
}

}  // namespace

TEST_CASE("what is scanned is what a library reads") {
  REQUIRE(is_json(kWhole, 8));
  CHECK(document_of(std::string_view(kWhole).substr(1)) == Json::parse(kWhole));
  for (const char* const text : {"[]", "{}", "0", "\"x\"", "[[],[]]", "[ 1 , 2 ]", "{\"a\":{},\"b\":[{}]}"}) {
    CAPTURE(text);
    REQUIRE(is_json(text, 8));
    CHECK(document_of(text) == Json::parse(text));
  }
}

TEST_CASE("a text is JSON exactly where a library takes it for that, wherever it is cut or changed") {
  const auto accepts = [](const std::string& text) { return Json::accept(text); };
  for (std::size_t size = 0; size <= kWhole.size(); ++size) {
    CAPTURE(size);
    CHECK(is_json(kWhole.substr(0, size), 8) == accepts(kWhole.substr(0, size)));
  }
  for (std::size_t at = 0; at < kWhole.size(); ++at) {
    for (const char other : std::string("{}[],:\"\\0-+.eEtn \x01\x80\xff")) {
      std::string text = kWhole;
      text[at] = other;
      CAPTURE(text);
      CHECK(is_json(text, 8) == accepts(text));
    }
  }
  for (const char* const text :
       {"",     " ",       "01",         "-",     "1.",    ".5",  "1e",      "+1",        "nul",   "truex", "[1,]",
        "[,1]", "{\"a\"}", "{\"a\":1,}", "{1:2}", "[1 2]", "1 2", "\"\\x\"", "\"\\u12\"", "1e999", "]",     "[}"}) {
    CAPTURE(text);
    CHECK_FALSE(is_json(text, 8));
  }
}

TEST_CASE("nesting is bounded, and a million levels of it cost nothing") {
  CHECK(is_json("[[[]]]", 3));
  CHECK_FALSE(is_json("[[[]]]", 2));
  CHECK_FALSE(is_json(std::string(1'000'000, '['), 8));
  CHECK(is_json(std::string(1000, '[') + std::string(1000, ']'), 1000));
}

TEST_CASE("numbers are what they say, or none") {
  CHECK(json_int64("-5") == -5);
  CHECK_FALSE(json_int64("5.0"));
  CHECK_FALSE(json_int64("9223372036854775808"));
  CHECK(json_uint64("18446744073709551615") == ~std::uint64_t{0});
  CHECK_FALSE(json_uint64("-1"));
  CHECK(json_double("2.5e3") == 2500);
  CHECK_FALSE(json_double("\"1\""));
  CHECK_FALSE(json_double(""));
  CHECK(json_text("null").empty());
}

}  // namespace vizd::json_scan_test
