// SettledFiles: the files below a folder that are whole: nobody writes them, and they have been as they are for a
// while. Each is given out once for each time that it is written. One thread.
#pragma once

#include <chrono>
#include <map>
#include <string>
#include <vector>

#include "base/file_signature.h"

namespace vizd {

class SettledFiles {
 public:
  using Clock = std::chrono::steady_clock;

  SettledFiles(std::string folder, std::chrono::milliseconds settle) : folder_(std::move(folder)), settle_(settle) {}

  // Returns the files that are complete now and have not been given out. Hidden ones are left out.
  std::vector<std::string> take();
  // Gives the file out again, after so long: what was to be done with it could not be.
  void again(const std::string& path, std::chrono::milliseconds after);
  // How long it has been as it is.
  Clock::duration age(const std::string& path) const;

 private:
  struct Seen {
    FileSignature signature;
    Clock::time_point since, due;
    bool is_taken = false;
    bool is_there = false;  // in the look at hand
  };

  void look();

  const std::string folder_;
  const std::chrono::milliseconds settle_;
  std::map<std::string, Seen> files_;  // by path
};

}  // namespace vizd
