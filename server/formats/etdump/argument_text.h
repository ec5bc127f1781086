// Words an argument of a node that is no tensor, for people: "[1, 1]", "True", "None". Pure functions.
#pragma once

#include <string>

#include "formats/etdump/json_document.h"

namespace vizd::etdump {

std::string argument_text(simdjson::dom::element argument);

}  // namespace vizd::etdump
