// What a capture says of itself, and files are named, on a terminal: every command, every error, every export. Each
// text of the captures tries to be obeyed: by the terminal, by Graphviz, by a browser, by a spreadsheet.
#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "base/utf8.h"
#include "http/command_run.h"
#include "support/catch.h"
#include "support/pickle_writer.h"
#include "support/temporary_folder.h"
#include "vizd/capture_writer.h"

namespace vizd::foreign_text_test {
namespace {

// Clears the screen, sets the window's title, rings, hides text, paints behind it, moves the cursor; the same with C1
// controls, as bytes and as UTF-8; turns the direction; then ends strings of DOT, SVG, HTML, Markdown and CSV.
const std::string kForeign =
    "=cmd|'x'!A0\x1B[2J\x1B]0;title\x07\x1B[8mhidden\x1B[0m\x1B[41;31mred\x1B[m\x1B[1;1H\x9B"
    "2J\xC2\x9B"
    "2J\xC2\x85\xE2\x80\xAE\x7F\r\b\"];evil [label=\"x\\\"</text><evil>&lt;`|,\t\n@evil,\"\"'";
const std::string kForeignColour = "x\"];evil [label=\"\x1B[2J\x07";

// The same in JSON; the bytes that are no UTF-8 are left out.
std::string as_json(std::string_view text) {
  std::string json;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const char32_t c = next_code_point(text, at);
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(c));
    if (at > begin + 1 || c < 0x80) json += escaped;
  }
  return json;
}

void write_native(const std::string& path) {
  capture::CaptureWriter writer(path);
  const auto say = [](int i) { return kForeign + std::to_string(i); };
  const auto kind = writer.kind(say(1), kForeignColour), constant = writer.kind(say(2), "", true);
  const auto place = writer.location(say(3) + ".py", 7, say(4));
  const auto context = writer.context(say(5), writer.stack(say(6), say(7), 3));
  const auto leaf = writer.op({.kind = constant, .dtype = kForeign, .argument = kForeign}, {});
  const auto before = writer.op({.kind = kind, .dtype = kForeign, .argument = say(8), .shape = kForeign}, {leaf});
  const auto after = writer.op({.kind = kind, .tag = kForeign, .label = say(9), .text = say(10)}, {before});
  const auto pass = writer.pass(context, say(11), before, place);
  writer.match(pass, before, after, place);
  writer.link(say(12), context);
  writer.program(context, say(12), "void k() { " + kForeign + " }", "CPU " + kForeign);
  writer.clock(kForeign, 0);
  const auto device = writer.track({kForeign, "device"});
  const auto stream = writer.track({say(13), "stream", device});
  const auto argument = writer.argument(say(14), kForeign, capture::ArgumentType::kText);
  for (int i = 0; i < 4; ++i) {
    writer.event(stream, say(12), 1000 * i, 500, {{argument, kForeign}},
                 {.category = i % 2 == 0 ? "kernel" : std::string_view(kForeign), .context = context, .error = i == 3});
  }
  writer.instant(stream, say(15), 200);
  writer.run("step", say(16), 1, 0, 4000);
  writer.fact(kForeign, say(17), kForeign, kForeign);
  writer.fact("", say(18), kForeign);
  const auto counter = writer.counter(stream, say(19), kForeign);
  writer.sample(counter, 0, 1);
  writer.allocation(device, 1, 0, 64, kForeign);
  writer.free(device, 1, 900);
  writer.marker(say(20), 100, kForeignColour);
  writer.close();
}

void write_trace(const std::string& path) {
  const std::string text = as_json(kForeign);
  std::string events;
  for (int i = 0; i < 4; ++i) {
    events += R"({"ph":"X","cat":"kernel","name":")" + text + R"(","pid":0,"tid":7,"ts":)" + std::to_string(10 * i) +
              R"(,"dur":5,"args":{"device":0,"stream":7,")" + text + R"(":")" + text + R"("}},)" +
              R"({"ph":"X","cat":"cpu_op","name":"aten::)" + text + R"(","pid":1,"tid":1,"ts":)" +
              std::to_string(10 * i) + R"(,"dur":4,"args":{"Input Dims":[")" + text + R"("]}},)";
  }
  std::ofstream(path) << R"({"deviceProperties":[{"id":0,"name":")" << text << R"("}],")" << text << R"(":")" << text
                      << R"(","traceEvents":[)" << events << R"({"ph":"i","name":")" << text
                      << R"(","pid":0,"tid":7,"ts":3},{"ph":"?","name":")" << text << R"("}]})";
}

