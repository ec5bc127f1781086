// Writes what the allocators of tracks told of themselves (model/allocator_log.h).
#pragma once

#include <vector>

#include "formats/native/chunk_writer.h"
#include "model/track.h"

namespace vizd::native {

void encode_allocators(const std::vector<Track>& tracks, ChunkWriter& chunks);

}  // namespace vizd::native
