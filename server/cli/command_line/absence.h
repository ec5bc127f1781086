// Says why an answer is empty. One thread.
#pragma once

#include <string_view>

#include "base/nothing.h"

namespace vizd {

// In the answer's place for people: "NAME: not recorded: …"; with --json, whose records are all of one kind, as an
// object on stderr: {"of": NAME, "nothing": "not recorded", "why": …, "how": …}.
void print_absence(const Absence& absence, std::string_view name, bool json);

}  // namespace vizd
