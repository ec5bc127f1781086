// What commands do, by the numbers that engines know them by: their type and their name, as the makers' tables have
// them. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "formats/bigtpu/chip.h"

namespace vizd::bigtpu {

struct CommandName {
  std::string type;  // "mm/mm2", "DMA_tensor", …
  std::string name;  // "MM2_NN", "tensorLd", …
};

inline constexpr int kUnknownType = 31;

CommandName tiu_command_name(int type, int special);

// direction: "DDR->LMEM", …, which names loads and stores. Where no type has that number, names are by the number.
// is_old: bigTpuProfile 0.3.0 calls the type of messages otherwise.
CommandName dma_command_name(int type, int special, std::string_view direction, bool is_old = false);
bool is_dma_type(int type);

// is_old: two names are spelled otherwise by bigTpuProfile 0.3.0.
CommandName cdma_command_name(int type, int special, bool is_old = false);

// "INT8", …; "" where no data type has that number.
std::string_view data_type_name(unsigned number);

// "DDR", "L2M", "LMEM"; "" for 3, which is none.
std::string_view memory_name(unsigned number);

}  // namespace vizd::bigtpu
