// Capture: everything read from one file or folder, or from a pair that belongs together (rewrites and profile).
// Owns the tables that the ids in it refer to. A format fills it on one thread; then it is shared read-only.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "model/dialect.h"
#include "model/facts.h"
#include "model/op_graph.h"
#include "model/profile.h"
#include "model/rewrites.h"
#include "model/stacks.h"
#include "model/value.h"

namespace vizd {

struct Capture {
  StringTable strings;
  ValueTable values{strings};
  OpGraph ops{values};
  Rewrites rewrites;
  Profile profile;
  Stacks stacks;            // of samples, and of contexts
  std::vector<Fact> facts;  // of its machine and its making
  bool has_rewrites = false;
  bool has_profile = false;
  std::string format;                // "tinygrad-2025-09", …
  std::unique_ptr<Dialect> dialect;  // present where has_rewrites
  // Records that were left out, by reason, and what is wrong with the files otherwise: `vizd check` fails on either.
  std::map<std::string, std::uint64_t> skipped;
  std::vector<std::string> warnings;
  std::vector<std::string> notes;  // what else people need to know of a capture that is whole
};

}  // namespace vizd
