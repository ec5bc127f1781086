// Workbook: a spreadsheet (.xlsx) of several sheets, filled row by row, so that large ones need little memory: a
// sheet's rows are put in their order. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

struct lxw_workbook;
struct lxw_worksheet;
struct lxw_format;

namespace vizd {

class Workbook {
 public:
  static constexpr std::uint32_t kMostRows = 1'048'576;  // of a sheet

  // How a cell looks: a heading, a value that is bad, one that is not good.
  enum class Look : std::uint8_t { kPlain, kHeading, kBad, kPoor };

  class Sheet {
   public:
    explicit Sheet(Workbook& book, lxw_worksheet* sheet) : book_(book), sheet_(sheet) {}

    // Cells beyond the last row are left out.
    void put(std::uint32_t row, std::uint16_t column, double number, Look look = Look::kPlain);
    void put(std::uint32_t row, std::uint16_t column, std::int64_t number, Look look = Look::kPlain);
    void put(std::uint32_t row, std::uint16_t column, std::string_view text, Look look = Look::kPlain);
    void put(std::uint32_t row, std::uint16_t column, const char* text, Look look = Look::kPlain) {
      put(row, column, std::string_view(text), look);
    }
    // Keeps the rows above that one, and the columns left of that one, in view.
    void freeze(std::uint32_t row, std::uint16_t column);
    void set_width(std::uint16_t first_column, std::uint16_t last_column, double characters);

   private:
    Workbook& book_;
    lxw_worksheet* const sheet_;
  };

  Workbook();
  Workbook(const Workbook&) = delete;
  Workbook& operator=(const Workbook&) = delete;
  ~Workbook();

  // Its name loses what a sheet's may not have, and gets a number where it is taken.
  Sheet add_sheet(std::string_view name);

  // Writes the file part by part; nothing can be put any more then. Errors: there is no space for it.
  Result<void> finish(const std::function<void(std::string_view part)>& write);

 private:
  lxw_format* format(Look look);

  int fd_ = -1;
  lxw_workbook* book_ = nullptr;
  std::map<Look, lxw_format*> formats_;
  std::map<std::string, int> names_;
};

}  // namespace vizd
