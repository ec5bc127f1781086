#include "reference/inspector/reference_dump.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <utility>

#include "formats/etdump/claim.h"
#include "formats/etdump/format.h"
#include "formats/sniffer.h"

namespace vizd::inspector {
namespace {

namespace fs = std::filesystem;

// A run that is compared with is compared with none itself.
InputSet without_reference(InputSet set) {
  std::erase_if(set.settings, [](const Setting& setting) { return setting.name == kReferenceDump; });
  return set;
}

const InputFile* dump_of(const InputSet& set) {
  const auto found = std::ranges::find(set.files, kDump, &InputFile::role);
  return found == set.files.end() ? nullptr : &*found;
}

}  // namespace

Result<InputSet> find_dump(const std::string& path) {
  std::error_code failed;
  const bool is_folder = fs::is_directory(path, failed);
  const fs::path parent = fs::path(path).parent_path();
  const std::string folder = is_folder ? path : parent.empty() ? "." : parent.string();
  Sniffer sniffer;
  std::vector<InputSet> found;
  for (InputSet& set : claim(kFormat, list_folder(folder, sniffer))) {
    const InputFile* dump = dump_of(set);
    if (dump != nullptr && (is_folder || fs::equivalent(dump->path, path, failed))) found.push_back(std::move(set));
  }
  if (found.size() == 1) return std::move(found.front());
  return Error{ErrorKind::kBadInput,
               found.empty() ? "there is no ETDump; name one, or a folder with one"
                             : fmt::format("{} ETDumps are there; name one of them", found.size()),
               path};
}

Result<std::shared_ptr<const ReferenceDump>> open_reference(const InputSet& set, std::size_t iteration) {
  auto dump = std::make_shared<ReferenceDump>(without_reference(set));
  auto opened = open_all(dump->files);
  if (!opened) return std::move(opened).error();
  dump->opened = std::move(*opened);
  if (!dump->opened.file)
    return Error{ErrorKind::kBadInput, "an ETRecord alone has no logged values; name the ETDump with it", set.name};
  Settings& settings = dump->opened.settings;
  settings.is_reference = false;
  settings.iteration = iteration;
  auto inspection = inspect(dump->opened.sources(), settings);
  if (!inspection) return std::move(inspection).error();
  VIZD_TRY(check_whole(dump->files, dump->opened));
  if (iteration != 0 && std::ranges::none_of(inspection->blocks, &Block::has_values)) return open_reference(set, 0);
  dump->inspection = std::move(*inspection);
  return std::shared_ptr<const ReferenceDump>(std::move(dump));
}

Result<std::shared_ptr<const ReferenceDump>> open_reference(const Settings& settings) {
  if (settings.reference_dump.empty()) return std::shared_ptr<const ReferenceDump>();
  const auto found = find_dump(settings.reference_dump);
  if (!found) return found.error();
  return open_reference(*found, settings.iteration);
}

}  // namespace vizd::inspector
