// ChunkWriter: packs chunks and hands them on, a table's records so many at a time. One thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>

#include "base/ids.h"
#include "vizd/capture_format.h"

namespace vizd::native {

class ChunkWriter {
 public:
  // write is called with each part of the file, in order, and must outlive this.
  ChunkWriter(const std::function<void(std::string_view)>& write, int level) : write_(write), packer_(level) {}

  void write(std::string_view bytes) { write_(bytes); }
  void write(const capture::ChunkBuilder& chunk) {
    write_(chunk.finish(packer_));
    ++chunks_;
  }
  // Nothing follows.
  void end() { write(capture::end_chunk(chunks_)); }

  // A chunk for each so many of count records; fill(chunk, first, count) adds the columns of a part of them.
  template <typename Fill>
  void in_parts(capture::ChunkType type, std::size_t count, std::size_t first_number, Fill&& fill) {
    for (std::size_t begin = 0; begin < count; begin += capture::kWrittenRecords) {
      const std::size_t part = std::min(capture::kWrittenRecords, count - begin);
      capture::ChunkBuilder chunk(type, part, first_number + begin);
      fill(chunk, begin, part);
      write(chunk);
    }
  }

 private:
  const std::function<void(std::string_view)>& write_;
  capture::Packer packer_;
  std::uint64_t chunks_ = 0;
};

// An id as an optional reference: 0 for none.
template <typename Id>
std::uint64_t optional_number(Id id) {
  return index(id) == kNoId ? 0 : index(id) + 1;
}

}  // namespace vizd::native
