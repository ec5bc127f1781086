// TracedCode: the code of the program that a thread trace is of, by which its packets become instructions. Pure; any
// thread.
#pragma once

#include <optional>

#include "disasm/amd/code_listing.h"
#include "hardware/records.h"

namespace vizd::hardware {

// As the program's device says it; nothing where it is none of AMD's.
std::optional<amd::Family> family_of(const Records& records, std::string_view device);

struct TracedCode {
  const Program* program = nullptr;  // null where the capture has none of that number
  amd::Family family = amd::Family::kRdna3;
  std::optional<amd::CodeListing> listing;  // nothing where its binary holds no code of AMD's

  // By which waves are followed. Null where they cannot be: CDNA's traces do not tell which instruction a packet is of.
  const amd::CodeListing* followed() const { return listing && family != amd::Family::kCdna ? &*listing : nullptr; }
};

TracedCode traced_code(const Records& records, const ThreadTrace& trace);

}  // namespace vizd::hardware
