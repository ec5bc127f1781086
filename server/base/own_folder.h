// OwnFolder: a folder that this process makes for its own files, and removes with them. A marker in it bears its name
// and is locked for as long as the process lives. A folder is therefore known as one that a vizd left behind by a
// marker of its name that nobody has locked, and only such folders are ever removed: not by a number of a process,
// which another container counts otherwise. Where locks of other machines may not be seen (a network's file system),
// none is. One thread makes and removes it.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace vizd {

class OwnFolder {
 public:
  // Makes PARENT/PREFIX and 32 random digits, for this user alone, and the parent where that lacks. Removes those of
  // that prefix that were left behind there. Errors: it cannot be made.
  static Result<std::unique_ptr<OwnFolder>> make(const std::string& parent, std::string_view prefix);
  // The contents of those of that prefix whose process lives, as the lock of the marker tells: where locks of other
  // machines may not be seen, none.
  static std::vector<std::string> in_use(const std::string& parent, std::string_view prefix);
  OwnFolder(const OwnFolder&) = delete;
  OwnFolder& operator=(const OwnFolder&) = delete;
  ~OwnFolder();

  // Where its files go: a folder in it, empty at first.
  std::string contents() const;
  // Does what the destructor would, for a program that ends without it.
  void remove();

 private:
  OwnFolder(std::string path, int marker) : path_(std::move(path)), marker_(marker) {}

  const std::string path_;
  int marker_;  // its descriptor, which holds the lock
};

}  // namespace vizd
