// Answers within a budget: whole records, the first ones, and what there is to say of the others.
#include "base/answer_budget.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "support/catch.h"

namespace vizd::answer_budget_test {
namespace {

std::string told(AnswerBudget budget, std::string_view heading, const std::vector<std::string>& parts) {
  std::string text = budget.take(heading, AnswerPart::kHeading);
  for (const std::string& part : parts) text += budget.take(part, AnswerPart::kLines);
  return text + budget.end();
}

const std::vector<std::string> kRows(100, "a row of some twenty\n");

TEST_CASE("an answer that fits is told as it is, however its lines come") {
  CHECK(told({1000, 0, "vizd x", false}, "head\n", {"on", "e\ntwo\nth", "ree"}) == "head\none\ntwo\nthree");
  CHECK(told({0, 0, "vizd x", false}, "", kRows).size() == 2100);
}

TEST_CASE("no record is cut, no more bytes come than were asked for, and the last line has the commands") {
  for (std::size_t most = 150; most < 2000; most += 37) {
    const std::string text = told({most, 0, "vizd kernels f", false}, "head\n", kRows);
    INFO(text);
    CHECK(text.size() <= most);
    const std::size_t rows = (text.rfind("\n", text.size() - 2) + 1 - 5) / 21;
    CHECK(text.substr(0, 5 + 21 * rows).ends_with(rows == 0 ? "head\n" : "twenty\n"));
    if (rows == 0) continue;
    CHECK(text.find(fmt::format("({} more left out, {} bytes;", 100 - rows, 21 * (100 - rows))) != std::string::npos);
    CHECK(text.find(fmt::format("the next: vizd kernels f --budget {} --after {};", most, rows)) != std::string::npos);
  }
}

TEST_CASE("the parts of an answer that is asked for one after the other are the whole") {
  std::string all;
  std::uint64_t after = 0;
  while (after < 100) {
    AnswerBudget budget(400, after, "vizd x", false);
    std::string part;
    for (int i = 0; i < 100; ++i) part += budget.take(fmt::format("row {}\n", i), AnswerPart::kLines);
    after += static_cast<std::uint64_t>(std::ranges::count(part, '\n'));
    all += part;
  }
  std::string whole;
  for (int i = 0; i < 100; ++i) whole += fmt::format("row {}\n", i);
  CHECK(all == whole);
}

TEST_CASE("a record of several lines is told whole or not at all; one that never fits is left out") {
  AnswerBudget budget(120, 0, "vizd x", false);
  CHECK(budget.take("one\n  more\n", AnswerPart::kRecord) == "one\n  more\n");
  CHECK(budget.take(std::string(200, 'x') + "\n", AnswerPart::kRecord).empty());
  CHECK(budget.take("small\n", AnswerPart::kRecord).empty());  // nothing behind what was left out
  CHECK(budget.end() ==
        "(2 more left out, 207 bytes; the next: vizd x --budget 120 --after 1; all: vizd x --budget 0)\n");
  AnswerBudget none(120, 0, "vizd x", false);
  CHECK(none.take(std::string(200, 'x') + "\n", AnswerPart::kRecord).empty());
  CHECK(none.end() == "(1 records left out: the first is too large; all: vizd x --budget 0)\n");
}

TEST_CASE("of JSON the last line is JSON too") {
  const std::string text = told({300, 0, "vizd x --json", true}, "", std::vector<std::string>(50, "{\"a\":1}\n"));
  const auto last = nlohmann::json::parse(text.substr(text.rfind('\n', text.size() - 2) + 1));
  CHECK(last["left_out"].get<int>() > 0);
  CHECK(last["all"] == "vizd x --json --budget 0");
}

TEST_CASE("words are quoted where a shell would take them apart") {
  CHECK(shell_word("a/b.json") == "a/b.json");
  CHECK(shell_word("a b") == "'a b'");
  CHECK(shell_word("it's") == "'it'\\''s'");
  CHECK(shell_word("") == "''");
  CHECK(shell_word("$(x)") == "'$(x)'");
}

}  // namespace
}  // namespace vizd::answer_budget_test
