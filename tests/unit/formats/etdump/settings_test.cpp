// What options say of how an ETDump is read, and what they may not say.
#include "formats/etdump/settings.h"

#include <fstream>
#include <optional>
#include <span>
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
  CHECK(problem({{"target-time-scale", "cycles"}}).find("cycles are not a time") != std::string::npos);
  CHECK(problem({{"source-time-scale", "days"}}) ==
        "--source-time-scale days: is not a unit; use ns, us, ms, s or cycles");
}

BlockEvent event_of(const std::string& name, const std::optional<std::string>& delegate) {
  BlockEvent event;
  event.name = name;
  event.is_delegated = true;
  event.backend = delegate;
  return event;
}

TEST_CASE("a delegate's clock is told by the number of its ticks in a unit, or by a file of rules", "[etdump]") {
  const BlockEvent b = event_of("conv #1", "B"), c = event_of("pool", "C"), d = event_of("conv #1", std::nullopt);
  CHECK(read({})->delegate_factor(b) == 1e6);
  CHECK(read({{"delegate-ticks", "10"}})->delegate_factor(b) == 10);
  CHECK(problem({{"delegate-ticks", "0"}}) == "--delegate-ticks 0: must be a number above 0");
  CHECK(problem({{"delegate-ticks", "1x"}}) == "--delegate-ticks 1x: must be a number above 0");

  const TemporaryFolder folder;
  const std::string path = folder.path() + "/clocks";
  std::ofstream(path) << "# ticks\n\nB = 100 ns\n C=0.5 us\n";
  const auto settings = read({{"delegate-clocks", path}, {"delegate-ticks", "10"}});
  REQUIRE(settings);
  CHECK(settings->delegate_factor(b) == Approx(1e4));
  CHECK(settings->delegate_factor(c) == Approx(2e3));
  CHECK(settings->delegate_factor(d) == 10);
  std::ofstream(path) << "B = 100 ns\nC = fast\n";
  CHECK(problem({{"delegate-clocks", path}}) == path + ":2: is not a rule; write NAME = NUMBER ns, us, ms or s");
  std::ofstream(path) << "B 100 ns\n";
  CHECK(problem({{"delegate-clocks", path}}) == path + ":1: is not a rule; write NAME = NUMBER ns, us, ms or s");
  CHECK(problem({{"delegate-clocks", path + "x"}}) == path + "x: cannot be read");
  CHECK(problem({{"delegate-clocks", folder.path()}}) == folder.path() + ": cannot be read");
}

TEST_CASE("a clock may be that of an event's name: the first rule that fits counts, and an idle one is told",
          "[etdump]") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/clocks";
  std::ofstream(path) << "*oo* = 1 us\nconv #* = 100 ns\nB = 1 ns\nnone* = 1 s\n";
  const auto settings = read({{"delegate-clocks", path}});
  REQUIRE(settings);
  const BlockEvent pool = event_of("pool", "B"), conv = event_of("conv #12", std::nullopt),
                   other = event_of("sin", "B");
  CHECK(settings->delegate_factor(pool) == Approx(1e3));
  CHECK(settings->delegate_factor(conv) == Approx(1e4));
  CHECK(settings->delegate_factor(other) == Approx(1e6));
  CHECK(settings->delegate_factor(event_of("convoluted", "C")) == Approx(1e6));  // as without a rule
  Block block;
  block.events = {pool, conv, other};
  CHECK(idle_rules(*settings, std::span(&block, 1)) == std::vector{path + ":4: matches no event of a delegate"});
}

TEST_CASE("other options are taken at their word", "[etdump]") {
  const auto settings =
      read({{"warm-up", "2"}, {"raw-values", "5"}, {"delegate-metadata", "pairs"}, {"method", "decode"}});
  REQUIRE(settings);
  CHECK((settings->warm_up_iterations == 2 && settings->most_raw_values == 5 && settings->metadata.are_given()));
  CHECK((settings->method == "decode" && !settings->is_reference));
  CHECK(problem({{"delegate-metadata", "no such file"}}) == "no such file: cannot be read");
  CHECK(problem({{"warm-up", "-1"}}) == "--warm-up -1: must be a number of iterations");
}

}  // namespace
}  // namespace vizd::etdump::settings_test
