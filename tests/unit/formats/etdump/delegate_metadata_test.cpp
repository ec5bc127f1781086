// Fields of a delegate's metadata, by the rules of a file.
#include "formats/etdump/delegate_metadata.h"

#include <span>
#include <string>
#include <vector>

#include "support/catch.h"
#include "support/temporary_folder.h"

namespace vizd::etdump::delegate_metadata_test {
namespace {

BlockEvent event_of(const std::string& name, const std::string& delegate, const std::vector<std::string>& metadata) {
  BlockEvent event;
  event.name = name;
  event.is_delegated = true;
  event.backend = delegate;
  for (const std::string& text : metadata) event.metadata.push_back(std::as_bytes(std::span(text)));
  return event;
}

// For each iteration "name=value …", numbers with a # before them.
std::vector<std::string> fields_of(const MetadataRules& rules, const BlockEvent& event) {
  std::vector<std::string> all;
  for (const auto bytes : event.metadata) {
    std::string& text = all.emplace_back();
    for (const auto& [name, told] : rules.fields(event, bytes)) {
      const MetadataValue value = number_or_text(told);
      text += (text.empty() ? "" : " ") + name + "=";
      if (const auto* whole = std::get_if<std::int64_t>(&value)) text += "#" + std::to_string(*whole);
      if (const auto* real = std::get_if<double>(&value)) text += "#" + std::to_string(*real).substr(0, 4);
      if (const auto* word = std::get_if<std::string>(&value)) text += *word;
    }
  }
  return all;
}

struct RuleFile {
  explicit RuleFile(const std::string& text) { folder.write("rules", text); }
  std::string path() const { return folder / "rules"; }
  Result<MetadataRules> read() const { return MetadataRules::read(path()); }
  std::string problem() const {
    const auto rules = read();
    return rules ? "" : rules.error().text();
  }
  TemporaryFolder folder;
};

TEST_CASE("pairs are fields, each once, and numbers where they are some", "[etdump]") {
  const std::vector<std::string> texts{"op=sin;n=10;util=61%;n=11", "nothing", "half=0.5;x=nan"};
  const auto rules = MetadataRules::read("pairs");
  REQUIRE(rules);
  CHECK(fields_of(*rules, event_of("7", "B", texts)) ==
        std::vector<std::string>{"op=sin n=#10 util=61%", "", "half=#0.50 x=nan"});
  BlockEvent own = event_of("7", "B", texts);
  own.is_delegated = false;
  CHECK(fields_of(*rules, own) == std::vector<std::string>(3));
}

TEST_CASE("rules are by the event's name or its delegate's, and the first to tell a field counts", "[etdump]") {
  const RuleFile file(
      "# fields\n"
      "Qnn* = regex cycles[ =](?<cycles>[0-9]+)(?: of (?P<unit>[a-z(]+))?\n"
      "conv #* = json op /op\n"
      "conv #* = json cycles /perf/0/cycles\n"
      "conv #* = json perf /perf\n"
      "gone = pairs\n");
  const auto rules = file.read();
  REQUIRE(rules);
  const std::vector<std::string> text{"a (b) cycles=120 of core", "cycles 7", "none"};
  const BlockEvent by_regex = event_of("5", "QnnBackend", text);
  CHECK(fields_of(*rules, by_regex) == std::vector<std::string>{"cycles=#120 unit=core", "cycles=#7", ""});
  const std::vector<std::string> json{R"({"op": "conv", "perf": [{"cycles": 12.5}]})", "{broken", R"({"op": null})"};
  const BlockEvent by_json = event_of("conv #3", "Other", json);
  CHECK(fields_of(*rules, by_json) ==
        std::vector<std::string>{R"(op=conv cycles=#12.5 perf=[{"cycles":12.5}])", "", ""});
  const auto columns = rules->columns(by_json);
  REQUIRE(columns.at("cycles").size() == 3);
  CHECK((columns.at("cycles")[0] == MetadataValue(12.5) && !columns.at("cycles")[1]));
  CHECK(fields_of(*rules, event_of("pool", "Other", text)) == std::vector<std::string>(3));
  Block block;
  block.events = {by_regex, by_json};
  CHECK(rules->idle(std::span(&block, 1)) == std::vector{file.path() + ":6"});
}

TEST_CASE("a line that is not a rule is told in words", "[etdump]") {
  const auto problem = [](const std::string& line) {
    const RuleFile file("# one\n" + line + "\n");
    const std::string text = file.problem();
    return text.starts_with(file.path() + ":2: ") ? text.substr(file.path().size() + 4) : text;
  };
  CHECK(problem("B").starts_with("is not a rule; write NAME = pairs, "));
  CHECK(problem("B = xml").starts_with("is not a rule; write NAME = pairs, "));
  CHECK(problem("B = json cycles") == "needs a field and a pointer; write NAME = json FIELD /POINTER");
  CHECK(problem("B = regex ([0-9]+)") == "the pattern names no field; write a group as (?<FIELD>...)");
  CHECK(problem("B = regex (?<open") == "the pattern names no field; write a group as (?<FIELD>...)");
  CHECK(problem("B = regex (?<a>[0-9+)").starts_with("the pattern is not a valid regular expression: "));
  CHECK(problem(R"(B = regex (?<a>x)\1)").starts_with("the pattern is not a valid regular expression: "));
}

TEST_CASE("limits: a regular expression is looked for in the first 4,096 bytes of a metadata, without backtracking",
          "[etdump]") {
  const RuleFile file("B = regex (?<all>(?:a*)*)(?<end>[b])\n");
  const auto rules = file.read();
  REQUIRE(rules);
  // With backtracking the first would take longer than anybody lives.
  const std::vector<std::string> texts{std::string(300, 'a'), std::string(4095, 'x') + "b",
                                       std::string(4096, 'x') + "b"};
  const auto ends = rules->columns(event_of("1", "B", texts)).at("end");
  CHECK((!ends[0] && ends[1] == MetadataValue("b") && !ends[2]));
}

}  // namespace
}  // namespace vizd::etdump::delegate_metadata_test
