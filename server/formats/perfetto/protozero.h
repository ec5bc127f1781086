// protozero, told to throw where a field is of another type than its number says: hostile files have such, and it would
// end the program. Whoever reads protocol buffers includes this.
#pragma once

#include <protozero/exception.hpp>

namespace vizd::perfetto {

struct WrongFieldType : protozero::exception {
  const char* what() const noexcept override { return "a field of another type"; }
};

}  // namespace vizd::perfetto

#define protozero_assert(condition)                           \
  do {                                                        \
    if (!(condition)) throw vizd::perfetto::WrongFieldType(); \
  } while (false)

#include <protozero/pbf_reader.hpp>
#include <protozero/pbf_writer.hpp>
#include <protozero/varint.hpp>
