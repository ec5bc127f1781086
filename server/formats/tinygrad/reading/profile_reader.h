// Reads profile.pkl, tinygrad's record of what its devices did (PROFILE=1), into a capture's profile: lanes of events
// in order of first appearance, allocations, markers, and what events lead to. The rules are those of tinygrad's
// viz/serve.py (get_profile and what it calls). Read the capture's rewrites first, so that events find their contexts.
#pragma once

#include <functional>
#include <string>

#include "formats/pickle/tree.h"
#include "formats/tinygrad/reading/enums.h"
#include "model/capture.h"

namespace vizd::tinygrad {

// One run of a compiled kernel: the last launch ("exec" point) of its program before the event, and how long it took.
struct KernelRun {
  const Program& program;
  ValueId var_vals;  // dict of name to integer: the variables of the launch
  ValueId metadata;  // tuple of Metadata, or none
  double dur_us;
};

// What the event of a run says besides its name (serve.py's timeline_layout: "12.34 GFLOPS …"), or "".
using DescribeRun = std::function<std::string(const Capture& capture, const KernelRun& run)>;

// The version that wrote the tree, by its events; nothing where it is no profile.pkl. An empty list is one of no
// events.
std::optional<Version> profile_version(const pickle::Tree& tree);

// Adds what the tree, of Version::k2025_09, holds to the capture. Records that cannot be read are left out and counted
// in capture.skipped. describe may be empty. One thread.
void read_profile(const pickle::Tree& tree, const DescribeRun& describe, Capture& capture);

}  // namespace vizd::tinygrad
