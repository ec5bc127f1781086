#include "cli/agent/tools.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

namespace vizd {
namespace {

namespace fs = std::filesystem;

// In the order in which they are asked.
constexpr std::array<std::string_view, 18> kAsking{
    "help",    "ls",     "check", "diagnose", "kernels", "operators", "breakdown",    "compare", "events",
    "summary", "memory", "link",  "rules",    "show",    "text",      "kernel-graph", "sql",     "assert"};

// What writes a file, or asks another machine.
constexpr std::array<std::string_view, 17> kRefused{
    "-o",      "--output",          "--report",   "--junit", "--csv",         "--tsv",      "--xlsx",    "--page",
    "--store", "--store-user-file", "--store-ca", "--job",   "--source-root", "--compiler", "--compile", "--dev",
    "--host"};

constexpr std::string_view kShortWithValue = "s";

bool is_refused(std::string_view word) {
  const std::string_view name = word.substr(0, word.find('='));
  if (std::ranges::find(kRefused, name) != kRefused.end()) return true;
  if (!word.starts_with('-') || word.starts_with("--")) return false;
  // Short options in one word: -fo, -foFILE. What follows the letter of one that takes a value is the value.
  const std::string_view letters = word.substr(1, word.find_first_of(kShortWithValue, 1) - 1);
  return letters.find('o') != std::string_view::npos;
}

bool lies_in(const fs::path& path, const Folders& folders) {
  return std::ranges::any_of(folders, [&](const fs::path& folder) {
    return std::mismatch(folder.begin(), folder.end(), path.begin(), path.end()).first == folder.end();
  });
}

}  // namespace

std::vector<const Command*> asking_commands() {
  std::vector<const Command*> found;
  for (const std::string_view name : kAsking) {
    if (const Command* const command = find_command(name)) found.push_back(command);
  }
  return found;
}

bool tells_verdict(std::string_view command) {
  return command == "assert" || command == "check" || command == "compare";
}

Result<std::vector<std::string>> asked_words(std::string_view command, const std::vector<std::string>& words,
                                             const Folders& folders) {
  if (std::ranges::find(kAsking, command) == kAsking.end())
    return Error{ErrorKind::kForbidden, "is not a read-only command", std::string(command)};
  std::vector<std::string> asked;
  for (const std::string& word : words) {
    if (is_refused(word))
      return Error{ErrorKind::kForbidden, "writes files or uses the network; tools only read", word};
    // Whatever may be a path: the word itself, or the value of --option=VALUE.
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    const std::size_t begin = equals == std::string::npos ? 0 : equals + 1;
    std::error_code failed;
    const fs::path real = fs::canonical(word.substr(begin), failed);
    if (!failed && !lies_in(real, folders))
      return Error{ErrorKind::kForbidden, "is outside the folders given to vizd mcp", word.substr(begin)};
    asked.push_back(failed ? word : word.substr(0, begin) + real.string());
  }
  return asked;
}

}  // namespace vizd
