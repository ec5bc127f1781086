// Programs over HTTP: what the page asks for and the reference's /disasm, with a compiler, without one, and without the
// user's leave to compile.
#include <filesystem>
#include <regex>
#include <sstream>

#include "support/places.h"
#include "support/served_capture.h"
#include "support/temporary_folder.h"

namespace vizd::program_routes_test {
using nlohmann::json;

namespace {

const std::string kKernels = test_data("tinygrad-2025-09/ramp.rewrites.pkl");
const std::string kProfile = test_data("tinygrad-2025-09/ramp.profile.pkl");
constexpr const char* kSystem = "/usr/bin:/bin";

// The ramp's programs, compiled where tool_path has a compiler.
struct CompiledRamp : ServedCapture {
  explicit CompiledRamp(std::string_view tool_path)
      : ServedCapture(kKernels, kProfile, {.enabled = true, .compiler = "", .flags = {}}, tool_path) {}
};

// A context that made a program, or one that made none.
std::string find_context(ServedCapture& served, bool with_program) {
  const json contexts = served.json("/api/v1/contexts")["contexts"];
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    if (contexts[i]["program"] == with_program) return std::to_string(i);
  }
  FAIL("the ramp has both kinds");
  return "";
}

bool has_tools(std::initializer_list<Tool> needed) {
  const Toolchain tools(kSystem);
  for (const Tool tool : needed) {
    if (tools.has(tool)) continue;
    WARN("skipped: " << describe_missing(tool).program << " is not installed");
    return false;
  }
  return true;
}

std::vector<std::string> missing_packages(const json& code) {
  std::vector<std::string> packages;
  for (const json& tool : code["missing"]) packages.push_back(tool["package"]);
  return packages;
}

}  // namespace

TEST_CASE("without --compile a program has its source, its executions, and the reason why it has no code") {
  ServedCapture served(kKernels, kProfile, {}, kSystem);
  const std::string context = find_context(served, true);
  const json program = served.json("/api/v1/program/" + context);
  CHECK(program["language"] == "c");
  CHECK(program["binary_bytes"] == 0);
  CHECK(program["source"].get<std::string>().find("void ") != std::string::npos);
  CHECK(program["executions"]["count"] == program["executions"]["dur_ns"].size());
  const json code = served.json("/api/v1/program/" + context + "/code");
  CHECK(code["origin"] == "none");
  CHECK(code["may_compile"] == false);
  CHECK(code["error"]["kind"] == "forbidden");
  CHECK(code["instructions"]["address"].empty());
  served.json("/api/v1/program/" + context + "/analysis", 403);
  // The reference would compile here; its clients get the source, under the reason.
  const std::string text = served.json("/disasm?ctx=" + context)["src"];
  CHECK(text.starts_with("// "));
  CHECK(text.ends_with(program["source"].get<std::string>()));
}

TEST_CASE("tools that are not installed are named with their packages, and the source stays") {
  CompiledRamp served("/nowhere");
  const std::string context = find_context(served, true);
  const json code = served.json("/api/v1/program/" + context + "/code");
  CHECK(code["error"]["kind"] == "not_found");
  CHECK(missing_packages(code) == std::vector<std::string>{"clang", "gcc", "llvm"});
  const std::string text = served.json("/disasm?ctx=" + context)["src"];
  CHECK(text.find("clang") != std::string::npos);
  CHECK(text.find("void ") != std::string::npos);
}

TEST_CASE("compiled code has a row an instruction in every column, and blocks that hold each once") {
  if (!has_tools({Tool::kClang})) return;
  CompiledRamp served(kSystem);
  const std::string context = find_context(served, true);
  const json code = served.json("/api/v1/program/" + context + "/code");
  REQUIRE(code["error"].is_null());
  CHECK(code["origin"] == "compiled");
  CHECK(code["command"].get<std::string>().ends_with(" -"));
  const json& instructions = code["instructions"];
  const std::size_t count = instructions["address"].size();
  REQUIRE(count > 0);
  for (const auto& [name, column] : instructions.items()) {
    INFO(name);
    CHECK(column.size() == count);
  }
  CHECK(std::any_of(instructions["line"].begin(), instructions["line"].end(), [](int line) { return line > 0; }));
  std::size_t next = 0;
  for (std::size_t b = 0; b < code["blocks"]["first"].size(); ++b) {
    CHECK(code["blocks"]["first"][b] == next);
    next += code["blocks"]["count"][b].get<std::size_t>();
  }
  CHECK(next == count);
  std::size_t drawn = 0;
  for (const int padding : code["blocks"]["padding"]) drawn += padding == 0;
  for (const char* column : {"block", "x", "y", "w", "h"}) CHECK(code["layout"][column].size() == drawn);
  CHECK(code["layout"]["points"].size() == code["edges"]["from"].size());
}

