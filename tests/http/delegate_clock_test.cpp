// A delegate's own clock, of a real capture whose delegate has one: in the terminal, by the number of its ticks in a
// unit and by a file of rules.
#include <map>
#include <string>
#include <vector>

#include "http/command_run.h"
#include "support/catch.h"
#include "support/places.h"
#include "support/temporary_folder.h"

namespace vizd::delegate_clock_test {
namespace {

// By the event's name and instruction: its average in milliseconds, of the block that runs the delegate.
std::map<std::string, double> averages(const std::vector<std::string>& options, bool is_delegated) {
  std::vector<std::string> words{"summary", "--json", test_data("../golden/etdump/delegate_int/input")};
  words.insert(words.end(), options.begin(), options.end());
  CommandRun run(words);
  REQUIRE(run.code == 0);
  std::map<std::string, double> found;
  for (const auto& record : run.records()) {
    if (record["record"] != "event" || record["is_delegated"] != is_delegated || record["avg"].is_null()) continue;
    found[record["name"].get<std::string>() + " " + record["instruction"].dump()] = record["avg"].get<double>();
  }
  return found;
}

TEST_CASE("a delegate's ticks are told by number or by a file of rules, which counts first") {
  const TemporaryFolder folder;
  folder.write("clocks", "# made up\nDemoBackend = 100 ns\nOther = 1 us\n");
  const auto usual = averages({}, true), kernels = averages({}, false);
  REQUIRE(usual.size() >= 4);
  CHECK(usual.at("0 0") == Approx(0.00104));  // 1040 ticks as nanoseconds

  const std::vector<std::string> ticks{"--delegate-ticks", "10"}, clocks{"--delegate-clocks", folder / "clocks"};
  for (const auto& [name, average] : averages(ticks, true)) CHECK(average == Approx(usual.at(name) * 1e6 / 10));
  for (const auto& [name, average] : averages(clocks, true)) CHECK(average == Approx(usual.at(name) * 100));
  std::vector<std::string> both = ticks;
  both.insert(both.end(), clocks.begin(), clocks.end());
  CHECK(averages(both, true) == averages(clocks, true));
  folder.write("clocks", "Other = 1 us\n");
  CHECK(averages(both, true) == averages(ticks, true));
  CHECK(averages(both, false) == kernels);  // the runtime's clock stays

  folder.write("clocks", "DemoBackend = fast\n");
  CommandRun wrong(
      {"summary", "--json", "--delegate-clocks", folder / "clocks", test_data("../golden/etdump/delegate_int/input")});
  CHECK(wrong.code == 1);
  CHECK(wrong.warns("clocks:1: is not a rule; write NAME = NUMBER ns, us, ms or s"));
}

TEST_CASE("a clock may be one of some events, by their names") {
  const TemporaryFolder folder;
  folder.write("clocks", "1* = 100 ns\nnobody = 1 s\n");
  const std::vector<std::string> clocks{"--delegate-clocks", folder / "clocks"};
  const auto usual = averages({}, true);
  for (const auto& [name, average] : averages(clocks, true))
    CHECK(average == Approx(usual.at(name) * (name.starts_with('1') ? 100 : 1)));
  CommandRun check(
      {"summary", "--delegate-clocks", folder / "clocks", test_data("../golden/etdump/delegate_int/input")});
  CHECK(check.code == 0);
  CHECK(check.warns("clocks:2: matches no event of a delegate"));
}

TEST_CASE("fields of a delegate's metadata are columns, records and arguments") {
  const TemporaryFolder folder;
  folder.write("fields", "DemoBackend = regex util=(?<util>[0-9]+)%\nDemoBackend = pairs\n");
  const std::string capture = test_data("../golden/etdump/delegate_int/input");
  const std::vector<std::string> fields{"--delegate-metadata", folder / "fields"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.end(), fields.begin(), fields.end());
    words.push_back(capture);
    return words;
  };
  std::size_t told = 0;
  CommandRun summary(with({"summary", "--json"}));
  for (const auto& record : summary.records()) {
    if (record["record"] != "event" || record["delegate_fields"].empty()) continue;
    ++told;
    CHECK(record["delegate_fields"]["n"].at(0) == "10");
    CHECK(record["delegate_fields"]["util"].size() == record["raw"].size());
  }
  CHECK(told >= 4);
  CommandRun table(with({"export", "--tsv"}));
  CHECK(table.lines().at(0).ends_with("\tn\top\tutil"));
  CHECK(table.out.find("['10', '10'") != std::string::npos);
  // As numbers where they are some, so that they can be reckoned with.
  CommandRun sql(with({"sql", "--csv", "SELECT min(int_value) > 9 FROM args WHERE key = 'debug.util'"}));
  REQUIRE(sql.lines().size() == 2);
  CHECK(sql.lines()[1] == "1");
}

}  // namespace
}  // namespace vizd::delegate_clock_test
