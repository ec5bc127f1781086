// Arguments under the names that another tool's users know, in folders that are read as they are.
#include "query/other_names.h"

#include "session/loaded_capture.h"
#include "support/catch.h"
#include "support/named_sets.h"
#include "support/places.h"
#include "unit/query/asked.h"

namespace vizd::sql::other_names_test {
namespace {

// As bigTpuProfile's README has them, but for the bounds.
constexpr std::string_view kByBandwidth = R"(SELECT a.real_value AS ddr_bandwidth, s.*  FROM slice s
JOIN args a ON s.arg_set_id = a.arg_set_id
WHERE a.key = 'debug.DDR Bandwidth(GB/s)'
  AND ddr_bandwidth BETWEEN 5 AND 60
order by ddr_bandwidth desc;)";
constexpr std::string_view kOfCore = R"(// List operator durations under a specified core
SELECT s.*
FROM slice s
JOIN track t ON s.track_id = t.id
JOIN track parent ON t.parent_id = parent.id
WHERE parent.name = 'Core 0' AND t.name = 'Kernel Function'
ORDER BY s.dur DESC;
)";

}  // namespace

TEST_CASE("bigTpuProfile's queries find their rows in a folder as it is") {
  const std::string folder = test_data("../golden/bigtpu/two_cores/input/");
  const Reading reading =
      load(named_sets({folder + "cdmlib0_0.profile", folder + "cdmlib0_1.profile", folder + "global.profile"}).at(0));
  REQUIRE(reading.loaded);
  const LoadedCapture& loaded = *reading.loaded;
  const std::vector<Source> sources{{.capture = &loaded.capture, .timeline = &loaded.timeline, .name = "tpu"}};
  const auto ask = [&](std::string_view query) { return Asked(sources, query); };

  const Asked transfers = ask(kByBandwidth);
  // The same by vizd's own names, for transfers that touch DDR.
  const Asked own = ask(
      "SELECT b.real_value / 1e9, s.* FROM slice s JOIN args b ON b.arg_set_id = s.arg_set_id AND b.name = 'bandwidth' "
      "JOIN args d ON d.arg_set_id = s.arg_set_id AND d.name = 'direction' WHERE d.string_value LIKE '%DDR%' AND "
      "b.real_value BETWEEN 5e9 AND 60e9 ORDER BY 1 DESC");
  CHECK(transfers.text() == own.text());
  CHECK_FALSE(transfers.rows.empty());
  // Every transfer has either bandwidth, or none where it touches neither memory.
  CHECK(ask("SELECT count(*) FROM args WHERE key = 'debug.L2M Bandwidth(GB/s)'").text() ==
        ask("SELECT count(*) FROM args WHERE key = 'debug.DDR Bandwidth(GB/s)'").text());
  CHECK(ask("SELECT DISTINCT string_value FROM args WHERE key = 'debug.Direction' ORDER BY 1").text() ==
        ask("SELECT DISTINCT string_value FROM args WHERE name = 'direction' ORDER BY 1").text());

  const Asked functions = ask(kOfCore);
  CHECK(functions.rows.size() == std::stoul(ask("SELECT count(*) FROM slice s JOIN track t ON t.id = s.track_id WHERE "
                                                "t.path LIKE '%Core 0/Kernel Function'")
                                                .text()));
  CHECK(ask("SELECT count(*) FROM args a JOIN args b USING (id) WHERE a.key <> b.key").text() == "0\n");
}

}  // namespace vizd::sql::other_names_test