// A memory snapshot whose every text is foreign, as far as it is UTF-8.
void write_snapshot(const std::string& path) {
  std::string text;
  for (std::size_t at = 0; at < kForeign.size();) {
    const std::size_t begin = at;
    const char32_t c = next_code_point(kForeign, at);
    if (at > begin + 1 || c < 0x80) append_code_point(text, c);
  }
  PickleWriter out;
  out.dict().mark().text("segments").list().text(text).none().text("device_traces").list().mark().list().mark();
  for (const char* action : {"alloc", text.c_str(), "oom"}) {
    out.dict().mark().text("action").text(action).text("addr").integer(512).text("size").integer(512);
    out.text("stream").integer(0).text("user_metadata").text(text).text(text).none().text("frames").list().mark();
    out.dict().mark().text("name").text(text).text("filename").text(text + ".py").text("line").integer(1).set_items();
    out.appends().set_items();
  }
  out.appends().appends().text("external_annotations").list().mark();
  for (const char* stage : {"START", "END"}) {
    out.dict().mark().text("stage").text(stage).text("name").text(text).text("device").integer(0);
    out.text("time_us").integer(1).set_items();
  }
  std::ofstream(path, std::ios::binary) << out.appends().set_items().finish();
}

// What a run of vizd sends to a terminal by its two outputs together.
std::string on_terminal(const std::vector<std::string>& arguments, int* code = nullptr) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
  REQUIRE(terminal >= 0);
  REQUIRE(::grantpt(terminal) == 0);
  REQUIRE(::unlockpt(terminal) == 0);
  const int program = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY | O_CLOEXEC);
  REQUIRE(program >= 0);
  winsize window{};
  window.ws_col = 100;
  window.ws_row = 24;
  REQUIRE(::ioctl(program, TIOCSWINSZ, &window) == 0);
  std::vector<std::string> all{vizd_binary()};
  all.insert(all.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& argument : all) argv.push_back(argument.data());
  argv.push_back(nullptr);
  const int nothing = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
  const pid_t child = ::fork();
  if (child == 0) {
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(program, STDOUT_FILENO);
    ::dup2(program, STDERR_FILENO);
    ::execv(argv[0], argv.data());
    ::_exit(127);
  }
  ::close(program);
  ::close(nothing);
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(terminal, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  ::close(terminal);
  int status = 0;
  REQUIRE(::waitpid(child, &status, 0) == child);
  if (code != nullptr) *code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  return text;
}

bool is_colour_of_letters(std::string_view numbers) {
  std::istringstream in{std::string(numbers)};
  for (std::string number; std::getline(in, number, ';');) {
    static const std::set<std::string> kWeights{"", "0", "1", "2", "3", "4", "22", "23", "24", "39"};
    const bool is_colour = number.size() == 2 && (number[0] == '3' || number[0] == '9') && number[1] < '8';
    if (!is_colour && !kWeights.contains(number)) return false;
  }
  return true;
}

// The first thing in the text that a terminal would obey, or that it may read in two ways; "" where there is none.
std::string first_obeyed(std::string_view text, bool colours) {
  const auto offence = [&](std::size_t at) {
    std::string shown;
    for (const char c : text.substr(at < 20 ? 0 : at - 20, 40)) {
      char hex[8];
      std::snprintf(hex, sizeof hex, c >= ' ' && c < 0x7F ? "%c" : "\\x%02X", static_cast<unsigned char>(c));
      shown += hex;
    }
    return shown;
  };
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    if (text.substr(at).starts_with("\r\n")) {
      at += 2;
      continue;
    }
    if (colours && text.substr(at).starts_with("\x1B[")) {
      const auto end = text.find_first_not_of("0123456789;", at + 2);
      if (end == std::string_view::npos || text[end] != 'm' || !is_colour_of_letters(text.substr(at + 2, end - at - 2)))
        return offence(begin);
      at = end + 1;
      continue;
    }
    const char32_t c = next_code_point(text, at);
    const bool is_byte = at == begin + 1 && static_cast<unsigned char>(text[begin]) >= 0x80;
    const bool is_control = (c < 0x20 && c != '\n' && c != '\t') || (c >= 0x7F && c < 0xA0) ||
                            (c >= 0x202A && c <= 0x202E) || (c >= 0x2066 && c <= 0x2069);
    if (is_byte || is_control) return offence(begin);
  }
  return "";
}

