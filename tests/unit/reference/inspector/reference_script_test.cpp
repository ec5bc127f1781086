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
  MadeProgram own;
  own.input("x").edge("aten.sin.default", {"x"}, "sin", "3").output("sin");
  method.other["own"] = *read_exported_program(as_bytes(own.finish()), "program");
  EtRecord made;
  made.methods.push_back(std::move(method));
  return made;
}

TEST_CASE("a script keeps of each debug handle the value of its last node") {
  const auto script = reference_script(record(), {.record = "it's \"one\".bin", .method = ""});
  REQUIRE(script);
  CHECK(holds(*script, R"(RECORD = sys.argv[1] if len(sys.argv) > 1 else "it's \"one\".bin")"));
  CHECK(holds(*script, "GRAPH = \"edge_dialect_exported_program\""));
  CHECK(holds(*script, "    \"aten_addmm_default\": 7,\n"));
  CHECK_FALSE(holds(*script, "permute_copy"));
}

TEST_CASE(
    "the script is of the graph that was chosen, and one that suits none is an error that names those there are") {
  const auto of = [](const char* graph, const char* method = "") {
    EtRecord made = record();
    const auto chosen = choose_reference(made, graph, method);
    if (!chosen) return Result<std::string>(chosen.error());
    return reference_script(made, {"r", ""});
  };
  REQUIRE(of("edge", "forward"));
  CHECK(holds(*of("edge"), "GRAPH = \"edge_dialect_exported_program\""));
  REQUIRE(of("own"));
  CHECK(holds(*of("own"), "GRAPH = \"own\""));
  CHECK(holds(*of("own"), "    \"sin\": 3,\n"));
  REQUIRE_FALSE(of("aten"));
  CHECK(
      of("aten").error().message ==
      "--reference-graph aten: method forward has no such graph; there are: edge_dialect_exported_program, bare, own");
  REQUIRE_FALSE(of("bare"));
  CHECK(holds(of("bare").error().message, "method forward has no debug handle in that graph"));
  CHECK_FALSE(reference_script(record(), {"r", "backward"}));
}

}  // namespace
}  // namespace vizd::inspector::reference_script_test
