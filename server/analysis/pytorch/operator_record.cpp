#include "analysis/pytorch/operator_record.h"

#include <utility>

namespace vizd {

std::optional<int> item_size_bytes(std::string_view type) {
  static constexpr std::pair<std::string_view, int> kTypes[] = {{"float", 4},
                                                                {"double", 8},
                                                                {"c10::Half", 2},
                                                                {"c10::BFloat16", 2},
                                                                {"long int", 8},
                                                                {"long", 8},
                                                                {"int", 4},
                                                                {"short int", 2},
                                                                {"short", 2},
                                                                {"signed char", 1},
                                                                {"unsigned char", 1},
                                                                {"char", 1},
                                                                {"bool", 1},
                                                                {"c10::complex<float>", 8},
                                                                {"c10::complex<double>", 16},
                                                                {"c10::complex<c10::Half>", 4},
                                                                {"c10::Float8_e4m3fn", 1},
                                                                {"c10::Float8_e5m2", 1},
                                                                {"c10::Float8_e4m3fnuz", 1},
                                                                {"c10::Float8_e5m2fnuz", 1},
                                                                {"c10::Float8_e8m0fnu", 1}};
  for (const auto& [name, size_bytes] : kTypes) {
    if (name == type) return size_bytes;
  }
  return std::nullopt;
}

}  // namespace vizd
