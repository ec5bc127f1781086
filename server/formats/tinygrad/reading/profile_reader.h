// Reads profile.pkl, tinygrad's record of what its devices did (PROFILE=1), into a capture's profile: tracks of events
// in order of first appearance, allocations, markers, and what events lead to. The rules are those of tinygrad's
// viz/serve.py (get_profile and what it calls). Read the capture's rewrites first, so that events find their contexts.
#pragma once

#include <span>
#include <string_view>

#include "formats/pickle/tree.h"
#include "formats/tinygrad/version.h"
#include "model/capture.h"

namespace vizd::tinygrad {

// Whether the tree is a profile.pkl: a list of tinygrad's events, or an empty one.
bool is_profile(const pickle::Tree& tree);
// Whether an event that is a range or tells a device's clock has one of these fields.
bool profile_has_field(const pickle::Tree& tree, std::span<const std::string_view> fields);

// Adds what the tree holds to the capture. Records that cannot be read are left out and counted in capture.skipped.
// measure may be empty. One thread.
void read_profile(const pickle::Tree& tree, const Version& version, const MeasureExecution& measure, Capture& capture);

}  // namespace vizd::tinygrad
