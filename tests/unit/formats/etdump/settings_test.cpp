// What options say of how an ETDump is read, and what they may not say.
#include "formats/etdump/settings.h"

#include <fstream>
#include <string>
#include <vector>

#include "formats/etdump/format.h"
#include "support/catch.h"
#include "support/temporary_folder.h"

namespace vizd::etdump::settings_test {
namespace {

Result<Settings> read(std::vector<std::pair<std::string, std::string>> given) {
  InputSet set{&kFormat, "set", {{"etdump", "none"}}};
  for (auto& [name, value] : given) set.settings.push_back({&kFormat, name, value});
  return read_settings(OpenSet(set));
}
std::string problem(std::vector<std::pair<std::string, std::string>> given) {
  const auto settings = read(std::move(given));
  return settings ? "" : settings.error().text();
}

TEST_CASE("units are those of the Inspector, and cycles go with cycles alone", "[etdump]") {
  CHECK(read({})->factor() == 1e6);
  CHECK(read({{"source-time-scale", "us"}, {"target-time-scale", "s"}})->factor() == 1e6);
  CHECK(read({{"source-time-scale", "cycles"}})->factor() == 1);
  CHECK(problem({{"target-time-scale", "cycles"}}).find("cycles are no time") != std::string::npos);
  CHECK(problem({{"source-time-scale", "days"}}) ==
        "--source-time-scale days: is no unit; take ns, us, ms, s or cycles");
}

TEST_CASE("a delegate's clock is told by the number of its ticks in a unit, or by a file of rules", "[etdump]") {
  CHECK(read({})->delegate_factor("B") == 1e6);
  CHECK(read({{"delegate-ticks", "10"}})->delegate_factor("B") == 10);
  CHECK(problem({{"delegate-ticks", "0"}}) == "--delegate-ticks 0: is no number above 0");
  CHECK(problem({{"delegate-ticks", "1x"}}) == "--delegate-ticks 1x: is no number above 0");

  const TemporaryFolder folder;
  const std::string path = folder.path() + "/clocks";
  std::ofstream(path) << "# ticks\n\nB = 100 ns\n C=0.5 us\n";
  const auto settings = read({{"delegate-clocks", path}, {"delegate-ticks", "10"}});
  REQUIRE(settings);
  CHECK(settings->delegate_factor("B") == Approx(1e4));
  CHECK(settings->delegate_factor("C") == Approx(2e3));
  CHECK(settings->delegate_factor("D") == 10);
  std::ofstream(path) << "B = 100 ns\nC = fast\n";
  CHECK(problem({{"delegate-clocks", path}}) == path + ":2: is no rule; write BACKEND = NUMBER ns, us, ms or s");
  CHECK(problem({{"delegate-clocks", path + "x"}}).find("cannot be read") != std::string::npos);
}

TEST_CASE("other options are taken at their word", "[etdump]") {
  const auto settings =
      read({{"warm-up", "2"}, {"raw-values", "5"}, {"delegate-metadata", "pairs"}, {"method", "decode"}});
  REQUIRE(settings);
  CHECK((settings->warm_up_iterations == 2 && settings->most_raw_values == 5 && settings->reads_metadata));
  CHECK((settings->method == "decode" && !settings->is_reference));
  CHECK(problem({{"delegate-metadata", "json"}}) == "--delegate-metadata json: the one form that is read is pairs");
  CHECK(problem({{"warm-up", "-1"}}) == "--warm-up -1: is no number of iterations");
}

}  // namespace
}  // namespace vizd::etdump::settings_test
