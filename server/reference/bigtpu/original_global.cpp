#include "reference/bigtpu/original_global.h"

#include <fmt/core.h>

#include <algorithm>

namespace vizd::bigtpu {
namespace {

class GlobalReader {
 public:
  GlobalReader(const GlobalFile& file, Reader reader) : file_(file), is_030_(reader == Reader::kOriginal030) {}

  Result<GlobalFigures> read(std::optional<double> tiu_mhz) {
    figures_.is_bmodel = file_.is_bmodel;
    if (is_030_ && file_.has_empty_lines) return ends_with("not enough values to unpack (expected 2, got 1)");
    std::optional<double> written_mhz;
    for (const GlobalFile::Line& line : file_.lines) {
      if (!line.has_value) {
        if (is_030_) return ends_with("not enough values to unpack (expected 2, got 1)");
        continue;
      }
      if (is_030_ ? line.key.ends_with("arch") && figures_.chip == nullptr : line.key == "arch") {
        VIZD_TRY(take_arch(line.value));
      } else if (line.key == "max_record_num" || line.key.ends_with("_record")) {
        VIZD_TRY(take_count(line));
      } else if (!is_030_ && (line.key == "tpu_freq" || line.key == "core_num" || line.key == "tail_offset_ns")) {
        const auto number = parse_number(line.value);
        if (!number) return ends_with(fmt::format("invalid literal for int() with base 10: '{}'", line.value));
        if (line.key == "core_num") figures_.core_count = static_cast<std::size_t>(std::max<std::int64_t>(*number, 0));
        if (line.key != "tpu_freq") continue;
        if (*number <= 0) return ends_with(fmt::format("invalid tpu_freq: {}", line.value));
        written_mhz = static_cast<double>(*number);
      }
    }
    if (figures_.chip == nullptr) return ends_with("global.profile does not declare an arch");
    figures_.tiu_mhz = figures_.chip->clock_mhz;
    if (!is_030_) figures_.tiu_mhz = tiu_mhz.value_or(written_mhz.value_or(figures_.tiu_mhz));
    return figures_;
  }

 private:
  Result<void> take_arch(const std::string& arch) {
    figures_.chip = find_chip(arch);
    if (is_030_ && !parse_number(arch)) figures_.chip = nullptr;
    if (figures_.chip != nullptr) return {};
    return ends_with(fmt::format("unsupported profile architecture: {}", arch));
  }

  Result<void> take_count(const GlobalFile::Line& line) {
    const auto number = parse_number(line.value);
    if (!number) return ends_with(fmt::format("invalid literal for int() with base 10: '{}'", line.value));
    if (line.key == "max_record_num") {
      most_records_ = *number;
    } else if (most_records_ != 0 && *number >= most_records_) {
      return ends_with(
          fmt::format("{} exceed max_record_num, set max_record_num larger than {}.", line.key, most_records_));
    } else if (is_030_ ? *number < 2 : *number == 1) {
      return ends_with(
          fmt::format("{} profile raw data is invalid, please check if the profile is correct.", line.key));
    }
    return {};
  }

  const GlobalFile& file_;
  const bool is_030_;
  GlobalFigures figures_;
  std::int64_t most_records_ = 0;
};

}  // namespace

Result<GlobalFigures> read_global(const GlobalFile& file, Reader reader, std::optional<double> tiu_mhz) {
  return GlobalReader(file, reader).read(tiu_mhz);
}

}  // namespace vizd::bigtpu
