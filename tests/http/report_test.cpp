// A report: the page with a capture in it, as one file that never is larger than it may be.
#include <zlib.h>

#include <fstream>
#include <map>

#include "base/version.h"
#include "http/command_run.h"
#include "http/report/packed_answers.h"
#include "http/report/report_page.h"
#include "support/catch.h"
#include "support/served_capture.h"
#include "support/temporary_folder.h"

namespace vizd::report_test {
namespace {

const std::string kFolder = test_data("tinygrad-2025-09/");

// A page that is small, in the parts that vizd's own has.
class MadePage {
 public:
  explicit MadePage(const std::string& head = R"(<script src="first.js"></script>)") {
    write(
        "index.html",
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\" />\n"
        "<link rel=\"icon\" href=\"icon.svg\" type=\"image/svg+xml\" />\n"
        "<link rel=\"modulepreload\" href=\"app.js\" />\n" +
            head +
            "\n<link rel=\"stylesheet\" href=\"app.css\" />\n"
            "<script type=\"module\" src=\"app.js\"></script>\n</head>\n<body><div id=\"app\"></div></body></html>\n");
    write("app.js", "const text = \"</script><!-- \";");
    write("first.js", "/* first */");
    write("app.css", "b { color: red }");
    write("icon.svg", "<svg/>");
  }
  Assets assets() const {
    auto loaded = Assets::load(folder_.path(), false);
    REQUIRE(loaded);
    return *std::move(loaded);
  }

 private:
  void write(const std::string& name, const std::string& text) { std::ofstream(folder_ / name) << text; }

  TemporaryFolder folder_;
};

std::string unpacked(std::string_view base64) {
  std::string packed;
  std::uint32_t bits = 0, count = 0;
  for (const char c : base64) {
    if (c == '=') break;
    const std::uint32_t digit = c >= 'a'   ? static_cast<std::uint32_t>(c - 'a') + 26
                                : c >= 'A' ? static_cast<std::uint32_t>(c - 'A')
                                : c >= '0' ? static_cast<std::uint32_t>(c - '0') + 52
                                : c == '+' ? 62u
                                           : 63u;
    bits = bits << 6 | digit;
    count += 6;
    if (count < 8) continue;
    count -= 8;
    packed.push_back(static_cast<char>(bits >> count & 255));
  }
  z_stream stream{};
  REQUIRE(inflateInit2(&stream, 31) == Z_OK);
  stream.next_in = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_in = static_cast<uInt>(packed.size());
  std::string out;
  char buffer[4096];
  int status = Z_OK;
  while (status == Z_OK) {
    stream.next_out = reinterpret_cast<Bytef*>(buffer);
    stream.avail_out = sizeof buffer;
    status = inflate(&stream, Z_NO_FLUSH);
    out.append(buffer, sizeof buffer - stream.avail_out);
  }
  inflateEnd(&stream);
  REQUIRE(status == Z_STREAM_END);
  return out;
}

// A report as the page reads it.
struct ReadReport {
  explicit ReadReport(const std::string& html) {
    const auto element = [&](const std::string& id) {
      const std::string begin = "id=\"" + id + "\">";
      const auto from = html.find(begin);
      REQUIRE(from != std::string::npos);
      const auto first = from + begin.size();
      return unpacked(std::string_view(html).substr(first, html.find('<', first) - first));
    };
    index = nlohmann::json::parse(element("vizd-index"));
    std::size_t number = 0;
    for (const auto& pack : index["packs"]) {
      const std::string bytes = element("vizd-pack-" + std::to_string(number++));
      std::size_t from = 0;
      for (const auto& answer : pack) {
        answers[answer[0]] = bytes.substr(from, answer[3]);
        statuses[answer[0]] = answer[1];
        from += answer[3].get<std::size_t>();
      }
      CHECK(from == bytes.size());
    }
  }
  bool lacks(const std::string& what) const {
    return std::ranges::any_of(index["left_out"],
                               [&](const auto& line) { return line.template get<std::string>().starts_with(what); });
  }

  nlohmann::json index;
  std::map<std::string, std::string> answers;
  std::map<std::string, int> statuses;
};

struct ServedRamp : ServedCapture {
  ServedRamp() : ServedCapture(kFolder + "ramp.rewrites.pkl", kFolder + "ramp.profile.pkl") { loaded(); }