struct Captures {
  Captures() {
    // No path has a slash, and none may be longer than 255 bytes.
    folder = place / ("=\x1B[2J\x07\x1B[8m\xC2\x9B"
                      "2J\xE2\x80\xAE\"];evil\x9B");
    REQUIRE(::mkdir(folder.c_str(), 0700) == 0);
    native = folder + "/\x1B]0;native\x07.bin";
    trace = folder + "/\x1B[41mtrace.json";
    other = folder + "/other\x1B[8m.json";
    broken = folder + "/broken\x07.pkl";
    snapshot = folder + "/\x1B[8msnapshot.pickle";
    write_native(native);
    write_trace(trace);
    write_trace(other);
    write_snapshot(snapshot);
    std::ofstream(broken) << "\x80\x04\x95 nothing";
  }
  TemporaryFolder place;
  std::string folder, native, trace, other, broken, snapshot;
};

using Runs = std::map<std::string, std::vector<std::vector<std::string>>>;

// Each command on the captures; what follows its name.
Runs runs_of(const Captures& c) {
  const std::string out = c.folder + "/out\x07";
  const auto on_both = [&](std::vector<std::vector<std::string>> all) {
    std::vector<std::vector<std::string>> runs;
    for (const std::string& path : {c.native, c.trace}) {
      for (std::vector<std::string> run : all) {
        run.insert(run.begin(), path);
        runs.push_back(std::move(run));
      }
    }
    return runs;
  };
  const std::vector<std::string> store{"--store", "http://127.0.0.1:1/" + std::string("\x1B[2J"), "--job", kForeign};
  const auto with_store = [&](std::vector<std::string> run) {
    run.insert(run.end(), store.begin(), store.end());
    return run;
  };
  return {
      {"assert", on_both({{"kernels.total < 1s"},
                          {"kernels.total < 1s", "--json"},
                          {"devices.busy >= 90%", "--kernel", kForeign, "--junit", out + ".xml"},
                          {"--measures"},
                          {kForeign + " < 1"}})},
      {"augment", {{c.trace, "-o", out + "1"}, {c.native, "-o", out + "1"}}},
      {"breakdown",
       on_both({{}, {"--json"}, {"--critical-path"}, {"--compiles"}, {"--rank", kForeign}, {"--device", kForeign}})},
      {"check", {{c.native}, {c.trace}, {c.native, "--replay"}, {c.folder}, {c.folder, "--json"}, {c.broken}}},
      {"check-job", {with_store({"--slow-rank", "5%"}), with_store({"--regress", kForeign})}},
      {"combine", {{c.trace, c.other, "-o", out + "2"}, {c.trace, c.broken, "-o", out + "3"}}},
      {"compare",
       {{c.trace, c.other},
        {c.trace, c.native, "--json"},
        {c.native, c.native, "--rewrites"},
        {c.trace, c.other, "--report", out + ".html"},
        {c.snapshot, c.snapshot},
        {c.trace, c.other, "--values"}}},
      {"completions", {{"bash"}, {"zsh"}, {"fish"}, {kForeign}}},
      {"convert", {{c.trace, "-o", out + "4"}, {c.native, "-o", out + "5", "--to", kForeign}, {c.broken, "-o", out}}},
      {"counters", on_both({{}, {"--json"}, {"--formulas"}, {"--engines"}, {"--samples"}})},
      {"cut", {{c.trace, "-o", out + "6", "--from", "0"}, {c.trace, "-o", out + "6", "--step", "9"}}},
      {"demo", {{out + "demo", "--only-write"}, {out + "demo", "--only-write", "--json"}, {c.broken, "--only-write"}}},
      {"diagnose",
       on_both({{}, {"--json"}, {"--limit", "0"}, {"--kernel", kForeign}, {"--budget", "300"}, {c.broken}})},
      {"events", on_both({{}, {"--json"}, {"--ls"}, {"-t"}, {"-s", kForeign}})},
      {"export", on_both({{"--to", "dot", "--context", "0", "--pass", "0"},
                          {"--to", "svg", "--context", "0", "--pass", "0", "--match", "1"},
                          {"--to", "json", "--context", "0", "--pass", "0"},
                          {"--to", "dot", "--context", kForeign + kForeign},
                          {"--to", "csv"},
                          {"--to", "tsv"},
                          {"--to", "json"},
                          {"--to", "chrome"},
                          {"--to", "perfetto"},
                          {"--to", "xlsx"},
                          {"--to", kForeign},
                          {"--csv"}})},
      {"help", {{}, {"ls"}, {"--markdown"}, {kForeign}}},
      {"instructions", on_both({{}, {"--json"}, {"--loops"}, {"--waits"}, {"--program", kForeign}})},
      {"kernel-graph", on_both({{}, {"--json"}})},
      {"kernels", on_both({{},
                           {"--json"},
                           {"--links"},
                           {"--tree"},
                           {"--collectives"},
                           {"--sequences"},
                           {"--to", "csv"},
                           {"--group", "operator"},
                           {"--group", kForeign},
                           {"--peaks", c.broken}})},
      {"licences", {{}, {"--text"}, {"--json"}, {"fmt"}, {kForeign}}},
      {"link", {{c.snapshot, c.trace}, {c.snapshot, c.trace, "--json"}, {c.trace, c.snapshot}}},
      {"ls", on_both({{}, {"--json"}, {c.broken}, {"--format", kForeign}})},
      {"mark", {{}, {c.trace, kForeign}, {kForeign, kForeign}, {"slice:0", kForeign, "--at", kForeign}}},
      {"memory",
       {{c.snapshot},
        {c.snapshot, "--json"},
        {c.snapshot, "--allocations"},
        {c.snapshot, "--owners", "frame,stack,metadata"},
        {c.snapshot, "--owners", kForeign},
        {c.snapshot, "--leaks", kForeign},
        {c.trace}}},
      {"mcp", {{c.folder}, {c.broken}}},
      {"open",
       on_both(
           {{"--id", "slice:0"}, {"--id", "kernel:" + kForeign, "--json"}, {"--id", kForeign}, {"--at", kForeign}})},
      {"operators", on_both({{},
                             {"--json"},
                             {"--links"},
                             {"--by", "stack"},
                             {"--name", kForeign},
                             {"--rank", kForeign},
                             {"--to", "csv"}})},
      {"pull", {with_store({"-o", out + "7"})}},
      {"push", {with_store({c.trace, "--patience", "0"})}},
      {"rules", on_both({{}, {"--json"}, {"--matches"}, {"--undone"}, {"--rule", kForeign}})},
      {"show", on_both({{}, {"--json"}, {"--context", "0"}, {"--query", "op=" + kForeign}, {"--query", "fanout>=0"}})},
      {"skill", {{}, {"--install", out + "skill"}}},
      {"sql",
       {{"SELECT * FROM slice", c.trace},
        {"SELECT *, char(27) || char(155) || char(7) FROM slice", c.native, "--csv"},
        {"SELECT *, char(27, 155, 7) AS \"" + kForeign + "\" FROM slice", c.trace, "--tsv"},
        {"SELECT * FROM track", c.native, "--json"},
        {"SELECT " + kForeign, c.trace},
        {"--schema"},
        {"--examples"}}},
      {"summary", on_both({{}, {"--json"}, {"--name", kForeign}})},
      {"text",
       on_both({{"--context", "0", "--pass", "0"}, {"--context", "0", "--pass", "0", "--match", "1", "--diff"}})},
      {"where", {{}, {"--json"}, {"--at", kForeign}}},
  };
}

