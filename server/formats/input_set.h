// Input sets: which files together are one capture. That is a format's to say: it claims sets from a listing of files
// (claims.h), words what each file is to it, and reads a set as a whole. Everyone else hands sets on. Plain data.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"

namespace vizd {

struct Capture;
struct Format;
class OpenSet;

// Adds what the files hold to the capture. Errors: as FILE:OFFSET, of the file that is blamed (open_set.h).
using ReadFiles = Result<void> (*)(OpenSet& set, Capture& capture);

// A file that the user named, or that lies in a folder.
struct ListedFile {
  std::string path;
  // Whose beginning the file has (sniffer.h); else the one for which an option names it; null: nobody knows it.
  const Format* format = nullptr;
  std::string role = "";  // where an option of that format's names it
  bool operator==(const ListedFile&) const = default;
};

struct InputFile {
  std::string role;  // as the format words it, "rewrites" say; "capture" where there is nothing to tell apart
  std::string path;
};

// An option that says how sets of a format are read: the option's name without its dashes, and its value.
struct Setting {
  const Format* format = nullptr;
  std::string name, value;
  ReadFiles read = nullptr;  // in place of the format's own, where the option asks for more than that knows
};

struct InputSet {
  const Format* format = nullptr;  // null: of none that vizd reads, as its reading will say
  std::string name;                // for people
  std::vector<InputFile> files;    // some may not be there yet
  std::vector<Setting> settings = {};
};

}  // namespace vizd
