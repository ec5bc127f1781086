// vizd skill: what a coding agent needs to know to ask vizd, as a skill in the folder where it looks for such.
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <system_error>

#include "base/standard_streams.h"
#include "cli/agent/agent_page.h"
#include "cli/command_line/command.h"
#include "cli/command_line/command_line.h"
#include "cli/command_line/output_file.h"

namespace vizd {
namespace {

namespace fs = std::filesystem;

struct Agent {
  std::string_view name, folder;  // below the user's home
};
constexpr std::array kAgents{Agent{"claude", ".claude/skills"}, Agent{"codex", ".codex/skills"},
                             Agent{"gemini", ".gemini/skills"}};

// Where the skills lie of the agent of that name, or else the folder that the name is.
fs::path skills_folder(const std::string& where) {
  const char* const home = std::getenv("HOME");
  for (const Agent& agent : kAgents) {
    if (agent.name == where && home != nullptr) return fs::path(home) / agent.folder;
  }
  return where;
}

}  // namespace

int run_skill(int argc, const char* const* argv) {
  CommandLine line(
      "vizd skill",
      "Prints what a coding agent needs to know to ask vizd, as a skill; or puts it where one looks for such.\n"
      "It is made by this vizd of its own commands: install it again after an update.");
  std::string where;
  const Argument install = line.option("--install claude|codex|gemini|DIR", where,
                                       "Write vizd/SKILL.md into that agent's folder of skills, or into DIR");
  if (const auto code = line.parse(argc, argv)) return *code;
  if (!install.is_given()) {
    print_answer("{}", agent_skill());
    return kExitOk;
  }
  const fs::path folder = skills_folder(where) / "vizd";
  std::error_code failed;
  fs::create_directories(folder, failed);
  const std::string path = (folder / "SKILL.md").string();
  const auto file = failed ? Result<std::unique_ptr<OutputFile>>(
                                 Error{ErrorKind::kNotFound, "cannot be made: " + failed.message(), folder.string()})
                           : OutputFile::create({.path = path, .overwrites = true}, {});
  if (!file) {
    print_error("vizd skill: {}\n", file.error().text());
    return kExitFailure;
  }
  (*file)->write(agent_skill());
  if (const auto size_bytes = (*file)->finish(); !size_bytes) {
    print_error("vizd skill: {}\n", size_bytes.error().text());
    return kExitFailure;
  }
  print_answer("{}\n", path);
  return kExitOk;
}

}  // namespace vizd
