// Writer: how a format is written. `vizd convert` writes captures whole, `vizd export` parts of a profile for other
// programs; both offer what the registry's formats can write, with the options that they take.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/workbook.h"
#include "formats/own_table.h"
#include "formats/profile_part.h"
#include "model/capture.h"

namespace vizd {

// Takes the next part of what is written: it may be larger than memory as a whole.
using WriteText = std::function<void(std::string_view text)>;

struct WriteOptions {
  ProfilePart part = {};  // where the writer takes one
  // The source line at a location, to be brought along where the writer does; may be empty.
  std::function<std::optional<std::string>(const Location&)> source_line = {};
  int level = 9;  // of compression, from 1 to 19, where the writer has one
  // What people who know such captures expect of a workbook, where the writer takes it: tables, which may take long to
  // make, and sheets in place of those of the tracks; these return false where there are none.
  std::span<const OwnTable> own_tables = {};
  std::function<bool(Workbook& book)> add_sheets = {};
};

struct Writer {
  std::string_view about;      // "a Chrome trace", as help texts have it
  bool needs_profile = false;  // writes nothing of a capture without
  bool takes_part = false;     // and then a profile only; else all of a capture
  bool takes_level = false;
  bool takes_sources = false;
  bool takes_own_tables = false;
  // Writes the capture's parts in order. Any thread; the capture is only read.
  void (*write)(const Capture& capture, const WriteOptions& options, const WriteText& write) = nullptr;
};

}  // namespace vizd