// The names of all commands, as the program tells them.
std::set<std::string> all_commands() {
  std::set<std::string> names;
  for (const std::string& line : CommandRun({"help", "--markdown"}).lines()) {
    constexpr std::string_view kHeading = "## vizd ";
    if (line.starts_with(kHeading)) names.insert(line.substr(kHeading.size()));
  }
  return names;
}

TEST_CASE("no text of a capture or a file's name is obeyed by a terminal, whatever the command") {
  const Captures captures;
  const Runs runs = runs_of(captures);
  for (const std::string& name : all_commands()) {
    INFO(name);
    REQUIRE(runs.contains(name));
    std::vector<std::vector<std::string>> all = runs.at(name);
    all.push_back({"/no/such/" + kForeign});
    all.push_back({"--" + kForeign});
    for (std::vector<std::string> arguments : all) {
      arguments.insert(arguments.begin(), name);
      int code = -1;
      const std::string text = on_terminal(arguments, &code);
      INFO((arguments.size() > 2 ? arguments[2] : "") << " " << arguments.back());
      CHECK(code >= 0);
      CHECK(first_obeyed(text, true).empty());
      // Nor does a pipe or a file, in which it may be looked at later, get colours.
      if (name == "export" && (arguments.back() == "perfetto" || arguments.back() == "xlsx")) continue;
      const CommandRun piped(arguments);
      CHECK(first_obeyed(piped.out, false).empty());
      CHECK(first_obeyed(piped.process.standard_error, false).empty());
    }
  }
}