TEST_CASE("/disasm is text as capstone_flatdump prints it, and llvm-mca's table where that is asked for") {
  if (!has_tools({Tool::kClang, Tool::kLlvmMca})) return;
  CompiledRamp served(kSystem);
  const std::string context = find_context(served, true);
  const std::size_t count = served.json("/api/v1/program/" + context + "/code")["instructions"]["address"].size();
  const json answer = served.json("/disasm?ctx=" + context);
  CHECK(answer.size() == 1);
  const std::string text = answer["src"];
  const std::regex line("0x[0-9a-f]{6,}: [a-z][^\\t\\n]*\\t[^\\n]*\\n");
  CHECK(static_cast<std::size_t>(std::distance(std::sregex_iterator(text.begin(), text.end(), line), {})) == count);

  const json table = served.json("/disasm?ctx=" + context + "&mca=1");
  CHECK(table.size() == 3);
  REQUIRE(table["cols"].size() == 3);
  CHECK(table["cols"][0] == "Opcode");
  CHECK(table["cols"][1] == "Latency");
  CHECK(table["cols"][2]["title"] == "HW Resources");
  const std::size_t resources = table["cols"][2]["labels"].size();
  REQUIRE(table["rows"].size() == count);
  double most = 0;
  for (const json& row : table["rows"]) {
    CHECK(row[0].is_string());
    CHECK(row[1].is_number_unsigned());
    if (row.size() < 3) continue;  // it takes no resource
    double sum = 0;
    for (const json& use : row[2]) {
      CHECK(use[0].get<std::size_t>() < resources);
      sum += use[2].get<double>();
    }
    most = std::max(most, sum);
  }
  CHECK(most == Approx(100));
  for (const json& use : table["summary"])
    CHECK(use["label"] == table["cols"][2]["labels"][use["idx"].get<std::size_t>()]);
}

TEST_CASE("an analysis is of the part and the processor that are asked for") {
  if (!has_tools({Tool::kClang, Tool::kLlvmMca})) return;
  CompiledRamp served(kSystem);
  const std::string analysis = "/api/v1/program/" + find_context(served, true) + "/analysis";
  const json all = served.json(analysis);
  REQUIRE(all["instructions"]["index"].size() > 2);
  const json part = served.json(analysis + "?first=1&count=2&cpu=x86-64");
  CHECK(part["instructions"]["index"] == json({1, 2}));
  CHECK(part["simulated"] == 2 * part["rounds"].get<int>());
  served.json(analysis + "?cpu=--help", 400);
  served.json(analysis + "?first=99999", 404);
  served.json(analysis + "?first=x", 400);
}

TEST_CASE("where only llvm-mca is missing there is code, and its package is named") {
  if (!has_tools({Tool::kClang})) return;
  TemporaryFolder folder;
  std::filesystem::create_symlink(Toolchain(kSystem).path(Tool::kClang), folder / "clang");
  CompiledRamp served(folder.path());
  const std::string context = find_context(served, true);
  const json code = served.json("/api/v1/program/" + context + "/code");
  CHECK(code["error"].is_null());
  CHECK(missing_packages(code) == std::vector<std::string>{"llvm"});
  const json refused = served.json("/api/v1/program/" + context + "/analysis", 404);
  CHECK(refused["error"]["message"].get<std::string>().find("package llvm") != std::string::npos);
  CHECK(served.json("/disasm?ctx=" + context)["src"].get<std::string>().starts_with("0x000000: "));
}

TEST_CASE("what made no program, or is not there, is said so") {
  ServedCapture served(kKernels, kProfile);
  const std::string none = find_context(served, false);
  for (const char* route : {"/api/v1/program/", "/disasm?ctx="}) {
    served.json(route + none, 404);
    served.json(route + std::string("9999"), 404);
    served.json(route + std::string("one"), 400);
  }
  served.json("/disasm", 400);
}

TEST_CASE("the newer tinygrad viewer's /asm answers with the program of its own context") {
  const std::string folder = test_data("tinygrad-2026-08/");
  ServedCapture served(folder + "ramp.rewrites.pkl", folder + "ramp.profile.pkl", {}, kSystem);
  const json contexts = served.json("/ctxs");
  std::size_t shown = 0;
  for (const json& context : contexts) {
    for (const json& step : context["steps"]) {
      const std::string query = step["query"];
      if (!query.starts_with("/asm")) continue;
      ++shown;
      const std::string text = served.json(query)["src"];
      CHECK(text != "this context made no program");
      CHECK_FALSE(text.empty());
    }
  }
  CHECK(shown > 1);  // and the programs are fewer than the contexts
  CHECK(shown < contexts.size());
}

TEST_CASE("a program's ops are those that its compiler's viewer lists, line by line in order") {
  const std::string folder = test_data("tinygrad-2026-08/");
  ServedCapture served(folder + "ramp.rewrites.pkl");
  const json contexts = served.json("/ctxs");
  std::size_t programs = 0;
  for (std::size_t i = 0; i < contexts.size(); ++i) {
    const std::string path = "/api/v1/program/" + std::to_string(i);
    if (!served.json("/api/v1/contexts")["contexts"][i]["program"]) {
      CHECK(served.json(path + "/ops", 404)["error"]["message"] == "this context made no program");
      continue;
    }
    ++programs;
    CHECK(served.json(path)["has_ops"] == true);
    const json ops = served.json(path + "/ops");
    CHECK(ops["is_error"] == false);
    const std::string text = ops["text"];
    std::string listed;
    for (const json& step : contexts[i]["steps"]) {
      if (step["name"] == "View UOp List") listed = served.json(step["query"].get<std::string>())["src"];
    }
    CHECK(text == listed);
    std::istringstream lines(text);
    int count = 0, number = 0;
    for (std::string line; std::getline(lines, line); ++count) {
      REQUIRE(std::istringstream(line) >> number);
      CHECK(number == count);
      CHECK(line.find("Ops.") != std::string::npos);
    }
    CHECK(count > 5);
  }
  CHECK(programs == 3);
}

TEST_CASE("a program whose compiler left no list of ops says so") {
  ServedCapture served(kKernels, kProfile, {}, kSystem);
  const std::string path = "/api/v1/program/" + find_context(served, true);
  CHECK(served.json(path)["has_ops"] == false);
  CHECK(served.json(path + "/ops", 404)["error"]["kind"] == "not_found");
}

}  // namespace vizd::program_routes_test
