// What commands print of XLA's programs in a profile: modules, instructions, and the work of devices by op.
#include <algorithm>
#include <string>
#include <vector>

#include "http/command_run.h"
#include "support/catch.h"
#include "support/places.h"

namespace vizd::hlo_commands_test {
namespace {

using nlohmann::json;

std::string profile() { return test_data("../golden/xplane/two_devices/input/host.xplane.pb"); }

// The first that has these values.
json find(const std::vector<json>& records, const json& values) {
  const auto has_all = [&](const json& record) {
    return std::ranges::all_of(values.items(), [&](const auto& value) {
      return record.contains(value.key()) && record[value.key()] == value.value();
    });
  };
  const auto found = std::ranges::find_if(records, has_all);
  if (found == records.end()) FAIL("no record with " << values.dump());
  return *found;
}

TEST_CASE("vizd ls lists XLA's modules after all else, and with --instructions these alone") {
  const CommandRun ls({"ls", profile(), "--json"});
  CHECK(ls.code == 0);
  const json module = find(ls.records(), {{"record", "module"}, {"module", "jit_step"}});
  CHECK(module["program_id"] == 17);
  CHECK(module["instructions"] == 3);
  CHECK(module["edges"] == 2);
  CHECK(module["bad"] == false);
  CHECK(ls.records().back()["record"] == "module");

  const CommandRun instructions({"ls", profile(), "--instructions", "--json"});
  REQUIRE(instructions.records().size() == 3);
  const json multiply = find(instructions.records(), {{"name", "multiply.1"}});
  CHECK(multiply["operands"] == json{"a", "b"});
  CHECK(multiply["shape"] == "f32[8]");
  CHECK(multiply["root"] == true);
  CHECK(CommandRun({"ls", profile(), "--instructions", "--name", "nothing", "--json"}).out.empty());

  const CommandRun table({"ls", profile()});
  CHECK(table.out.find("jit_step") != std::string::npos);
}

TEST_CASE("vizd kernels --group hlo sums up work by op, with all bits of a program's number") {
  const CommandRun kernels({"kernels", profile(), "--group", "hlo", "--json"});
  CHECK(kernels.code == 0);
  REQUIRE(kernels.records().size() == 4);
  const json loop = find(kernels.records(), {{"op", "while.1"}});
  CHECK(loop["self_ps"] == 4'000'500);
  CHECK(loop["total_ps"] == 8'000'500);
  const json fusion = find(kernels.records(), {{"op", "fusion.2"}});
  CHECK(fusion["executions"] == 2);
  CHECK(fusion["flops"] == 80);
  CHECK(fusion["source"] == "step.py:7");
  CHECK(fusion["peak_flops_from"] == "profile");
  const json dot = find(kernels.records(), {{"op", "dot.1"}});
  CHECK(dot["program_id"].get<std::uint64_t>() == 9223372036854775817u);
  CHECK(dot["kernels"] == 1);

  const CommandRun chosen({"kernels", profile(), "--group", "hlo", "--name", "FUSION"});
  CHECK(chosen.out.find("fusion.2") != std::string::npos);
  CHECK(chosen.out.find("while.1") == std::string::npos);
  for (const std::vector<std::string>& more :
       std::vector<std::vector<std::string>>{{"--device", "TPU:0"}, {"--tree"}, {"--to", "csv"}}) {
    std::vector<std::string> arguments{"kernels", profile(), "--group", "hlo"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    CHECK(CommandRun(arguments).code == 2);
  }
}

}  // namespace
}  // namespace vizd::hlo_commands_test
