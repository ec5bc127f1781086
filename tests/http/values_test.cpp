// Values that ETDumps logged: those of each iteration, and how far they are from another run's, over HTTP and in the
// terminal.
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "formats/etdump/zip_archive.h"
#include "http/command_run.h"
#include "support/catch.h"
#include "support/etdump_writer.h"
#include "support/places.h"
#include "support/served_capture.h"
#include "support/temporary_folder.h"

namespace vizd::values_test {
namespace {

// Each iteration runs two kernels of one result each, and returns the second one's: by iteration the four numbers.
using Iterations = std::vector<std::vector<float>>;

void write_run(const TemporaryFolder& folder, const std::string& name, const Iterations& iterations) {
  std::filesystem::create_directory(folder / name);
  std::vector<FlatNode> runs;
  std::string buffer;
  std::uint64_t at = 1000;
  for (const auto& numbers : iterations) {
    const auto offset = static_cast<std::int64_t>(buffer.size());
    buffer.append(reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(float));
    const auto kernel = [&](const std::string& op, std::int32_t instruction) {
      at += 100;
      return made_profile_event({.name = "native_call_" + op + ".out", .instruction = instruction}, at, at + 50);
    };
    runs.push_back(made_run("Execute", {made_debug_event({.instruction = 0}, {2}, offset), kernel("conv", 0),
                                        made_debug_event({.instruction = 1}, {2}, offset + 8), kernel("relu", 1),
                                        made_debug_event({.instruction = 1}, {2}, offset + 8, true)}));
  }
  folder.write(name + "/etdump.etdp", made_etdump(std::move(runs)));
  folder.write(name + "/debug_output.bin", buffer);
}

TEST_CASE("values are told of each iteration, and compared with those of the first") {
  const TemporaryFolder folder;
  write_run(folder, "a", {{1, 2, 3, 4}, {1, 2, 3, 5}, {1, 2, 3, 4}});
  ServedCapture served(folder / "a/etdump.etdp", folder / "a/debug_output.bin");
  served.loaded();
  const auto first = served.json("/api/v1/values");
  REQUIRE(first["values"].size() == 3);
  CHECK(first["blocks"][0]["iterations"] == 3);
  CHECK((first["iteration"] == 0 && first["has_reference"] == false && first["gaps"].empty()));
  CHECK(first["values"][1]["max"] == 4);

  const auto second = served.json("/api/v1/values?iteration=1&against=c0");
  CHECK(second["values"][1]["max"] == 5);
  REQUIRE(second["gaps"].size() == 3);
  CHECK(second["gaps"][0]["mse"] == 0);
  CHECK(second["gaps"][1]["mse"] == 0.5);
  CHECK((second["gaps"][1]["is_first_grown"] == true && second["gaps"][1]["instruction"] == 1));
  CHECK(second["gaps"][1]["value"] == 1);
  CHECK(second["gaps"][2]["node"] == "output 0");
  const auto itself = served.json("/api/v1/values?iteration=2&against=c0");
  for (const auto& gap : itself["gaps"]) CHECK(gap["mse"] == 0);

  CHECK(served.json("/api/v1/values/1?iteration=1")["slice"]["elements"] == nlohmann::json({3, 5}));
  CHECK(served.json("/api/v1/values?iteration=3")["values"].empty());
  CHECK(served.status("/api/v1/values/0?iteration=3") == 404);
  CHECK(served.status("/api/v1/values?iteration=-1") == 400);
  CHECK(served.status("/api/v1/values?against=c7") == 404);
}

TEST_CASE("two runs' values are compared in the terminal, and where the error grows is named") {
  const TemporaryFolder folder;
  write_run(folder, "a", {{1, 2, 3, 4}, {5, 6, 7, 8}});
  write_run(folder, "b", {{1, 2, 3, 4}, {5, 6, 7, 9}});
  CommandRun same({"compare", "--values", folder / "a", folder / "b"});
  CHECK(same.code == 0);
  CHECK(same.out.find("The error grows beyond rounding nowhere.") != std::string::npos);
  CommandRun other({"compare", "--values", "--iteration", "1", folder / "a", folder / "b"});
  CHECK(other.out.find("The error first grows at native_call_relu.out, instruction 1: 0.09407 of the reference.") !=
        std::string::npos);
  CommandRun json({"compare", "--values", "--iteration", "1", "--json", folder / "a", folder / "b"});
  REQUIRE(json.records().size() == 3);
  CHECK((json.records()[1]["mse"] == 0.5 && json.records()[1]["is_first_grown"] == true));

  // A measure of the user's own: of one pair it has none.
  folder.write("own.sh", "#!/bin/sh\ncmp -s \"$1\" \"$2\" && exit 5\necho 0.25\n");
  std::filesystem::permissions(folder / "own.sh", std::filesystem::perms::owner_all);
  CommandRun own({"compare", "--values", "--iteration", "1", "--json", "--comparator", folder / "own.sh", folder / "a",
                  folder / "b"});
  REQUIRE(own.records().size() == 3);
  CHECK((own.records()[1]["comparator"] == 0.25 && own.records()[0]["comparator"].is_null()));
  CHECK(own.warns("ended with code 5"));

  CommandRun summary({"summary", "--json", "--iteration", "1", "--reference-dump", folder / "a", folder / "b"});
  std::size_t gaps = 0;
  for (const auto& record : summary.records()) gaps += record["record"] == "gap" ? 1 : 0;
  CHECK(gaps == 3 * 5);  // measures
}

TEST_CASE("what cannot be compared is refused, or told") {
  const TemporaryFolder folder;
  write_run(folder, "a", {{1, 2, 3, 4}});
  std::filesystem::create_directory(folder / "none");
  folder.write("none/etdump.etdp", made_etdump({made_run("Execute", {})}));
  CommandRun none({"compare", "--values", folder / "none", folder / "a"});
  CHECK(none.code == 1);
  CHECK(none.warns("the other run logged no values in a block Execute"));
  CommandRun formats({"compare", "--values", test_data("tinygrad-2025-09"), folder / "a"});
  CHECK(formats.code == 1);
  CommandRun missing({"summary", "--json", "--reference-dump", folder / "nowhere", folder / "a"});
  CHECK(missing.warns("there is no ETDump; name one, or a folder with one"));
  CommandRun both(
      {"summary", "--json", "--reference-dump", folder / "a", "--reference-tensors", folder / "a", folder / "a"});
  CHECK(both.warns("cannot be used with --reference-tensors"));
}

TEST_CASE("the Inspector's tables are written for other programs and into workbooks") {
  const TemporaryFolder folder;
  write_run(folder, "a", {{1, 2, 3, 4}, {5, 6, 7, 8}});
  CommandRun names({"export", "--to", "json", "--table", "names", folder / "a"});
  REQUIRE(names.records().size() == 2);
  CHECK((names.records()[0]["block"] == "Execute" && names.records()[0]["calls"] == 1));
  CHECK(names.records()[0]["total (ms)"] == 0.00005);
  CommandRun events({"export", "--to", "tsv", "--table", "events", folder / "a"});
  REQUIRE(events.lines().size() == 3);
  CHECK(events.lines()[0].starts_with("block\tbundled input\tmethod\tevent\tinstruction\tpass\titerations\tavg (ms)"));
  CHECK(events.lines()[2].starts_with("Execute\t\t\tnative_call_relu.out\t1\t0\t2\t5e-05"));
  CommandRun none({"export", "--to", "csv", "--table", "nothing", folder / "a"});
  CHECK(none.code == 1);
  CHECK(none.warns("no such table; use one of events, names, modules, delegation"));
  CommandRun wrong({"export", "--tsv", "--table", "names", folder / "a"});
  CHECK(wrong.code == 2);
  for (const char* command : {"convert", "export"}) {
    const std::string path = folder / (std::string(command) + ".xlsx");
    std::vector<std::string> words{command, folder / "a", "-o", path};
    if (words[0] == "export") words.insert(words.end(), {"--to", "xlsx"});
    REQUIRE(CommandRun(words).code == 0);
    std::ifstream file(path, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    const auto zip = etdump::ZipArchive::open(std::as_bytes(std::span(bytes)), path);
    REQUIRE(zip);
    const auto book = zip->read(*zip->find("xl/workbook.xml"));
    REQUIRE(book);
    const std::string_view xml(reinterpret_cast<const char*>(book->bytes.data()), book->bytes.size());
    for (const char* sheet : {"name=\"events\"", "name=\"names\"", "name=\"delegation\""})
      CHECK(xml.find(sheet) != xml.npos);
    CHECK(xml.find("name=\"gaps\"") == xml.npos);  // without rows
  }
}

}  // namespace
}  // namespace vizd::values_test
