#include "base/json_writer.h"

#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "support/catch.h"

namespace vizd::json_writer_test {
namespace {

std::string json_string(std::string_view text) {
  std::string out;
  append_json_string(out, text);
  return out;
}

TEST_CASE("json strings read back as they were", "[base]") {
  for (const std::string& text : std::vector<std::string>{"", "plain", "\"quoted\" \\ back", "\x1b[31mred\x1b[0m\n\t",
                                                          "caf\xc3\xa9 \xf0\x9f\x98\x80"}) {
    CHECK(nlohmann::json::parse(json_string(text)).get<std::string>() == text);
  }
}

TEST_CASE("json strings of broken UTF-8 are still JSON", "[base]") {
  CHECK(json_string("a\xff"
                    "b") == "\"a\\ufffdb\"");
  CHECK(json_string("\xc3") == "\"\\ufffd\"");                                   // cut off
  CHECK(json_string("\xc0\x80") == "\"\\ufffd\\ufffd\"");                        // overlong
  CHECK(json_string("\xed\xa0\x80") == "\"\\ud800\"");                           // a surrogate, as Python writes it
  CHECK(json_string("\xf4\x90\x80\x80") == "\"\\ufffd\\ufffd\\ufffd\\ufffd\"");  // beyond Unicode
}

TEST_CASE("a json writer puts commas between values and nowhere else", "[base]") {
  std::string out;
  JsonWriter json(out);
  json.begin_object();
  json.key("none").begin_array().end_array();
  json.key("object").begin_object().end_object();
  json.column("column", std::vector{1, -2, 3}, [](JsonWriter& w, int x) { w.number(x); });
  json.key("last").begin_array().text("x").boolean(true).null().begin_array().end_array().raw("{}").end_array();
  json.end_object();
  CHECK(out == R"({"none":[],"object":{},"column":[1,-2,3],"last":["x",true,null,[],{}]})");
}

TEST_CASE("json numbers keep their value", "[base]") {
  std::string out;
  JsonWriter json(out);
  json.begin_array();
  json.number(std::numeric_limits<std::int64_t>::min()).number(std::numeric_limits<std::uint64_t>::max());
  json.real(0.1).real(std::numeric_limits<double>::infinity()).end_array();
  CHECK(out == "[-9223372036854775808,18446744073709551615,0.1,null]");
}

}  // namespace
}  // namespace vizd::json_writer_test
