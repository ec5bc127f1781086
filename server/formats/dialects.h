// The dialects that vizd knows by the name of a capture's format, for captures that name it and leave the rest to vizd.
#pragma once

#include <memory>
#include <string_view>

#include "model/capture.h"

namespace vizd {

bool is_known_dialect(std::string_view format);

// Made after the capture's rewrites were read; keeps a reference to it. is_known_dialect(capture.format) must hold.
std::unique_ptr<Dialect> make_known_dialect(Capture& capture);

}  // namespace vizd
