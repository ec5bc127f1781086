// vizd skill: what a coding agent needs to know to ask vizd, as a skill in the folder where it looks for such.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>

#include "base/mapped_file.h"
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

// Where the skills lie of the agent of that name, or else the folder that the name is. None where the agent's lie below
// a home that is not known.
std::optional<fs::path> skills_folder(const std::string& where) {
  const auto agent = std::ranges::find(kAgents, where, &Agent::name);
  if (agent == kAgents.end()) return where;
  const char* const home = std::getenv("HOME");
  if (home == nullptr || *home != '/') return std::nullopt;
  return fs::path(home) / agent->folder;
}

// Whether the file is what would be written.
bool has_text(const std::string& path, std::string_view text) {
  const auto file = MappedFile::open(path);
  return file && std::string_view(reinterpret_cast<const char*>(file->bytes().data()), file->bytes().size()) == text;
}

// Errors: the folder cannot be made or written to; there is another file, which was not to be overwritten.
Result<void> install_skill(const fs::path& folder, OutputFile::Place place) {
  const std::string skill = agent_skill();
  if (has_text(place.path, skill)) return {};
  std::error_code failed;
  fs::create_directories(folder, failed);
  if (failed) return Error{ErrorKind::kNotFound, "cannot be created: " + failed.message(), folder.string()};
  auto file = OutputFile::create(std::move(place), {});
  if (!file) return file.error();
  (*file)->write(skill);
  const auto written = (*file)->finish();
  return written ? Result<void>() : written.error();
}

}  // namespace

int run_skill(int argc, const char* const* argv) {
  CommandLine line(
      "vizd skill",
      "Prints what a coding agent needs to know to use vizd, as a skill; or installs it where the agent looks for "
      "skills.\nIt describes the commands of this version: install it again, with -f, after an update.");
  std::string where;
  OutputFile::Place place;
  const Argument install = line.option("--install claude|codex|gemini|DIR", where,
                                       "Write vizd/SKILL.md into that agent's folder of skills, or into DIR");
  line.flag("-f,--force", place.overwrites, "Overwrite an existing file");
  if (const auto code = line.parse(argc, argv)) return *code;
  if (!install.is_given()) {
    print_answer("{}", agent_skill());
    return kExitOk;
  }
  const auto skills = skills_folder(where);
  if (!skills) return line.refuse("HOME is not a folder, so that agent's folder of skills is unknown; name the folder");
  const fs::path folder = *skills / "vizd";
  place.path = (folder / "SKILL.md").string();
  if (const auto installed = install_skill(folder, place); !installed) {
    print_error("vizd skill: {}\n", installed.error().text());
    return kExitFailure;
  }
  print_answer("{}\n", one_line(place.path, false));
  return kExitOk;
}

}  // namespace vizd
