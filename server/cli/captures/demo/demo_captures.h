// Small captures of what vizd reads, to look around in: some the program carries, the others are made here. Nobody
// measured what is made here.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vizd {

struct DemoFile {
  std::string path;  // below the folder of all
  std::string bytes;
};

struct DemoCapture {
  std::string_view format;  // for people
  std::string_view shows;   // what there is to see
  std::vector<DemoFile> files;
};

std::vector<DemoCapture> demo_captures();

}  // namespace vizd
