// GlobalFigures: the figures of global.profile, as an original takes them. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>

#include "base/result.h"
#include "formats/bigtpu/dynamic_data.h"
#include "formats/bigtpu/profile_folder.h"

namespace vizd::bigtpu {

struct GlobalFigures {
  const Chip* chip = nullptr;
  bool is_bmodel = false;
  std::size_t core_count = 0;
  double tiu_mhz = 0;
};

// The error with which an original ends: in its words.
inline Error ends_with(std::string message) { return {ErrorKind::kBadInput, std::move(message), ""}; }

// tiu_mhz: told on the command line; wins over the file's. Errors: as ends_with.
Result<GlobalFigures> read_global(const GlobalFile& file, Reader reader, std::optional<double> tiu_mhz);

}  // namespace vizd::bigtpu
