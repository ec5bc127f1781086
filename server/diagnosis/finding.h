// Finding: something that cost time, as a specialist would tell it: how much of what, where to see it, how sure that
// is, and what to do. Made by the rules (rules.h). Plain data.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/answers/field.h"
#include "base/nothing.h"

namespace vizd {

// Where a finding is seen.
struct Evidence {
  std::string id;     // page_place.h
  std::string shows;  // what is there, in a few words; may hold names of the capture
};

// What its cost is: the time itself; what is likely due to it; or the most that could be won.
enum class Sureness : std::uint8_t { kMeasured, kLikely, kAtMost };
inline constexpr std::string_view kSurenessWords[] = {"measured", "likely", "at most"};

struct Finding {
  std::string_view rule;                         // DiagnosisRule::id
  std::string title;                             // what it is, in one line
  std::string detail;                            // its figures
  std::optional<std::int64_t> cost_ns = {};      // none: it costs memory, and no time that is known
  double share = 0;                              // of what `of` says
  std::string_view of = {};                      // "the devices' time"
  std::optional<std::int64_t> per_step_ns = {};  // none: there are no steps
  Sureness sure = Sureness::kMeasured;
  std::string next;  // what to try, or to record
  std::vector<Evidence> evidence = {};
  bool is_of_capture = false;  // what all figures lack: it stands before the others
  bool is_no_loss = false;     // where the time went, and none of it in vain: it stands behind losses
};

// What a rule came to where it found nothing.
struct Silence {
  std::string_view rule, looks_at;
  Absence absence;
};

struct Diagnosis {
  std::vector<Finding> findings;  // those that cost the most first; their costs may overlap
  std::size_t left_out = 0;       // findings beyond those
  std::vector<Silence> silent;    // every rule without a finding
  std::int64_t whole_ns = 0;      // the devices' time, from first work to last, added up
  std::size_t devices = 0, steps = 0;
};

struct FindingLine {
  const Finding& row;
};
Fields<FindingLine> finding_fields();

}  // namespace vizd
