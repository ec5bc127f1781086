#include "base/parse_json.h"

#include <string>

#include "support/catch.h"

namespace vizd::parse_json_test {

namespace {

std::string nested(std::size_t depth, char open, char close) {
  return std::string(depth, open) + std::string(depth, close);
}

}  // namespace

TEST_CASE("text that nests too deep is no document, however deep it goes on") {
  CHECK(parse_json(nested(kMostJsonNesting, '[', ']')).is_array());
  for (const std::size_t depth : {kMostJsonNesting + 1, std::size_t{1'000'000}}) {
    CHECK(parse_json(nested(depth, '[', ']')).is_discarded());
    CHECK(parse_json<nlohmann::ordered_json>(nested(depth, '[', ']')).is_discarded());
    CHECK(find_deeper_nesting(nested(depth, '[', ']')) == kMostJsonNesting);
  }
  // What stands in a string is no nesting.
  CHECK(parse_json("[\"\\\"" + nested(100, '{', '}') + "\"]").is_array());
  CHECK(find_deeper_nesting("]]]]{}", 1) == std::nullopt);
}

TEST_CASE("the byte is told at which a text is no JSON any more") {
  CHECK(find_json_error(R"({"a":[1,2.5,"x",null,true]})") == std::nullopt);
  CHECK(find_json_error(R"({"a":[1,2.5)") == 12);
  CHECK(find_json_error("[1,]") == 4);
  CHECK(find_json_error("") == 1);
  CHECK(find_json_error("[1e999]") != std::nullopt);
}

}  // namespace vizd::parse_json_test
