// StackFrames: the table of a module (StackFrameIndexProto) that says at which source lines its instructions were made.
// Refers to the module's bytes. Any thread may read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "formats/hlo/message.h"
#include "model/hlo_module.h"

namespace vizd::hlo {

class StackFrames {
 public:
  StackFrames() = default;
  // Throws DamagedMessage where the bytes are no such table.
  explicit StackFrames(std::string_view bytes) {
    constexpr std::uint64_t kFiles = 1, kLocations = 3, kFrames = 4;
    std::vector<std::string_view> locations, frames;
    for (Message message(bytes); message.next();) {
      message.take(kFiles, files_);
      message.take(kLocations, locations);
      message.take(kFrames, frames);
    }
    constexpr std::uint64_t kFile = 1, kLine = 3, kLocation = 1;
    for (const std::string_view location : locations) {
      Location& read = locations_.emplace_back();
      for (Message message(location); message.next();) {
        message.take(kFile, read.file);
        message.take(kLine, read.line);
      }
    }
    for (const std::string_view frame : frames) {
      std::int64_t& location = location_of_frame_.emplace_back();
      for (Message message(frame); message.next();) {
        message.take(kLocation, location);
      }
    }
  }

  std::size_t size() const { return location_of_frame_.size(); }

  // Gives the instruction the line of that frame, the innermost of its stack. Numbers begin with 1; one that the table
  // does not have leaves the source unknown, but for a file's, which is "" then.
  void find_source(std::int64_t frame, Instruction& instruction) const {
    const std::int64_t* location = at(location_of_frame_, frame);
    const Location* place = location != nullptr ? at(locations_, *location) : nullptr;
    if (place == nullptr) return;
    const std::string_view* file = at(files_, place->file);
    instruction.has_source = true;
    instruction.source_file = file != nullptr ? *file : std::string_view();
    instruction.source_line = place->line;
  }

 private:
  struct Location {
    std::int64_t file = 0, line = 0;
  };

  template <typename T>
  static const T* at(const std::vector<T>& table, std::int64_t number) {
    const bool is_there = number > 0 && static_cast<std::uint64_t>(number) <= table.size();
    return is_there ? &table[static_cast<std::size_t>(number - 1)] : nullptr;
  }

  std::vector<std::string_view> files_;
  std::vector<Location> locations_;
  std::vector<std::int64_t> location_of_frame_;
};

}  // namespace vizd::hlo
