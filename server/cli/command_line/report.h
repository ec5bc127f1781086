// Report: one page for people: a title, what it comes to, bars, tables; as Markdown for a pull request, or as HTML of
// one file that needs nothing else. Texts may be anything: both are escaped. One thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace vizd {

struct Report {
  enum class Tone : std::uint8_t { kPlain, kGood, kBad };

  struct Field {
    std::string text;
    Tone tone = Tone::kPlain;
  };
  enum class Kind : std::uint8_t { kFigure, kText, kCode };  // figures stand to the right
  struct Column {
    std::string title;
    Kind kind = Kind::kFigure;
  };
  struct Table {
    std::string heading;
    std::vector<Column> columns;
    std::vector<std::vector<Field>> rows;
    bool is_folded = false;
    std::string note;  // below it; "": none
  };
  // Parts of a whole beside each other; only HTML draws them.
  struct Bar {
    std::string label;
    struct Part {
      std::string title;
      double amount = 0;
      int colour = 0;  // 0 to 6
    };
    std::vector<Part> parts;
    double whole = 0;  // of the longest bar
  };

  std::string title;
  std::vector<Field> lines;  // what it comes to
  std::vector<Bar> bars;
  std::vector<Table> tables;
  std::string footer;

  std::string markdown() const;
  std::string html() const;
};

}  // namespace vizd