  Result<PageFile> report(const Assets& page, std::uint64_t most_bytes) {
    return make_report(*loaded(), make_routes(services()), page, {.most_bytes = most_bytes});
  }
};

TEST_CASE("a report has what the routes answer, and of a small capture all of it") {
  ServedRamp served;
  const auto report = served.report(MadePage().assets(), 32 << 20);
  REQUIRE(report);
  const ReadReport read(report->html);
  CHECK(report->left_out.empty());
  CHECK(read.index["left_out"].empty());
  CHECK(read.index["version"] == kVersion);
  const std::string key = served.json("/api/v1/lanes")["key"];
  for (const std::string& question :
       {std::string("/api/v1/lanes"), std::string("/api/v1/contexts"), std::string("/api/v1/devices"),
        std::string("/api/v1/kernels?group=name"), "/api/v1/tiles/" + key + "/all", std::string("/api/v1/event/0/0"),
        "/api/v1/match/" + served.largest_pass() + "/1"}) {
    INFO(question);
    REQUIRE(read.answers.contains(question));
    CHECK(read.answers.at(question) == served.answer(question).body->bytes());
  }
  const std::string pass = served.largest_pass();
  const std::string& stream = read.answers.at("/api/v1/rewrites/" + pass);
  CHECK(stream.starts_with("event: graph\n"));
  CHECK(stream.find("\nevent: done\n") != std::string::npos);
}

TEST_CASE("a report is one file: the page's files are in it, and their texts end no element") {
  ServedRamp served;
  const auto report = served.report(MadePage().assets(), 32 << 20);
  REQUIRE(report);
  const std::string& html = report->html;
  CHECK(html.find("src=") == std::string::npos);
  CHECK(html.find("href=\"data:") != std::string::npos);
  CHECK(html.find("href=", html.find("href=\"data:") + 1) == std::string::npos);
  CHECK(html.find(R"(const text = "<\/script><\!-- ";)") != std::string::npos);
  CHECK(html.find("default-src 'none'") != std::string::npos);
  CHECK(html.find("<html lang=\"en\" data-report>") != std::string::npos);
  CHECK(html.ends_with("</body></html>\n"));
}

TEST_CASE("limits: a report is never larger than it may be, and says what it leaves out") {
  ServedRamp served;
  const Assets page = MadePage().assets();
  for (const std::uint64_t most_bytes : {20'000u, 40'000u, 80'000u, 160'000u}) {
    INFO(most_bytes);
    const auto report = served.report(page, most_bytes);
    REQUIRE(report);
    CHECK(report->html.size() <= most_bytes);
    CHECK_FALSE(report->left_out.empty());
    const ReadReport read(report->html);
    CHECK(read.answers.contains("/api/v1/session"));
    CHECK((read.lacks("graphs of passes") || read.lacks("matches and nodes of passes")));
  }
}

TEST_CASE("a report that has no room for the capture's own list is refused, with the size it needs") {
  ServedRamp served;
  const auto report = served.report(MadePage().assets(), 2'000);
  REQUIRE_FALSE(report);
  CHECK(report.error().message.find("before it contains anything of the capture") != std::string::npos);
}

TEST_CASE("a page that another version made is refused, not half replaced") {
  ServedRamp served;
  const auto report = served.report(MadePage("<script src=\"other.js\"></script>").assets(), 32 << 20);
  REQUIRE_FALSE(report);
  CHECK(report.error().message.find("build both again") != std::string::npos);
}

TEST_CASE("what a pack has no room for leaves the rest as it was") {
  const auto answer = [](std::size_t bytes) {
    std::string text;
    for (std::size_t i = 0; text.size() < bytes; ++i) text += std::to_string(i * i);
    return std::vector<PackedAnswers::Named>{{"/a", {.status = 200, .content_type = "", .bytes = text}}};
  };
  PackedAnswers packed(4'000);
  CHECK(packed.add(answer(100)));
  const std::uint64_t left = packed.left_bytes();
  CHECK_FALSE(packed.add(answer(100'000)));
  CHECK(packed.left_bytes() == left);
  CHECK(packed.packs().size() == 1);
  CHECK(nlohmann::json::parse(packed.index_json()).size() == 1);
}

TEST_CASE("vizd export --page refuses arguments that make no sense") {
  const std::string capture = kFolder + "ramp.rewrites.pkl";
  const auto says = [&](std::vector<std::string> more, const std::string& what) {
    more.insert(more.begin(), {"export", capture});
    const CommandRun run(more);
    CHECK(run.code == 2);
    CHECK(run.warns(what));
  };
  says({"--to", "csv", "--most-bytes", "5"}, "--most-bytes needs --page");
  says({"--page", "a.html", "-o", "b.html"}, "--page already names the file");
  says({"--page", "a.html", "--to", "csv"}, "use only one of --to");
  says({}, "--to or --page is required");
}

}  // namespace
}  // namespace vizd::report_test
