// vizd mark WHAT NOTE: a mark with a note, which appears on the open page of a vizd that shares it.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/standard_streams.h"
#include "cli/command_line/command.h"
#include "cli/command_line/command_line.h"
#include "cli/command_line/records.h"
#include "cli/command_line/running_vizd.h"
#include "diagnosis/page_place.h"

namespace vizd {
namespace {

using Json = nlohmann::json;

struct WantedMark {
  std::string file, id, note;  // "": none was named
  bool removes = false;        // the mark of that number; else it is put there, or where there is no note listed
  std::size_t number = 0;
};

// Files, an id and the note, as they were written: the note is the last word.
std::string read_words(const std::vector<std::string>& words, WantedMark& mark) {
  if (words.size() < 2) return "name a file or an id, and a note, such as: vizd mark slice:17 'this copy waits'";
  mark.note = words.back();
  if (mark.note.empty()) return "the note is empty";
  for (auto word = words.begin(); word + 1 != words.end(); ++word) {
    std::error_code failed;
    const bool is_file = std::filesystem::exists(*word, failed);
    std::string& into = is_file ? mark.file : mark.id;
    if (!is_file && !is_id(*word)) return fmt::format("{}: is neither a file nor an id", *word);
    if (!into.empty()) return "only one file and one id can be marked at a time";
    into = *word;
  }
  return "";
}

// Where the mark goes, with the capture that is meant.
struct Target {
  RunningVizd server;
  std::string capture;  // its id; "": the first
};

Result<Target> find_target(const WantedMark& mark, const std::string& url) {
  if (mark.file.empty() || !url.empty()) {
    auto server = find_shared(url);
    if (!server) return server.error();
    if (mark.file.empty()) return Target{std::move(*server), ""};
  }
  auto served = find_served({mark.file});
  if (!served)
    return Error{ErrorKind::kNotFound, "no running vizd has it open; start one with: vizd --shared FILE", mark.file};
  if (!served->server.is_shared())
    return Error{ErrorKind::kForbidden,
                 "the vizd that has it open was started without --shared; restart it with --shared", mark.file};
  return Target{std::move(served->server), served->id};
}

Records mark_records(const RunningVizd& server, const Json& marks) {
  Records records({"number", "by", "capture", "id", "url", "note"});
  for (const Json& mark : marks) {
    records.add({mark.value("number", std::int64_t{0}), mark.value("by", ""), mark.value("capture", ""),
                 mark.value("id", ""), server.url() + "#" + mark.value("place", ""), mark.value("note", "")});
  }
  return records;
}

Result<Records> answer_of(const WantedMark& mark, const std::string& url) {
  const auto target = find_target(mark, url);
  if (!target) return target.error();
  if (mark.note.empty() && !mark.removes) {
    auto told = target->server.ask("/api/v1/marks");
    if (!told) return told.error();
    return mark_records(target->server, (*told)["marks"]);
  }
  Json body;
  if (mark.removes) {
    body["remove"] = mark.number;
  } else {
    body["capture"] = target->capture;
    body["id"] = mark.id.empty() ? "view:overview" : mark.id;
    body["note"] = mark.note;
  }
  auto told = target->server.tell("/api/v1/marks", body);
  if (!told) return told.error();
  return mark_records(target->server, mark.removes ? (*told)["marks"] : Json::array({*told}));
}

}  // namespace

int run_mark(int argc, const char* const* argv) {
  CommandLine line("vizd mark",
                   "Puts a mark with a note on the open page of a vizd that was started with --shared: on what an id "
                   "of an\nanswer names, or on a file. Without words it lists the marks, including those made on the "
                   "page. Marks are lost\nwhen that vizd ends.");
  std::vector<std::string> words;
  WantedMark mark;
  std::string url;
  bool json = false;
  line.positional("[FILE] [ID] NOTE", "[FILE] [ID] NOTE", words, "An open file, an id (see vizd open), and the note");
  const Argument remove = line.option("--remove N", mark.number, "Remove the mark with this number");
  line.option("--at URL [the one that shares]", url, "The vizd to talk to, if several share their page");
  line.flag("--json", json, "Print JSON, one record per line");
  describe_wide_tables(line);
  if (const auto code = line.parse(argc, argv)) return *code;
  mark.removes = remove.is_given();
  if (mark.removes && !words.empty()) return line.refuse("--remove takes no other words");
  if (!words.empty()) {
    if (const std::string problem = read_words(words, mark); !problem.empty()) return line.refuse(problem);
  }
  const auto records = answer_of(mark, url);
  if (!records) {
    print_error("vizd mark: {}\n", records.error().text());
    return kExitFailure;
  }
  records->print(stdout, json);
  return kExitOk;
}

}  // namespace vizd
