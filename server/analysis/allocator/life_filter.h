// LifeFilter: the allocations that words pick: "size>1e9 frame:softmax". One thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "model/allocator_log.h"
#include "model/capture.h"

namespace vizd {

class LifeFilter {
 public:
  // Words with blanks between, all of which must hold: size>BYTES and size<BYTES (1e9, 20MB, 2MiB: of the block),
  // frame:, operator:, phase:, metadata: and compile: with a part of a text, address:0x…; any other word is a part of
  // one of these texts, or an address in hexadecimal. Capitals count as small letters. Errors: no number, no such key.
  static Result<LifeFilter> parse(const Capture& capture, const Track& track, std::string_view words);

  // The place of an allocation of the track.
  bool holds(std::uint32_t life);

 private:
  struct Term {
    enum class What : std::uint8_t {
      kMore,
      kLess,
      kAddress,
      kFrame,
      kOperator,
      kPhase,
      kMetadata,
      kCompile,
      kAny
    } what;
    std::uint64_t number = 0;
    std::string text;  // small letters
    std::unordered_map<std::uint32_t, bool> by_site;
  };
  LifeFilter(const Capture& capture, const Track& track) : capture_(&capture), track_(&track) {}
  bool holds(Term& term, std::uint32_t life) const;
  bool holds_in_site(const Term& term, const AllocationSite& site) const;

  const Capture* capture_;
  const Track* track_;
  std::vector<Term> terms_;
};

}  // namespace vizd
