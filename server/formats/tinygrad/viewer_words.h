// What tinygrad's own viewer is told besides events and their times, and what is kept for it.
#pragma once

#include <string_view>

namespace vizd::tinygrad {

// The argument that has the rest of what the viewer tells of an event, as JSON.
inline constexpr std::string_view kDetails = "details";
// The argument that an event has which was launched with others at once, as a graph of them.
inline constexpr std::string_view kBatched = "batched";
// The subject of facts that a program left for the viewer, as JSON: more keys of the index of /get_profile.
inline constexpr std::string_view kForViewer = "for the viewer";

}  // namespace vizd::tinygrad