TEST_CASE("a line break in a file's name makes no line of its own, whatever the command says of the file") {
  const TemporaryFolder folder;
  const std::string good = "a\nFORGED.json: whole\nb.json", bad = "bad\nFORGED.json: whole\n.json";
  folder.write(good, R"({"traceEvents":[{"ph":"X","name":"k","ts":1,"dur":5,"pid":1,"tid":1}]})");
  folder.write(bad, R"({"traceEvents":[{])");
  for (const std::string& path : {folder / good, folder / bad, folder / "gone\nFORGED.json: whole\n.json"}) {
    for (const char* const command : {"check", "ls", "summary", "kernels", "breakdown", "diagnose", "events", "memory",
                                      "operators", "rules", "show", "kernel-graph", "counters", "convert", "export"}) {
      CAPTURE(command, path);
      const CommandRun run({command, path});
      CHECK(run.out.find("\nFORGED") == std::string::npos);
      CHECK_FALSE(run.warns("\nFORGED"));
      CHECK_FALSE(run.out.starts_with("FORGED"));
    }
    CHECK_FALSE(CommandRun({"compare", path, path}).warns("\nFORGED"));
    CHECK_FALSE(CommandRun({"assert", path, "kernels.total < 1s"}).warns("\nFORGED"));
  }
}

TEST_CASE("a server's log on a terminal obeys no capture") {
  const Captures captures;
  // Ends by itself: the port is no number, the store is none.
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{captures.broken, "--port", kForeign}, {"--store", kForeign}, {"--" + kForeign}})
    CHECK(first_obeyed(on_terminal(arguments), true).empty());
}

// Text without what stands between quotes, in which a backslash escapes.
std::string outside_quotes(std::string_view text) {
  std::string outside;
  bool is_inside = false;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_inside && text[at] == '\\') {
      ++at;
    } else if (text[at] == '"') {
      is_inside = !is_inside;
    } else if (!is_inside) {
      outside += text[at];
    }
  }
  CHECK_FALSE(is_inside);
  return outside;
}

// The fields of each row.
std::vector<std::vector<std::string>> csv_rows(std::string_view text) {
  std::vector<std::vector<std::string>> rows{{""}};
  bool is_inside = false;
  for (const char c : text) {
    if (c == '"') {
      is_inside = !is_inside;
    } else if (!is_inside && c == ',') {
      rows.back().emplace_back();
    } else if (!is_inside && c == '\n') {
      rows.push_back({""});
    } else {
      rows.back().back() += c;
    }
  }
  rows.pop_back();
  return rows;
}

TEST_CASE("no text of a capture adds to a graph, a picture, a page or a table") {
  const Captures captures;
  const auto exported = [&](const std::string& format) {
    return CommandRun({"export", captures.native, "--to", format, "--context", "0", "--pass", "0"}).out;
  };
  const std::string dot = exported("dot");
  CHECK(dot.starts_with("digraph vizd {"));
  CHECK(outside_quotes(dot).find("evil") == std::string::npos);
  const std::string svg = exported("svg");
  CHECK(svg.find("<text>") != std::string::npos);
  CHECK(svg.find("<evil") == std::string::npos);
  CHECK(svg.find("evil [label=\"") == std::string::npos);

  const std::string page = captures.folder + "/report.html";
  CHECK(CommandRun({"compare", captures.trace, captures.other, "--report", page}).code == 0);
  std::stringstream html;
  html << std::ifstream(page).rdbuf();
  CHECK(html.str().find("&lt;evil&gt;") != std::string::npos);
  CHECK(html.str().find("<evil") == std::string::npos);

  for (const std::vector<std::string>& arguments : {std::vector<std::string>{"export", captures.native, "--to", "csv"},
                                                    {"export", captures.trace, "--to", "csv"},
                                                    {"kernels", captures.trace, "--to", "csv"},
                                                    {"sql", "SELECT * FROM slice", captures.native, "--csv"}}) {
    INFO(arguments.front() << " " << arguments[1]);
    const auto rows = csv_rows(CommandRun(arguments).out);
    REQUIRE(rows.size() > 1);
    for (const auto& row : rows) {
      CHECK(row.size() == rows.front().size());
      for (const std::string& field : row) {
        INFO(field);
        CHECK_FALSE(field.starts_with("="));
        CHECK_FALSE(field.starts_with("@"));
      }
    }
  }
}

}  // namespace
}  // namespace vizd::foreign_text_test
