// The page's side of the answers about devices: the types of their rows and what people are told of each field, as
// TypeScript. scripts/page-types writes web/src/lib/device-fields.ts with it. Pure.
#pragma once

#include <string>

namespace vizd {

std::string page_types();

}  // namespace vizd
