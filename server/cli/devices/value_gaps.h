// How far the values that one run logged are from another's, for `vizd compare --values`. One thread.
#pragma once

#include <cstddef>
#include <string>

namespace vizd {

struct ValueGapArguments {
  std::string reference, run;  // files or folders
  std::string format;          // of both, where it is told
  std::size_t iteration = 0;
  std::string comparator;  // a program that says how far two values are apart; "": none
  std::size_t limit = 0;   // rows of a block; 0: all
  bool json = false;
};

// Prints a row for each value that both logged, block by block, with the first place where the error grows. Returns the
// exit code; what is wrong is said on stderr.
int print_value_gaps(const ValueGapArguments& arguments);

}  // namespace vizd
