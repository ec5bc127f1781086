// The Python that makes reference values: of which graph, and whose values it keeps.
#include "reference/inspector/reference_script.h"

#include "support/catch.h"
#include "support/made_program.h"
#include "support/pickle_writer.h"

namespace vizd::inspector::reference_script_test {
namespace {

using namespace etdump;

bool holds(const std::string& text, const char* part) { return text.find(part) != std::string::npos; }

EtRecord record() {
  MadeProgram edge;
  edge.input("x").edge("aten.permute_copy.default", {"x"}, "aten_permute_copy_default", "7");
  edge.edge("aten.addmm.default", {"aten_permute_copy_default"}, "aten_addmm_default", "7")
      .output("aten_addmm_default");
  MadeProgram bare;
  bare.input("x").edge("aten.relu.default", {"x"}, "relu", "").output("relu");
  Method method;
  method.name = "forward";
  method.edge = *read_exported_program(as_bytes(edge.finish()), "program");
  method.other["bare"] = *read_exported_program(as_bytes(bare.finish()), "program");
  EtRecord made;
  made.methods.push_back(std::move(method));
  return made;
}

TEST_CASE("a script keeps of each debug handle the value of its last node") {
  const auto script = reference_script(record(), {.record = "it's \"one\".bin", .method = "", .graph = ""});
  REQUIRE(script);
  CHECK(holds(*script, R"(RECORD = sys.argv[1] if len(sys.argv) > 1 else "it's \"one\".bin")"));
  CHECK(holds(*script, "GRAPH = \"edge_dialect_exported_program\""));
  CHECK(holds(*script, "    \"aten_addmm_default\": 7,\n"));
  CHECK_FALSE(holds(*script, "permute_copy"));
}

TEST_CASE("a graph that is not there, or has no handles, is an error that names those that there are") {
  const auto of = [](const char* graph) { return reference_script(record(), {"r", "", graph}); };
  CHECK(of("edge"));
  REQUIRE_FALSE(of("aten"));
  CHECK(holds(of("aten").error().message, "there are: edge_dialect_exported_program, bare"));
  REQUIRE_FALSE(of("bare"));
  CHECK(holds(of("bare").error().message, "no node of bare has a debug handle"));
  CHECK_FALSE(reference_script(record(), {"r", "backward", ""}));
}

}  // namespace
}  // namespace vizd::inspector::reference_script_test
