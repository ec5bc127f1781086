// What a report has of rewrites; and what it has of any capture.
#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "http/report/report_contents.h"
#include "model/op_memory.h"

namespace vizd {
namespace {

// Matches and nodes are told of one by one: of passes with more they are left out, for a report is to be made in
// minutes.
constexpr std::uint32_t kMostInPass = 3'000;
constexpr std::uint32_t kMostInAll = 20'000;
// After so many graphs without room the rest are not tried.
constexpr unsigned kMostMisfits = 8;

std::string path_of(std::string_view route, const PackedPass& pass) {
  return fmt::format("/api/v1/{}/{}/{}", route, pass.context, pass.pass);
}

// The first and the last of each context before all others.
std::vector<PackedPass> passes_by_worth(const Rewrites& rewrites) {
  std::vector<PackedPass> ends, others;
  for (std::size_t context = 0; context < rewrites.contexts.size(); ++context) {
    const auto passes = rewrites.passes_of(rewrites.contexts[context]);
    for (std::uint32_t pass = 0; pass < passes.size(); ++pass) {
      const bool is_end = pass == 0 || pass + 1 == passes.size();
      (is_end ? ends : others).push_back({context, pass, passes[pass].match_count});
    }
  }
  ends.insert(ends.end(), others.begin(), others.end());
  return ends;
}

// How many nodes a pass has in all, as its stream says in the end; none where it says nothing.
std::uint32_t count_nodes(std::string_view stream) {
  constexpr std::string_view kDone = "event: done\n", kNodes = "\"nodes\":";
  const auto done = stream.rfind(kDone);
  const auto at = done == std::string_view::npos ? done : stream.find(kNodes, done);
  if (at == std::string_view::npos) return 0;
  std::uint32_t nodes = 0;
  for (std::size_t i = at + kNodes.size(); i < stream.size() && stream[i] >= '0' && stream[i] <= '9'; ++i)
    nodes = nodes * 10 + static_cast<std::uint32_t>(stream[i] - '0');
  return nodes;
}

// The graphs as the page first sees them: whoever asks for the text first finds the pass replayed, and its stream then
// begins with the final places.
std::vector<PackedPass> pack_graphs(ReportPacker& packer, std::vector<PackedPass> passes) {
  packer.begin("graphs of passes", passes.size());
  std::vector<PackedPass> packed;
  unsigned misfits = 0;
  for (PackedPass& pass : passes) {
    std::vector<PackedAnswers::Named> answers;
    for (const std::string& path : {path_of("text", pass) + "/0", path_of("rewrites", pass)})
      answers.push_back({path, packer.ask({path})});
    pass.nodes = count_nodes(answers.back().answer.bytes);
    // The page turns a graph by itself where it is larger so.
    const Question down{path_of("rewrites", pass), {{"down", "1"}}};
    answers.push_back({down.text(), packer.ask(down)});
    if (packer.pack_answers(answers)) {
      packed.push_back(pass);
    } else if (++misfits == kMostMisfits) {
      break;
    }
  }
  packer.end();
  return packed;
}

void pack_programs(ReportPacker& packer, const Rewrites& rewrites, bool has_profile) {
  std::set<std::uint32_t> made;
  std::vector<std::vector<Question>> packs;
  for (std::size_t context = 0; context < rewrites.contexts.size(); ++context) {
    std::vector<Question> questions{{fmt::format("/api/v1/called-from/{}", context)}};
    if (has_profile) questions.push_back({fmt::format("/api/v1/executions/{}", context)});
    const ProgramId program = rewrites.contexts[context].program;
    if (program != ProgramId{kNoId}) {
      made.insert(static_cast<std::uint32_t>(program));
      for (const char* part : {"", "/code", "/ops"})
        questions.push_back({fmt::format("/api/v1/program/{}{}", context, part)});
    }
    packs.push_back(std::move(questions));
  }
  for (std::uint32_t program = 0; program < rewrites.programs.size(); ++program) {
    if (made.contains(program)) continue;
    std::vector<Question> questions;
    for (const char* part : {"", "/code", "/ops"})
      questions.push_back({fmt::format("/api/v1/program/p{}{}", program, part)});
    packs.push_back(std::move(questions));
  }
  packer.begin("programs", packs.size());
  for (const auto& questions : packs) packer.pack(questions);
  packer.end();
}

}  // namespace

bool pack_session(ReportPacker& packer, const LoadedCapture& loaded) {
  std::vector<Question> questions{{"/api/v1/session"}, {"/api/v1/facts"}};
  if (loaded.capture.has_rewrites) questions.push_back({"/api/v1/contexts"});
  packer.begin("session", 1);
  const bool is_packed = packer.pack(questions);
  packer.end();
  return is_packed;
}

std::vector<PackedPass> pack_rewrites(ReportPacker& packer, const LoadedCapture& loaded) {
  if (!loaded.capture.has_rewrites) return {};
  const Rewrites& rewrites = loaded.capture.rewrites;
  packer.begin("rules", 1);
  packer.pack({{"/api/v1/rules"}});
  packer.end();
  // Programs are small, and graphs may be many enough to leave no room.
  pack_programs(packer, rewrites, loaded.capture.has_profile);
  return pack_graphs(packer, passes_by_worth(rewrites));
}

void pack_rewrite_details(ReportPacker& packer, const LoadedCapture& loaded, const std::vector<PackedPass>& passes) {
  const bool has_measures = !loaded.capture.rewrites.measures.empty(), has_memories = tells_memory(loaded.capture);
  packer.begin("matches and nodes of passes, one by one", passes.size());
  std::uint32_t told = 0;
  for (const PackedPass& pass : passes) {
    const std::uint32_t parts = pass.matches + pass.nodes;
    if (parts > kMostInPass || told + parts > kMostInAll) continue;
    told += parts;
    std::vector<Question> questions;
    for (std::uint32_t match = 1; match <= pass.matches; ++match)
      questions.push_back({fmt::format("{}/{}", path_of("match", pass), match)});
    if (pass.matches > 0) questions.push_back({fmt::format("{}/{}", path_of("text", pass), pass.matches)});
    for (std::uint32_t node = 0; node < pass.nodes; ++node)
      questions.push_back({fmt::format("{}/{}", path_of("node", pass), node)});
    for (std::uint32_t match : std::set{std::uint32_t{0}, pass.matches}) {
      if (has_measures) questions.push_back({fmt::format("{}/{}", path_of("measures", pass), match)});
      if (has_memories) questions.push_back({fmt::format("{}/{}", path_of("memories", pass), match)});
    }
    packer.pack(questions);
  }
  packer.end();
}

}  // namespace vizd
