#include "reference/own_summary.h"

#include <utility>

#include "reference/programs.h"

namespace vizd {

Result<std::vector<std::string>> own_summary(const LoadedCapture& loaded, std::vector<Setting> settings) {
  const ReferenceProgram& program = reference_program(loaded.set.format);
  if (program.summarize == nullptr)
    return Error{ErrorKind::kNotFound, "captures of this format have no figures of their own", ""};
  InputSet set = loaded.set;
  for (Setting& setting : settings) {
    setting.format = set.format;
    set.settings.push_back(std::move(setting));
  }
  OpenSet files(set);
  std::string rest;
  std::vector<std::string> records;
  const auto take = [&](std::string_view text) {
    rest += text;
    std::size_t begin = 0;
    for (auto end = rest.find('\n'); end != std::string::npos; end = rest.find('\n', begin)) {
      records.push_back(rest.substr(begin, end - begin));
      begin = end + 1;
    }
    rest.erase(0, begin);
  };
  auto done = program.summarize(files, loaded.capture, {}, take);
  if (!done) return std::move(done).error();
  return records;
}

}  // namespace vizd
