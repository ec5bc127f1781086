// Reads the file of one host into a capture: its planes become tracks, and what they tell beyond that an
// XlaHost. One thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "formats/open_set.h"
#include "model/capture.h"
#include "model/xla_profile.h"

namespace vizd::xplane {

// "tpu-host-0" of "DIR/tpu-host-0.xplane.pb.gz".
std::string host_name(const std::string& path);

// Adds the file's host. A file that was cut gives its whole planes, and a warning. Errors: no plane of it is whole.
// first_unix_ns: Unix time at the capture's zero; the first file with such a time sets it, and the others are laid
// beside it by theirs.
Result<void> read_host(const FormatInput& input, Capture& capture, XlaProfile& profile,
                       std::optional<std::int64_t>& first_unix_ns);

}  // namespace vizd::xplane
