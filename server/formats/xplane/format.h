// What the profilers of JAX, TensorFlow and PyTorch/XLA write, HOST.xplane.pb: one protobuf message with a
// plane for each device and host. docs/formats/xplane.md says what becomes of it. Several files of one folder are the
// hosts of one run.
#pragma once

#include <span>
#include <vector>

#include "formats/registry.h"

namespace vizd::xplane {

bool sniff(const FileBeginning& beginning);

// The files of each folder are one set.
std::vector<InputSet> claim(std::span<const ListedFile> listing);

Result<void> read(OpenSet& set, Capture& capture);

extern const Format kFormat;

}  // namespace vizd::xplane
