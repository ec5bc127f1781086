// What a compiler's viewer is told besides events and their times: the arguments that say of which launch an event is
// (Profile::numbers_launches), and facts.
#pragma once

#include <string_view>

namespace vizd::argument {

inline constexpr std::string_view kRun = "run";          // the launch's number
inline constexpr std::string_view kDetails = "details";  // the rest of what the compiler's viewer tells, as JSON

}  // namespace vizd::argument

namespace vizd::fact {

// The subject of facts that a program left for its viewer, as JSON: more keys of the index of /get_profile.
inline constexpr std::string_view kForViewer = "for the viewer";

}  // namespace vizd::fact
