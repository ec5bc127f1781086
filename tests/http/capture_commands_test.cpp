// The commands on a whole capture, as a user runs them: vizd ls, summary, check, convert and export, on what is whole
// and on what is broken.
#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>

#include "http/command_run.h"
#include "support/catch.h"
#include "support/packed.h"
#include "support/places.h"
#include "support/temporary_folder.h"

namespace vizd::capture_commands_test {
using nlohmann::json;

namespace {

namespace fs = std::filesystem;

const std::string kKernels = test_data("tinygrad-2025-09/ramp.rewrites.pkl");
const std::string kProfile = test_data("tinygrad-2025-09/ramp.profile.pkl");
const std::string kNoCapture = test_data("page.png");

using Run = CommandRun;

std::string bytes_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// What a command does not do: how it ends, and a part of what it says.
struct Refusal {
  std::vector<std::string> arguments;
  int code;
  std::string says;
};

void check(const Refusal& refusal) {
  INFO(refusal.says);
  const Run run(refusal.arguments);
  CHECK(run.code == refusal.code);
  CHECK(run.warns(refusal.says));
  CHECK(run.out.empty());
}

std::string converted(const TemporaryFolder& folder) {
  const std::string path = folder / "ramp.bin";
  REQUIRE(Run({"convert", kKernels, kProfile, "-o", path}).code == 0);
  return path;
}

}  // namespace

TEST_CASE("vizd ls begins with one record of counts, then has one a context and one a track") {
  const Run ls({"ls", kKernels, kProfile, "--json"});
  CHECK(ls.code == 0);
  const auto records = ls.records();
  REQUIRE(records.size() == 1 + 11 + 3);
  CHECK(records[0] == json{{"format", "tinygrad-2025-09"},
                           {"contexts", 11},
                           {"passes", 205},
                           {"matches", 369},
                           {"programs", 4},
                           {"tracks", 3},
                           {"lanes", 2},
                           {"events", 230},
                           {"instants", 0},
                           {"counters", 0},
                           {"samples", 0},
                           {"allocations", 10},
                           {"markers", 0},
                           {"flows", 0},
                           {"runs", 0},
                           {"facts", 0},
                           {"skipped", json::object()},
                           {"record", "capture"}});
  CHECK(ls.out.starts_with("{\"format\":\"tinygrad-2025-09\",\"contexts\":11,\"passes\":205,"));
  int passes = 0, events = 0;
  for (const json& record : records) {
    CHECK((record["record"] == "capture" || record.contains(record["record"])));
    if (record.contains("context")) passes += record["passes"].get<int>();
    if (record.contains("track")) events += record["events"].get<int>();
  }
  CHECK(passes == 205);
  CHECK(events == 230);

  const Run table({"ls", kKernels, kProfile, "--name", "TINY"});
  CHECK(table.lines().front().starts_with("tinygrad-2025-09: 11 contexts 205 passes"));
  CHECK(table.out.find("PYTHON") == std::string::npos);
  CHECK(table.out.find("TINY") != std::string::npos);
}

TEST_CASE("vizd summary adds up every match and every event once") {
  const Run summary({"summary", kKernels, kProfile, "--json", "--limit", "1000000"});
  CHECK(summary.code == 0);
  int pass_matches = 0, rule_matches = 0, events = 0;
  for (const json& record : summary.records()) {
    if (record.contains("pass")) pass_matches += record["matches"].get<int>();
    if (record.contains("rule")) rule_matches += record["matches"].get<int>();
    if (record.contains("rule")) CHECK(record["ms"].is_null());  // tinygrad's captures of that year have no times
    if (record.contains("event")) events += record["count"].get<int>();
  }
  CHECK(pass_matches == 369);
  CHECK(rule_matches == 369);
  CHECK(events == 230);
  CHECK(Run({"summary", kKernels, "--limit", "1", "--json"}).records().size() == 2);
  const auto named = Run({"summary", kKernels, kProfile, "--name", "devectorize", "--json"}).records();
  REQUIRE(named.size() > 1);
  CHECK(named[0] == json{{"pass", "devectorize"}, {"passes", 5}, {"matches", 92}});
  for (const json& record : named) CHECK(record.dump().find("devectorize") != std::string::npos);
}

TEST_CASE("vizd check tells a whole capture from one that is cut, damaged, missing or none at all") {
  const TemporaryFolder folder;
  const std::string path = converted(folder), bytes = bytes_of(path);
  CHECK(Run({"check", path, "--replay"}).code == 0);
  CHECK(Run({"check", path}).out == "ramp: whole\n");
  CHECK(Run({"check", path, "--json"}).out.empty());

  folder.write("cut.bin", bytes.substr(0, bytes.size() * 3 / 4));
  std::string flipped = bytes;
  flipped[bytes.size() / 2] ^= 1;
  folder.write("flipped.bin", flipped);
  struct Row {
    std::string path, kind, says;
  };
  const Row rows[] = {{folder / "cut.bin", "warning", "cut.bin:"},
                      {folder / "flipped.bin", "warning", "damaged"},
                      {folder / "missing.bin", "error", "no such file"},
                      {kNoCapture, "error", "page.png"}};
  for (const Row& row : rows) {
    INFO(row.path);
    const Run run({"check", row.path, "--json"});
    CHECK(run.code == 1);
    const auto problems = run.records();
    REQUIRE_FALSE(problems.empty());
    CHECK(problems[0]["kind"] == row.kind);
    CHECK(problems[0]["problem"].get<std::string>().find(row.says) != std::string::npos);
  }
  // Several at once: those that are whole are said to be, and the rest is listed.
  const Run both({"check", path, folder / "cut.bin"});
  CHECK(both.code == 1);
  CHECK(both.out.find("ramp: whole\n") != std::string::npos);
  CHECK(both.out.find("cut.bin:") != std::string::npos);
}

TEST_CASE("vizd check fails on damage alone: what people need to know of a whole capture is a note") {
  const TemporaryFolder folder;
  folder.write("a.speedscope.json",
               R"({"profiles":[{"type":"sampled","name":"t","unit":"none","startValue":0,"endValue":1,"samples":[[0]],)"
               R"("weights":[1]}],"shared":{"frames":[{"name":"main"}]}})");
  const Run noted({"check", folder / "a.speedscope.json", "--json"});
  CHECK(noted.code == 0);
  REQUIRE(noted.records().size() == 1);
  CHECK(noted.records()[0]["kind"] == "note");
  CHECK(Run({"check", folder / "a.speedscope.json"}).out.find("a: whole\n") == 0);
  // Both at once.
  folder.write("b.json", R"({"profiles":[{"type":"sampled","unit":"none","samples":[[7]],"weights":[1]}],)"
                         R"("shared":{"frames":[]}})");
  const Run damaged({"check", folder / "b.json", "--json"});
  CHECK(damaged.code == 1);
  CHECK(damaged.records().size() == 2);
}

TEST_CASE("a capture that is cut is listed as far as it goes, with a warning; one that is none is refused") {
  const TemporaryFolder folder;
  const std::string bytes = bytes_of(converted(folder));
  folder.write("cut.bin", bytes.substr(0, bytes.size() * 3 / 4));
  const Run cut({"ls", folder / "cut.bin", "--json"});
  CHECK(cut.code == 0);
  CHECK(cut.records()[0]["contexts"] == 11);
  CHECK(cut.warns("not a complete chunk"));
  for (const char* command : {"ls", "summary", "check", "rules", "show"}) {
    INFO(command);
    folder.write("cut.pkl", bytes_of(kKernels).substr(0, 5000));
    const Run run({command, folder / "cut.pkl"});
    CHECK(run.code == 1);
    CHECK((run.warns("cut.pkl:") || run.out.find("cut.pkl:") != std::string::npos));
  }
}

TEST_CASE("vizd convert writes a file that holds the same, by files or by options, or leaves none") {
  const TemporaryFolder folder;
  const std::string path = converted(folder);
  const Run by_options(
      {"convert", "--kernels", kKernels, "--profile", kProfile, "-o", folder / "options.bin", "--json"});
  CHECK(by_options.code == 0);
  CHECK(bytes_of(folder / "options.bin") == bytes_of(path));
  const json record = by_options.records().at(0);
  CHECK(record["format"] == "tinygrad-2025-09");
  CHECK(record["bytes"] == std::filesystem::file_size(path));
  CHECK(record["input_bytes"] == std::filesystem::file_size(kKernels) + std::filesystem::file_size(kProfile));
  for (const char* command : {"ls", "summary", "rules", "show"}) {
    INFO(command);
    CHECK(Run({command, path, "--json"}).out == Run({command, kKernels, kProfile, "--json"}).out);
  }
  // Again, from what was converted.
  CHECK(Run({"convert", path, "-o", folder / "again.bin"}).code == 0);
  CHECK(Run({"convert", path, "-o", folder / "trace.json", "--to", "chrome"}).code == 0);
  CHECK(bytes_of(folder / "trace.json") == Run({"export", path, "--to", "chrome"}).out);
  CHECK(bytes_of(folder / "again.bin") == bytes_of(path));
  // As the name ends.
  CHECK(Run({"convert", path, "-o", folder / "named.json"}).code == 0);
  CHECK(bytes_of(folder / "named.json") == bytes_of(folder / "trace.json"));
  for (const char* packed : {"named.json.gz", "named.json.zst"}) {
    CHECK(Run({"convert", path, "-o", folder / packed}).code == 0);
    CHECK(fs::file_size(folder / packed) < fs::file_size(folder / "trace.json") / 2);
    CHECK(Run({"export", folder / packed, "--to", "csv"}).out ==
          Run({"export", folder / "trace.json", "--to", "csv"}).out);
  }

  const Refusal refusals[] = {
      {{"convert", kKernels}, 2, "--output"},
      {{"convert", "-o", folder / "x.bin"}, 2, "name a capture"},
      {{"convert", kNoCapture, "-o", folder / "x.bin"}, 1, "page.png"},
      {{"convert", "--kernels", "/no/such", "-o", folder / "x.bin"}, 1, "/no/such"},
      {{"convert", kKernels, "-o", folder / "none/x.bin"}, 1, "none/x.bin: cannot be written"},
      {{"convert", kKernels, "-o", folder / "x.bin", "--level", "99"}, 2, "--level"},
      {{"convert", kKernels, "-o", folder / "x.bin", "--to", "gif"}, 2, "gif"},
      {{"convert", kProfile, "-o", folder / "x.bin", "--to", "chrome", "--level", "3"}, 2, "--level"},
      {{"convert", kProfile, "-o", folder / "x.bin", "--to", "chrome", "--no-sources"}, 2, "--no-sources"}};
  for (const Refusal& refusal : refusals) check(refusal);
  CHECK_FALSE(std::filesystem::exists(folder / "x.bin"));
}

TEST_CASE("convert and export replace only a regular file, when they are told to, and never what they read") {
  const TemporaryFolder folder;
  const std::string capture = folder / "capture.pkl", there = folder / "there", link = folder / "link",
                    hard_link = folder / "hard", fifo = folder / "fifo";
  fs::copy_file(kProfile, capture);
  std::ofstream(there) << "mine";
  fs::create_symlink(there, link);
  fs::create_hard_link(capture, hard_link);
  REQUIRE(::mkfifo(fifo.c_str(), 0600) == 0);
  REQUIRE(::chmod(there.c_str(), 0640) == 0);
  const std::string before = bytes_of(capture);
  for (const auto& [path, says] : {std::pair{there, "-f"},
                                   {link, "is a link"},
                                   {fifo, "pipe"},
                                   {"/dev/null", "device"},
                                   {folder.path(), "folder"},
                                   {capture, "is also the input"},
                                   {hard_link, "is also the input"}}) {
    for (const std::string command : {"convert", "export"}) {
      for (const bool overwrites : {false, true}) {
        if (overwrites && path == there) continue;
        std::vector<std::string> arguments{command, capture, "--to", "chrome", "-o", path};
        if (overwrites) arguments.push_back("-f");
        check({arguments, 1, says});
      }
    }
  }
  CHECK(bytes_of(there) == "mine");
  CHECK(bytes_of(capture) == before);
  CHECK(fs::is_symlink(link));
  CHECK(fs::is_fifo(fifo));
  for (const std::string command : {"convert", "export"}) {
    std::ofstream(there) << "mine";
    CHECK(Run({command, capture, "--to", "chrome", "-f", "-o", there}).code == 0);
    CHECK(bytes_of(there).starts_with("{"));
    struct stat info {};
    REQUIRE(::stat(there.c_str(), &info) == 0);
    CHECK((info.st_mode & 07777) == 0640);
  }
  // Nothing else was left behind.
  CHECK(std::distance(fs::directory_iterator(folder.path()), fs::directory_iterator()) == 5);
}

TEST_CASE("check calls nothing whole of which something is missing") {
  const auto golden = [](const std::string& name) { return fs::path(test_data("../golden/" + name)); };
  const TemporaryFolder folder;
  const std::string copy = folder / "copy";
  // Copies a capture's folder, writes one file of it anew, and runs vizd check on it.
  const auto says = [&](const fs::path& capture, const std::string& name, const std::string& bytes) {
    fs::remove_all(copy);
    fs::copy(capture, copy);
    std::ofstream(copy + "/" + name, std::ios::binary) << bytes;
    const Run run({"check", "--json", copy});
    return std::pair(run.code, run.out);
  };
  const auto is_told = [&](const fs::path& capture, const std::string& name, const std::string& bytes,
                           std::string_view word) {
    CAPTURE(name, bytes.size());
    const auto [code, out] = says(capture, name, bytes);
    CHECK(code == 1);
    CHECK(out.find(word) != std::string::npos);
  };
  const auto bytes_in = [](const fs::path& capture, const std::string& name) { return bytes_of(capture / name); };

  const fs::path etdump = golden("etdump/delegate_int/input"), tpu = golden("bigtpu/two_cores/input");
  const std::string record = bytes_in(etdump, "etrecord.bin"), global = bytes_in(tpu, "global.profile"),
                    core = bytes_in(tpu, "cdmlib0_1.profile");
  CHECK(says(etdump, "etrecord.bin", record).first == 0);
  for (const std::size_t size : {0u, 1u, 4u, 16u, 31u, 32u})
    is_told(etdump, "etrecord.bin", record.substr(0, size), "etrecord.bin");

  CHECK(says(tpu, "cdmlib0_1.profile", core).first == 0);
  for (const std::size_t size : {std::size_t{0}, core.size() / 2, core.size() - 1})
    is_told(tpu, "cdmlib0_1.profile", core.substr(0, size), "cdmlib0_1.profile");
  is_told(tpu, "global.profile", global.substr(0, global.size() - 5), "global.profile");
  is_told(tpu, "global.profile", global.substr(0, global.find("core1")), "cdmlib0_1.profile");

  // Two in one file.
  const std::string dump = bytes_in(etdump, "etdump.etdp");
  is_told(etdump, "etdump.etdp", dump + dump, "behind the first");
  is_told(etdump, "etrecord.bin", record + record, "behind the first");
  is_told(tpu, "global.profile", global + global, "more than once");
  fs::create_directory(folder / "trace");
  const std::string trace = R"({"traceEvents":[{"ph":"X","name":"a","pid":1,"tid":1,"ts":1,"dur":1}]})";
  CHECK(says(folder / "trace", "trace.json", trace + "\n \n").first == 0);
  is_told(folder / "trace", "trace.json", trace + "\n" + trace, "after the end of the trace");
  is_told(folder / "trace", "trace.json", trace + std::string(3 << 20, ' ') + trace, "after the end of the trace");
  is_told(folder / "trace", "trace.json.gz", gzipped(trace) + gzipped(trace), "after the end of the trace");
  const std::string profile = bytes_of(kProfile);
  is_told(folder / "trace", "ramp.profile.pkl", profile + profile, "follow the pickle");
}

TEST_CASE("what a command reads by any of its options is not overwritten") {
  const TemporaryFolder folder;
  const fs::path etdump = test_data("../golden/etdump/synthetic/input"),
                 trace = test_data("../golden/chrome/launches/input");
  const std::string other = folder / "other", values = folder / "values", mine = folder / "mine", job = folder / "job";
  fs::create_directory(values);
  fs::copy(etdump, other);
  for (const std::string& path : {mine, values + "/1.npy"}) std::ofstream(path) << "mine";
  const auto is_spared = [](std::vector<std::string> arguments, const std::string& path) {
    CAPTURE(path);
    const std::string before = bytes_of(path);
    REQUIRE_FALSE(before.empty());
    arguments.insert(arguments.end(), {"-f", "-o", path});
    check({arguments, 1, "is also the input"});
    CHECK(bytes_of(path) == before);
  };
  for (const char* option : {"--reference-dump", "--delegate-clocks", "--reference-tensors"})
    is_spared({"convert", etdump, option, mine}, mine);
  const fs::path recorded = test_data("../golden/etdump/delegate_int/input");
  const std::string record = folder / "etrecord.bin";
  fs::copy(recorded / "etrecord.bin", record);
  is_spared({"convert", recorded / "etdump.etdp", "--etrecord", record}, record);
  is_spared({"convert", etdump, "--reference-tensors", values}, values + "/1.npy");
  for (const auto& file : fs::directory_iterator(other))
    is_spared({"convert", etdump, "--reference-dump", other}, file.path());
  is_spared({"convert", test_data("../golden/bigtpu/ports/input"), "--host-trace", mine}, mine);
  std::ofstream(mine) << R"([{"name": "A", "fp32": 1}])";
  is_spared({"kernels", trace, "--peaks", mine, "--to", "csv"}, mine);
  // Only its own name leads there.
  CHECK(Run({"kernels", trace, "--to", "csv", "-f", "-o", mine}).code == 0);
}

TEST_CASE("a count below nothing is refused, and what a capture's name brings does not reach the terminal") {
  check({{"summary", kKernels, "--limit", "-1"}, 2, "-1 is below 0"});
  const Run run({"ls", "/no/\x1B[2Jsuch\xFF\x9B"});
  CHECK(run.code == 1);
  CHECK(run.warns("such\xEF\xBF\xBD"));
  CHECK_FALSE(run.warns("\x1B"));
  CHECK_FALSE(run.warns("\x9B"));
}

TEST_CASE("vizd export writes a pass's graph as dot, svg and json, of the same boxes and edges") {
  const std::vector<std::string> pass{"--context", "2", "--pass", "3"};
  const auto exported = [&](const std::string& to) {
    std::vector<std::string> arguments{"export", kKernels, "--to", to};
    arguments.insert(arguments.end(), pass.begin(), pass.end());
    const Run run(arguments);
    CHECK(run.code == 0);
    return run.out;
  };
  const auto count = [](const std::string& text, std::string_view part) {
    std::size_t found = 0;
    for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size()) ++found;
    return found;
  };
  const json graph = json::parse(exported("json"));
  REQUIRE(graph["nodes"].size() > 3);
  const std::string dot = exported("dot"), svg = exported("svg");
  CHECK(dot.starts_with("digraph "));
  CHECK(count(dot, "[label=") == graph["nodes"].size());
  CHECK(count(dot, " -> ") == graph["edges"].size());
  CHECK(svg.starts_with("<svg xmlns="));
  CHECK(count(svg, "<rect ") == graph["nodes"].size());
  CHECK(count(svg, "<path ") == graph["edges"].size());
  CHECK(svg.ends_with("</svg>\n"));
}

