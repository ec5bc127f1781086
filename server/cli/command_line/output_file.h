// OutputFile: a file that a command was told to write. It is written without a name, so that nothing is left where the
// command is killed; where the file system has no such files, beside its place under another name, which goes with the
// command unless SIGKILL ends that. It is put in its place once it is whole and on the disk, so that whoever watches
// the place sees the old file or the new one, and a command that fails leaves what was there. Its place is never
// anything but a regular file: no device, pipe or link, and nothing that the command reads: no file that any of its
// arguments names, nor one of its captures. Where its name ends in .gz or .zst, it is packed on its way. One thread.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/removed_on_signal.h"
#include "base/result.h"
#include "cli/command_line/command_line.h"
#include "http/transport/encoding.h"

namespace vizd {

// How a file of that name is packed.
Encoding packing_of_name(std::string_view path);

class OutputFile {
 public:
  struct Place {
    std::string path;
    bool overwrites = false;  // a file that is there
    // All values of the command line, this path among them: no file that another of them names is overwritten.
    std::vector<std::string> named = {};
  };
  // The options of a command that writes a file: that one, and -f.
  static Argument describe(CommandLine& line, Place& place, const std::string& spelled, const std::string& help);
  // inputs: what is read besides, files or folders with all that is in them. Errors: there is a file and it is not to
  // be overwritten, it is none that may be replaced, or is what is read; the
  // folder does not let a file be written.
  static Result<std::unique_ptr<OutputFile>> create(const Place& place, std::span<const std::string> inputs);
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;
  // Unless finish() did, leaves things as they were.
  ~OutputFile();

  // finish() tells of an error.
  void write(std::string_view bytes);
  // Puts the file in its place, with the mode of the one that was there. The number of bytes, or why not.
  Result<std::uint64_t> finish();

 private:
  OutputFile(Place place, std::string draft, int fd, bool has_name);
  Error failure(int cause) const;
  // Packs what is in the buffer, or all to its end, and hands it to the disk.
  bool flush(bool is_last);
  int move();

  const Place place_;
  const std::string draft_;
  const int fd_;
  const std::unique_ptr<StreamCompressor> packer_;  // or null
  std::string buffer_;
  std::uint64_t size_bytes_ = 0;
  int failed_ = 0;  // errno of the first write that failed
  bool has_name_;   // its draft is a file of the folder
  std::optional<RemovedOnSignal> draft_on_signal_;
};

}  // namespace vizd
