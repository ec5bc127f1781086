#include "formats/etdump/claim.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>

#include "formats/claims.h"
#include "formats/etdump/etdump_file.h"
#include "formats/etdump/program_contents.h"

namespace vizd::etdump {
namespace {

namespace fs = std::filesystem;

// Names that say nothing: the folder's name says more then.
constexpr std::array kNameWords{std::string_view("etdump"), std::string_view("etrecord"), std::string_view(".bin")};

// The names that ExecuTorch's own programs give.
constexpr std::array kBufferWords{std::string_view("debug_output"), std::string_view("debug_buffer")};

enum class Content { kDump, kProgram, kRecord };

Content content_of(const std::string& path) {
  std::array<char, 16> beginning{};
  std::ifstream file(path, std::ios::binary);
  file.read(beginning.data(), beginning.size());
  const auto bytes =
      std::as_bytes(std::span(beginning).first(static_cast<std::size_t>(std::max<std::streamsize>(file.gcount(), 0))));
  return looks_like_etdump(bytes) ? Content::kDump : looks_like_program(bytes) ? Content::kProgram : Content::kRecord;
}

bool is_buffer_name(const std::string& path) {
  const std::string name = fs::path(path).filename().string();
  return std::ranges::any_of(kBufferWords, [&](std::string_view word) { return name.find(word) != name.npos; });
}

// One that nobody knows by its bytes is empty or cut, and its reading says so.
bool is_record_name(const std::string& path) {
  return fs::path(path).filename().string().find("etrecord") != path.npos;
}

struct Folder {
  std::vector<std::string> dumps, records, buffers, programs;
  std::vector<std::string> broken_records;  // by their names alone
};

// The one of the files that belongs to the dump: the only one, or that whose name goes on as the dump's begins.
std::string partner_of(const std::string& dump, const Folder& folder, const std::vector<std::string>& files) {
  if (files.size() == 1 && folder.dumps.size() == 1) return files.front();
  const std::string stem = fs::path(dump).stem().string();
  for (const std::string& file : files) {
    if (fs::path(file).filename().string().starts_with(stem)) return file;
  }
  return "";
}

}  // namespace

std::vector<InputSet> claim(const Format& own, std::span<const ListedFile> listing) {
  std::map<std::string, Folder> folders;
  Folder given;
  for (const ListedFile& file : listing) {
    if (file.format != &own && file.format != nullptr) continue;
    Folder& folder = folders[fs::path(file.path).parent_path().string()];
    if (file.role == kRecord) {
      given.records.push_back(file.path);
    } else if (file.role == kDebugBuffer) {
      given.buffers.push_back(file.path);
    } else if (file.format == &own) {
      const Content content = content_of(file.path);
      (content == Content::kDump      ? folder.dumps
       : content == Content::kProgram ? folder.programs
                                      : folder.records)
          .push_back(file.path);
    } else if (is_buffer_name(file.path)) {
      folder.buffers.push_back(file.path);
    } else if (is_record_name(file.path)) {
      folder.broken_records.push_back(file.path);
    }
  }
  std::vector<InputSet> sets;
  bool has_dump = false;
  for (const auto& [path, folder] : folders) {
    std::vector<std::string> taken;
    for (const std::string& dump : folder.dumps) {
      has_dump = true;
      InputSet set{&own, set_name(dump, kNameWords), {{std::string(kDump), dump}}};
      const auto take = [&](std::string_view role, const std::vector<std::string>& named,
                            const std::vector<std::string>& beside) {
        std::string found = named.empty() ? partner_of(dump, folder, beside) : named.front();
        if (found.empty() && role == kRecord) found = partner_of(dump, folder, folder.broken_records);
        if (found.empty()) return;
        set.files.push_back({std::string(role), found});
        taken.push_back(found);
      };
      take(kRecord, given.records, folder.records);
      take(kDebugBuffer, given.buffers, folder.buffers);
      take(kProgram, {}, folder.programs);
      sets.push_back(std::move(set));
    }
    const auto add_alone = [&](std::string_view role, const std::vector<std::string>& files) {
      for (const std::string& file : files)
        if (std::ranges::find(taken, file) == taken.end())
          sets.push_back({&own, set_name(file, kNameWords), {{std::string(role), file}}});
    };
    add_alone(kRecord, folder.records);
    add_alone(kProgram, folder.programs);
  }
  if (!has_dump) {
    for (const std::string& record : given.records)
      sets.push_back({&own, set_name(record, kNameWords), {{std::string(kRecord), record}}});
  }
  return sets;
}

}  // namespace vizd::etdump
