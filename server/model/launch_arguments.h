// The arguments of events that say of which launch they are (Profile::numbers_launches).
#pragma once

#include <string_view>

namespace vizd::argument {

inline constexpr std::string_view kRun = "run";          // the launch's number
inline constexpr std::string_view kDetails = "details";  // the rest of what the compiler's viewer tells, as JSON

}  // namespace vizd::argument
