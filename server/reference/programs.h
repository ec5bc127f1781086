// The programs that people knew captures of some formats by before vizd, and whose answers vizd gives too, with vizd's
// own in their shape. A new one is a folder here, which defines its kProgram, and its name in programs.cpp. A program
// that answers for no format, such as tinygrad's server, is a folder without a kProgram, whose headers commands and
// routes include. Any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/workbook.h"
#include "formats/own_table.h"
#include "formats/registry.h"

namespace vizd {

struct SummaryOptions {
  std::string reference = "";  // whose figures are asked for: one of ReferenceProgram::versions; "": vizd's own
  // A program of the user's that says how far two values are apart, as a further measure; "": none. Only command lines
  // name one.
  std::string comparator = "";
  bool lists_runs = false;  // the runs that the files hold, as they are, in place of figures
};

// What is asked of the values that a program logged: all of them at a glance, or a slice of one.
struct ValueQuestion {
  std::optional<std::size_t> value;  // by its place in the list
  std::uint64_t slice = 0;           // which of its matrices of the last two dimensions
  std::size_t iteration = 0;         // of the program's runs whose values are meant, from 0
  // What the values are compared with: those of another run, of a capture of the same format; null: of no other.
  const InputSet* reference = nullptr;
  std::size_t reference_iteration = 0;  // likewise of that one
  std::string comparator = "";          // as in SummaryOptions
};

// The sets that it is asked about are those that the captures were read from. Errors: there is no answer. What it does
// not answer is null.
struct ReferenceProgram {
  // Format::name of the captures that it knows, whose files it reads again; else "", and knows says which.
  std::string_view format = "";
  bool (*knows)(const Capture& capture) = nullptr;
  // Its versions whose figures summarize can give instead of vizd's own.
  std::span<const std::string_view> versions = {};
  // Reads a set in place of its format, where options name what it is compared with; null: the format's own reading.
  ReadFiles read = nullptr;
  // Writes the figures that the format's users expect of `vizd summary --json`, one object a line, in place of those
  // that every capture has.
  Result<void> (*summarize)(OpenSet& set, const Capture& capture, const SummaryOptions& options,
                            const WriteText& write) = nullptr;
  // The same as tables for people, some for each rank or device.
  Result<std::vector<std::vector<OwnTable>>> (*summary_tables)(OpenSet& set, const Capture& capture,
                                                               const SummaryOptions& options) = nullptr;
  // Writes the table that the format's users expect, with a tab or a comma between its cells.
  Result<void> (*tabulate)(OpenSet& set, const Capture& capture, char separator, const WriteText& write) = nullptr;
  // The tables that the format's users expect, figures and all.
  Result<std::vector<OwnTable>> (*own_tables)(OpenSet& set, const Capture& capture) = nullptr;
  // Writes what is asked of the values as JSON (http/API.md, /api/v1/values). Errors: also no such value.
  Result<void> (*answer_values)(OpenSet& set, const ValueQuestion& question, const WriteText& write) = nullptr;
  // Writes a program in the format's own language that makes the values which --reference-tensors reads. Errors: there
  // is nothing to run.
  Result<void> (*write_script)(OpenSet& set, const WriteText& write) = nullptr;
  // Adds its sheets to a workbook, in place of a sheet for each track; false: the capture has nothing for them.
  bool (*add_sheets)(const Capture& capture, Workbook& book) = nullptr;
};

// The one for captures of that format; one that answers nothing where there is none, or where format is null.
const ReferenceProgram& reference_program(const Format* format);

// The same for a capture that was read from the set; else the one that knows it by itself.
const ReferenceProgram& reference_program(const InputSet& set, const Capture& capture);

// The versions of programs whose figures may be asked for.
std::vector<std::string> reference_versions();

// Adds the sheets that people know of such captures; false: there are none.
bool add_known_sheets(const Capture& capture, Workbook& book);

}  // namespace vizd
