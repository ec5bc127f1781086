// The formats that captures can be written in, as `vizd convert` and `vizd export` offer them with --to.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "formats/registry.h"

namespace vizd {

// The registry's formats that can be written; of_part: those that write a part of a profile only.
std::vector<const Format*> writable_formats(bool of_part = false);

// "NAME: what it is, …", for help texts.
std::string describe_formats(const std::vector<const Format*>& formats);

std::vector<std::string> names_of(const std::vector<const Format*>& formats);

// The format of that name where it can be written, or null.
const Format* find_writable(std::string_view name);

// Its writer, or null.
const Writer* find_writer(std::string_view name);

}  // namespace vizd
