// Reads rewrites.pkl, tinygrad's record of what its compiler did (written by uop/ops.py under VIZ=1), into a capture:
// ops, contexts, passes, matches, programs, and what leads to each context. The classes it meets are described in
// docs/formats/tinygrad.md.
#pragma once

#include <optional>
#include <string>

#include "base/result.h"
#include "formats/pickle/tree.h"
#include "formats/tinygrad/version.h"
#include "model/capture.h"

namespace vizd::tinygrad {

// The value at the tree's top; nothing where it is no rewrites.pkl.
std::optional<RewritesTop> rewrites_top(const pickle::Tree& tree);
// Whether the tree is a rewrites.pkl of 0.10.3 or older: (keys, contexts), with ops and patterns as Python's objects.
bool is_before_traces(const pickle::Tree& tree);

// Adds what the tree holds to the capture. Records that cannot be read are left out and counted in capture.skipped.
// Errors, with file as their place: ops that lead back to themselves. One thread.
Result<void> read_rewrites(const pickle::Tree& tree, const Version& version, const std::string& file, Capture& capture);

}  // namespace vizd::tinygrad
