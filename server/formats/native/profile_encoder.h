// Writes a capture's profile as chunks, and what stands beside it: stacks, facts of the capture. The strings that they
// name are numbered as the capture's own. One thread.
#pragma once

#include <array>
#include <vector>

#include "formats/native/argument_encoder.h"
#include "formats/native/chunk_writer.h"
#include "model/capture.h"

namespace vizd::native {

void encode_stacks(const Stacks& stacks, ChunkWriter& chunks);
void encode_facts(const std::vector<Fact>& facts, const NameNumbers& names, ChunkWriter& chunks);
// By TrackKind: the number of the string that is its name.
using TrackKindNumbers = std::array<std::size_t, kTrackKinds>;
void encode_profile(const Capture& capture, const TrackKindNumbers& kinds, const NameNumbers& names,
                    ChunkWriter& chunks);

}  // namespace vizd::native
