// GlobalFile: global.profile, the text of `key=value` lines in which a profile says of which chip it is, at which
// frequency that ran and how many records each engine left. Plain data; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formats/bigtpu/chip.h"

namespace vizd::bigtpu {

struct GlobalFile {
  struct Line {
    std::string key, value;  // without the spaces around them; a line without '=' has its text as key and no value
    bool has_value = false;
  };

  std::vector<Line> lines;  // all but empty ones
  bool is_bmodel = false;   // of a compiled model's run, whose commands are in the files
  bool has_empty_lines = false;
  bool is_cut = false;  // its last line does not end
  bool is_text = true;  // it has no zeros

  // The last line's of that key; none where there is none.
  std::optional<std::string_view> value(std::string_view key) const;
  std::optional<std::int64_t> number(std::string_view key) const;
  // The first key that two lines have; "" where there is none.
  std::string repeated_key() const;
};

GlobalFile read_global_file(std::span<const std::byte> file);

// Whether bytes begin like such a file.
bool looks_like_global_file(std::span<const std::byte> beginning);

// The whole text as a number, with a sign at most; none where it is none.
std::optional<std::int64_t> parse_number(std::string_view text);

}  // namespace vizd::bigtpu
