// Kernels' names on a terminal: folded to what tells them apart, the same as on the page, and tables that fit a window.
#include "cli/command_line/short_names.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <set>

#include "base/text_columns.h"
#include "cli/command_line/records.h"
#include "cli/command_line/terminal.h"
#include "support/catch.h"
#include "support/places.h"

namespace vizd::short_names_test {

namespace {

std::string add_kernel(const std::string& type, int operands) {
  const std::string arguments =
      "at::native::CUDAFunctor_add<" + type + ">, std::array<char*, " + std::to_string(operands) + "ul>";
  return "void at::native::vectorized_elementwise_kernel<4, " + arguments + " >(int, " + arguments + ")";
}

// What a terminal with a window of so many columns is given, by lines; "" as its last.
std::vector<std::string> lines_on_terminal(unsigned short columns, const Records& records) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(terminal >= 0);
  REQUIRE(::grantpt(terminal) == 0);
  REQUIRE(::unlockpt(terminal) == 0);
  const int program = ::open(::ptsname(terminal), O_RDWR | O_NOCTTY);
  REQUIRE(program >= 0);
  winsize window{};
  window.ws_col = columns;
  window.ws_row = 24;
  REQUIRE(::ioctl(program, TIOCSWINSZ, &window) == 0);
  std::FILE* const out = ::fdopen(program, "w");
  REQUIRE(out != nullptr);
  CHECK(window_columns(out) == columns);
  records.print(out, false);
  std::fclose(out);
  std::string text;
  char buffer[4096];
  for (ssize_t n = 0; (n = ::read(terminal, buffer, sizeof buffer)) > 0;)
    text.append(buffer, static_cast<std::size_t>(n));
  ::close(terminal);
  std::vector<std::string> lines(1);
  for (const char c : text) {
    if (c == '\n')
      lines.emplace_back();
    else if (c != '\r')
      lines.back() += c;
  }
  return lines;
}

}  // namespace

TEST_CASE("a list of names from real captures is shortened as the page shortens it") {
  std::ifstream in(test_data("kernel-names.tsv"));
  REQUIRE(in);
  std::vector<std::string> names, texts;
  for (std::string line; std::getline(in, line);) {
    texts.push_back(line.substr(0, line.find('\t')));
    names.push_back(line.substr(line.find('\t') + 1));
  }
  REQUIRE(names.size() > 30);
  const auto made = shorten_names(names);
  for (std::size_t i = 0; i < names.size(); ++i) CHECK(made[i] == texts[i]);
}

TEST_CASE("names that would look alike keep what tells them apart, and no name is too long or too deep") {
  const std::vector<std::string> names{add_kernel("c10::BFloat16", 2), add_kernel("c10::BFloat16", 3),
                                       add_kernel("float", 3), "aten::add", add_kernel("float", 3)};
  const std::vector<std::string> wanted{
      "vectorized_elementwise_kernel<4, CUDAFunctor_add<BFloat16>, array<char*, 2ul>>",
      "vectorized_elementwise_kernel<4, CUDAFunctor_add<BFloat16>, array<char*, 3ul>>",
      "vectorized_elementwise_kernel<4, CUDAFunctor_add<float>…>", "aten::add",
      "vectorized_elementwise_kernel<4, CUDAFunctor_add<float>…>"};
  CHECK(shorten_names(names) == wanted);
  std::string deep = "void ";
  for (int i = 0; i < 3000; ++i) deep += "a<";
  for (const std::string& name : {deep, std::string(1'000'000, '<'), std::string("void "), std::string()}) {
    CHECK(shorten_names({name})[0].size() <= name.size());
  }
}

TEST_CASE("lines are cut in the middle, with their colours, and where they differ is seen") {
  CHECK(cut_lines({"0123456789"}, 10)[0] == "0123456789");
  CHECK(cut_lines({"0123456789abcdef"}, 11)[0] == "012345…cdef");
  CHECK(cut_lines({"r_\x1B[34m1024\x1B[0m_\x1B[31m2048\x1B[0mn1"}, 8)[0] == "r_\x1B[34m102…\x1B[0m\x1B[31m\x1B[0mn1");
  const std::string head(40, 'h'), tail(40, 't');
  const auto cut = cut_lines({head + "one" + tail, head + "two" + tail, "else"}, 30);
  CHECK(cut[0] != cut[1]);
  CHECK(cut[0].find("one") != std::string::npos);
  CHECK(cut[1].find("two") != std::string::npos);
  CHECK(cut[2] == "else");
}

TEST_CASE("a table fits a terminal's window, and is whole in a pipe") {
  Records records({"name", "launches", "why"});
  const std::string longest = std::string(1000, 'a') + "middle" + std::string(994, 'z');
  records.add({add_kernel("float", 3), std::int64_t{12}, std::string("short")});
  records.add({add_kernel("double", 3), std::int64_t{3}, std::string("short")});
  records.add({longest, std::int64_t{1234567}, std::string("short")});
  const auto lines = lines_on_terminal(80, records);
  REQUIRE(lines.size() == 5);
  for (const std::string& line : lines) CHECK(columns_on_screen(line) <= 80);
  CHECK(lines[1].find("CUDAFunctor_add<float>") != std::string::npos);
  CHECK(lines[2].find("CUDAFunctor_add<double>") != std::string::npos);
  CHECK(lines[3].starts_with("aaa"));
  CHECK(lines[3].find("zzz") != std::string::npos);
  CHECK(lines[3].find("1234567") != std::string::npos);

  std::FILE* const file = std::tmpfile();
  REQUIRE(file != nullptr);
  records.print(file, false);
  CHECK(std::ftell(file) > 2000);      // nothing of the longest is cut
  CHECK(std::ftell(file) < 3 * 2000);  // nor are the other lines made as long
  CHECK(window_columns(file) == 0);
  std::fclose(file);
}

TEST_CASE("columns that do not fit a window are left out, and said to be, not wrapped") {
  std::vector<std::string> columns;
  for (int c = 0; c < 12; ++c) columns.push_back("figure " + std::to_string(c));
  columns.emplace_back("name");
  Records records(columns);
  std::vector<Cell> row(12, Cell(std::string("12.3 ms")));
  row.emplace_back(add_kernel("float", 3));
  records.add(row);
  const auto lines = lines_on_terminal(100, records);
  REQUIRE(lines.size() == 4);
  for (const std::string& line : lines) CHECK(columns_on_screen(line) <= 100);
  CHECK(lines[0].find("figure 7") != std::string::npos);
  CHECK(lines[0].find("figure 8") == std::string::npos);
  CHECK(lines[0].find("name") != std::string::npos);
  CHECK(lines[1].find("12.3 ms") != std::string::npos);
  CHECK(lines[2].starts_with("(4 more columns would not fit"));
}

}  // namespace vizd::short_names_test