TEST_CASE("vizd export writes the profile, or a part of it, as csv, tsv, json and a Chrome trace") {
  const auto exported = [](const std::string& to, std::vector<std::string> more = {}) {
    std::vector<std::string> arguments{"export", kProfile, "--to", to};
    arguments.insert(arguments.end(), more.begin(), more.end());
    return Run(arguments);
  };
  for (const char* to : {"csv", "tsv"}) {
    const auto lines = exported(to).lines();
    CHECK(lines.size() == 231);
    CHECK(lines[0].starts_with(to == std::string("csv") ? "track,kind,start_ns" : "track\tkind\tstart_ns"));
  }
  const auto events = exported("json").records();
  REQUIRE(events.size() == 230);
  const auto on_cpu = exported("json", {"--lane", "CPU"}).records();
  CHECK(on_cpu.size() == 10);
  const std::string name = on_cpu[0]["name"];
  for (const json& event : exported("json", {"--lane", "CPU", "--name", name}).records()) {
    CHECK(event["name"].get<std::string>().find(name) != std::string::npos);
  }
  const std::string from = std::to_string(on_cpu[5]["start_ns"].get<std::int64_t>());
  CHECK(exported("json", {"--lane", "CPU", "--from", from}).records().size() < 10);

  const json trace = json::parse(exported("chrome").out);
  std::size_t complete = 0;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] != "X") continue;
    // Microseconds, exact to the nanosecond.
    CHECK(std::llround(event["ts"].get<double>() * 1000) == events[complete]["start_ns"].get<std::int64_t>());
    CHECK(std::llround(event["dur"].get<double>() * 1000) == events[complete]["dur_ns"].get<std::int64_t>());
    CHECK(event["name"] == events[complete++]["name"]);
  }
  CHECK(complete == 230);

  const TemporaryFolder folder;
  CHECK(exported("csv", {"-o", folder / "events.csv"}).out.empty());
  CHECK(bytes_of(folder / "events.csv") == exported("csv").out);
}

