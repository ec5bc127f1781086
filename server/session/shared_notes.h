// SharedNotes: what the people and the programs at one vizd tell each other (--shared): marks, which are places with a
// note, and where on the page somebody is. As long as the vizd lives; any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"

namespace vizd {

struct SharedMark {
  std::uint64_t number = 0;  // counts up from 1
  std::string capture;       // its name
  std::string place;         // the fragment of the page's URL, without '#'
  std::string id;            // what was marked, by its id; "": the place alone
  std::string note;
  bool is_of_page = false;  // somebody made it there; else a command did
};

struct Whereabouts {
  std::string place;                      // as a mark's
  std::string capture;                    // its name
  std::string view;                       // as people call it
  std::string selection;                  // what is chosen there, in words; "": nothing
  std::vector<std::string> command = {};  // the words of the command line that tells the same; none: there is none
  std::chrono::steady_clock::time_point at = {};
};

class SharedNotes {
 public:
  static constexpr std::size_t kMostMarks = 1000;
  static constexpr std::size_t kMostTextBytes = 4000;  // of each text

  // Its number is given here. Errors: a text is too long, the place is none, there are too many.
  Result<SharedMark> add(SharedMark mark);
  // Whether there was one.
  bool remove(std::uint64_t number);
  std::vector<SharedMark> marks() const;
  // Counts changes of the marks.
  std::uint64_t revision() const { return revision_; }

  // The last word counts, whichever page it came from. Errors as of add().
  Result<void> tell(Whereabouts now);
  std::optional<Whereabouts> where() const;

 private:
  mutable std::mutex mutex_;
  std::vector<SharedMark> marks_;
  std::optional<Whereabouts> where_;
  std::uint64_t last_number_ = 0;
  std::atomic<std::uint64_t> revision_ = 0;
};

}  // namespace vizd
