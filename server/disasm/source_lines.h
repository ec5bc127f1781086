// SourceLines: the lines of source that captures refer to, read from this machine's files. A capture may name any path,
// so only regular files whose name and real name both have a source suffix are ever opened, only under one folder
// where that was asked for, and none where sources were turned off. Any thread.
#pragma once

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "model/capture.h"

namespace vizd {

struct SourceOptions {
  bool enabled = true;
  std::string root;  // a folder, resolved; empty: any
};

class SourceLines {
 public:
  static constexpr std::size_t kMostFileBytes = std::size_t{8} << 20;
  static constexpr std::size_t kMostKeptBytes = std::size_t{64} << 20;

  explicit SourceLines(SourceOptions options) : options_(std::move(options)) {}

  // The line (from 1) without the blanks around it (tinygrad ops.py printable); none where it may not or cannot be
  // read. A relative path is looked for in the root alone.
  std::optional<std::string> line(std::string_view path, std::uint32_t number);
  // The same for a location of a capture: the line that the capture itself brings goes before any file's.
  std::optional<std::string> line(const Capture& capture, const Location& location);

  // Files are read again: called when a capture was, since the sources may have changed with it.
  void forget();

 private:
  struct File {
    std::string text;
    std::vector<std::uint32_t> line_begin;  // of each line, and the end of the last
  };
  using Recent = std::list<std::pair<std::string, std::shared_ptr<const File>>>;

  std::optional<std::string> allowed_path(std::string_view path) const;
  std::shared_ptr<const File> file(std::string_view path);

  const SourceOptions options_;
  std::mutex mutex_;
  Recent recent_;  // the last used first; a null file is one that may not or cannot be read
  std::unordered_map<std::string, Recent::iterator> by_path_;
  std::size_t kept_bytes_ = 0;
};

}  // namespace vizd
