// What people ask of captures, each with a known answer, the commands that find it, at most three, and at most 8 KB of
// text: tests/agent/questions. A vizd that answers these serves whoever pays for each byte.
#include <filesystem>
#include <fstream>

#include "http/command_run.h"
#include "support/catch.h"
#include "support/places.h"
#include "support/temporary_folder.h"

namespace vizd::questions_test {
namespace {

using Json = nlohmann::json;

// "demo:training": of `vizd demo`; "data:…": of tests/data; "shared:…": of the shared samples, which need not be there;
// anything else as it is.
std::string word_of(const std::string& word, const std::string& demo) {
  if (word.starts_with("demo:")) return demo + "/" + word.substr(5);
  if (word.starts_with("shared:")) return shared_data("samples/" + word.substr(7));
  return word.starts_with("data:") ? test_data(word.substr(5)) : word;
}

// Whether the samples that it is about are there.
bool can_be_asked(const Json& question) {
  for (const Json& command : question["commands"]) {
    for (const std::string word : command) {
      if (word.starts_with("shared:") && !std::filesystem::exists(word_of(word, ""))) return false;
    }
  }
  return true;
}

bool has(const Json& record, const Json& part) {
  for (const auto& [key, value] : part.items()) {
    if (!record.contains(key) || record[key] != value) return false;
  }
  return true;
}

// A text is part of the answer; records are all of it; of an object's values one record has all.
bool is_answer(const CommandRun& run, const Json& wanted) {
  if (wanted.is_string()) return run.out.find(wanted.get<std::string>()) != std::string::npos;
  const std::vector<Json> records = run.records();
  if (wanted.is_array()) return Json(records) == wanted;
  return std::ranges::any_of(records, [&](const Json& record) { return has(record, wanted); });
}

TEST_CASE("questions have their known answers, in three commands and 8 KB at most") {
  TemporaryFolder folder;
  const std::string demo = folder / "demo";
  REQUIRE(CommandRun({"demo", demo, "--only-write"}).code == 0);
  std::ifstream in(test_data("../agent/questions/questions.json"));
  const Json questions = Json::parse(in);
  CHECK(questions.size() >= 40);
  std::size_t skipped = 0;
  for (const Json& question : questions) {
    INFO(question["question"].get<std::string>());
    if (!can_be_asked(question)) {
      ++skipped;
      continue;
    }
    const Json& commands = question["commands"];
    REQUIRE((!commands.empty() && commands.size() <= 3));
    std::size_t bytes = 0;
    for (std::size_t i = 0; i < commands.size(); ++i) {
      std::vector<std::string> words;
      for (const Json& word : commands[i]) words.push_back(word_of(word, demo));
      const CommandRun run(words);
      bytes += run.out.size();
      INFO(run.out);
      if (i + 1 == commands.size()) CHECK(is_answer(run, question["answer"]));
    }
    CHECK(bytes <= 8192);
  }
  if (skipped > 0) WARN(skipped << " questions about shared samples, which are not there, are skipped");
}

}  // namespace
}  // namespace vizd::questions_test
