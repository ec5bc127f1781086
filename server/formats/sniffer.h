// Sniffer: which format files are of, by how they begin; packed files by what is inside. A file is looked at once for
// each time that it is written. One thread.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/file_signature.h"
#include "formats/input_set.h"

namespace vizd {

class Sniffer {
 public:
  // Null where no format knows the file's beginning, or there is none to be read.
  const Format* format_of(const std::string& path);
  // From now on that is the file's format, however it begins.
  void take_as(const std::string& path, const Format* format) { sniffed_[path] = {.format = format, .is_told = true}; }

  // The number of files and folders of each of these folders that were not looked at, because there were too many.
  const std::map<std::string, std::size_t>& left_out() const { return left_out_; }
  // True where that is another number than before.
  bool leave_out(const std::string& folder, std::size_t count) {
    return std::exchange(left_out_[folder], count) != count;
  }

 private:
  struct Sniffed {
    std::optional<FileSignature> signature = {};
    const Format* format = nullptr;
    bool is_told = false;
  };
  std::map<std::string, Sniffed> sniffed_;
  std::map<std::string, std::size_t> left_out_;
};

// The regular files of a folder, sorted by name; of very many the first that the system lists. Hidden ones, links to
// nowhere and folders in it are left out. beyond, where it is not null, grows by the number of the others.
inline constexpr std::size_t kMostFolderFiles = 4096;
std::vector<std::string> files_in(const std::string& folder, std::size_t* beyond = nullptr);

// The files of a folder, of those folders in it that a format knows (Format::knows_folder), and of those in these, as
// the ranks of a step are; and which format each is of. Those that are too many are told of in the log, and by the
// sniffer.
std::vector<ListedFile> list_folder(const std::string& folder, Sniffer& sniffer);

}  // namespace vizd
