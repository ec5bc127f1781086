#include "formats/bigtpu/chip.h"

#include <utility>

#include "base/ascii_case.h"

namespace vizd::bigtpu {

const Chip* find_chip(std::string_view arch) {
  if (arch == "5" || arch == "8800" || equal_in_any_case(arch, kAks.name)) return &kAks;
  if (arch == "6" || arch == "140814" || equal_in_any_case(arch, kAksv.name)) return &kAksv;
  return nullptr;
}

std::string_view other_chip_name(std::string_view arch) {
  constexpr std::pair<std::string_view, std::string_view> kOthers[] = {
      {"1", "BM1684"},      {"3", "BM1684X"},     {"4", "BM1688"},        {"7", "CV84X6"},
      {"BM1688", "BM1688"}, {"CV84X6", "CV84X6"}, {"BM1684X2", "CV84X6"},
  };
  for (const auto& [number, name] : kOthers) {
    if (equal_in_any_case(arch, number)) return name;
  }
  return "";
}

RecordEngine record_engine(const Chip& chip, unsigned number) {
  if (number == 0) return RecordEngine::kTiu;
  if (number == 1) return RecordEngine::kGdma;
  if (number == 2 && chip.has_hau) return RecordEngine::kOther;
  switch (number - (chip.has_hau ? 1U : 0U)) {
    case 2:
      return RecordEngine::kSdma;
    case 3:
      return RecordEngine::kCdma;
    case 4:
      return RecordEngine::kSdma;  // VSDMA
    default:
      return RecordEngine::kInvalid;
  }
}

}  // namespace vizd::bigtpu