TEST_CASE("commands take the folder of a capture's files, packed ones too, and say where there is none or several") {
  const TemporaryFolder folder;
  check({{"ls", folder.path()}, 1, "contains nothing that vizd reads"});
  CHECK(Run({"check", folder.path()}).code == 1);
  fs::copy_file(kKernels, folder / "ramp.rewrites.pkl");
  fs::copy_file(kProfile, folder / "ramp.profile.pkl");
  CHECK(Run({"ls", folder.path(), "--json"}).out == Run({"ls", kKernels, kProfile, "--json"}).out);
  CHECK(Run({"check", folder.path()}).code == 0);
  fs::copy_file(kKernels, folder / "other");
  check({{"ls", folder.path()}, 1, "2 captures"});
  check({{"ls", kNoCapture, kKernels}, 1, "page.png: is of no format"});
}

TEST_CASE("vizd export says what it cannot do") {
  const Refusal refusals[] = {
      {{"export", kKernels}, 2, "--to"},
      {{"export", kKernels, "--to", "gif"}, 2, "gif"},
      {{"export", kKernels, "--to", "dot"}, 2, "205 passes"},
      {{"export", kKernels, "--to", "csv"}, 1, "no profile"},
      {{"export", kProfile, "--to", "svg", "--context", "1", "--pass", "1"}, 1, "no graphs"},
      {{"export", kKernels, "--to", "dot", "--context", "2", "--pass", "3", "--match", "99"}, 1, "matches"},
      {{"export", kProfile, "--to", "csv", "-o", "/no/such/file"}, 1, "/no/such/file"}};
  for (const Refusal& refusal : refusals) check(refusal);
}

}  // namespace vizd::capture_commands_test
