#include "formats/bigtpu/names.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <span>

namespace vizd::bigtpu {
namespace {

// By type and special number; that of the type itself is kType.
struct Entry {
  int type, special;
  std::string_view name;
};
constexpr int kType = -1;

constexpr Entry kTiuNames[] = {
    {0, -1, "conv"},
    {0, 0, "conv"},
    {0, 1, "conv_normal"},
    {0, 2, "conv_tf32"},
    {1, -1, "dw/pool"},
    {1, 0, "depthwise"},
    {1, 1, "avg pooling"},
    {1, 3, "min pooling"},
    {1, 4, "max pooling"},
    {1, 5, "ROI depthwise"},
    {1, 6, "ROI avg pooling"},
    {1, 7, "ROI max pooling"},
    {1, 8, "ROI min pooling"},
    {2, -1, "mm/mm2"},
    {2, 0, "MM_NORMAL"},
    {2, 4, "MM2_NN"},
    {2, 5, "MM2_NT"},
    {2, 6, "MM2_TT"},
    {2, 7, "MM_NN_TF32"},
    {2, 8, "MM_NT_TF32"},
    {2, 9, "MM_TT_TF32"},
    {3, -1, "arith/SEG"},
    {3, 0, "mul"},
    {3, 1, "not"},
    {3, 2, "add"},
    {3, 3, "sub"},
    {3, 4, "max"},
    {3, 5, "min"},
    {3, 6, "logic_shift"},
    {3, 7, "and"},
    {3, 8, "or"},
    {3, 9, "xor"},
    {3, 10, "select_great"},
    {3, 11, "select_equal"},
    {3, 12, "div"},
    {3, 13, "select_less"},
    {3, 14, "data_convert"},
    {3, 15, "add_satu"},
    {3, 16, "sub_satu"},
    {3, 18, "mac"},
    {3, 19, "copy"},
    {3, 20, "mul_satu"},
    {3, 21, "arith shift"},
    {3, 22, "rotate shift"},
    {3, 23, "mulDHR [N]"},
    {3, 26, "ABS"},
    {3, 27, "FSUBABS"},
    {3, 28, "copy_mb [N]"},
    {3, 29, "get_first_one"},
    {3, 30, "get_first_zero"},
    {4, -1, "RQ/DQ"},
    {4, 0, "RQ_0"},
    {4, 1, "RQ_1"},
    {4, 3, "DQ_0"},
    {4, 4, "DQ_1"},
    {5, -1, "TRANS/BC"},
    {5, 0, "C_W_transpose"},
    {5, 1, "W_C_transpose"},
    {5, 2, "lane_copy"},
    {5, 3, "lane_broad"},
    {5, 4, "static_broad"},
    {5, 5, "static_distribute"},
    {6, -1, "gather/scatter"},
    {6, 0, "PL_gather_d1coor"},
    {6, 1, "PL_gather_d2coor"},
    {6, 2, "PL_gather_rec [N]"},
    {6, 3, "PL_scatter_d1coor"},
    {6, 4, "PL_scatter_d2coor"},
    {6, 5, "PE_S_gather_d1coor"},
    {6, 6, "PE_S_scatter_d1coor"},
    {6, 7, "PE_M_gather_d1coor [N]"},
    {6, 8, "PE_S_mask_select"},
    {6, 9, "PE_S_nonzero"},
    {6, 10, "PE_S_scatter_pp_d1coor [N]"},
    {6, 13, "PE_S_gather_hzd"},
    {6, 14, "PE_S_scatter_hzd"},
    {6, 15, "PE_S_mask_selhzd"},
    {6, 16, "PE_S_nonzero_hzd"},
    {6, 17, "PE_S_gather_line"},
    {6, 18, "PE_S_scatter_line"},
    {7, -1, "linear_arithmetic"},
    {7, 0, "linear_mul"},
    {7, 1, "linear_not"},
    {7, 2, "linear_add"},
    {7, 3, "linear_sub"},
    {7, 4, "linear_max"},
    {7, 5, "linear_min"},
    {7, 6, "linear_logic_shift"},
    {7, 7, "linear_and"},
    {7, 8, "linear_or"},
    {7, 9, "linear_xor"},
    {7, 10, "linear_select_great"},
    {7, 11, "linear_select_equal"},
    {7, 12, "linear_div"},
    {7, 13, "linear_select_less"},
    {7, 14, "linear_data_convert"},
    {7, 15, "linear_add_satu"},
    {7, 16, "linear_sub_satu"},
    {7, 17, "linear_clamp"},
    {7, 18, "linear_mac"},
    {7, 19, "linear_copy"},
    {7, 20, "linear_mul_satu"},
    {8, -1, "rand_gen"},
    {8, 0, "prng "},
    {8, 1, "prng with intial seed"},
    {8, 2, ":prng with loaded states"},
    {9, -1, "md/sfu"},
    {9, 12, "tailor_4x"},
    {9, 13, "tailor"},
    {9, 15, "normalize"},
    {9, 17, "rsqrt"},
    {10, -1, "md_linear"},
    {10, 1, "mac"},
    {10, 20, "(a+b)^2"},
    {10, 21, "(a-b)^2"},
    {12, -1, "WR_IMM"},
    {12, 0, "WR_IMM"},
    {13, -1, "fused_cmpare"},
    {13, 22, "CMP_gt and CMP_sel_gt"},
    {13, 23, "CMP_sel_gt"},
    {13, 24, "CMP_sel_eq"},
    {13, 25, "CMP_lt and CMP_sel_lt"},
    {13, 26, "CMP_sel_lt"},
    {13, 27, "CMP_srch_bin"},
    {14, -1, "vector_correlation"},
    {14, 0, "vc_mul"},
    {14, 2, "vc_add"},
    {14, 3, "vc_sub"},
    {14, 4, "vc_max"},
    {14, 5, "vc_min"},
    {14, 7, "vc_and"},
    {14, 8, "vc_or"},
    {14, 9, "xor"},
    {14, 10, "select_great"},
    {14, 11, "select_equal"},
    {14, 12, "div"},
    {14, 13, "select_less"},
    {14, 15, "add_satu"},
    {14, 16, "sub_satu"},
    {14, 20, "mul_satu"},
    {14, 23, "mulDHR"},
    {15, -1, "sys"},
    {15, 0, "intr barrier[N]"},
    {15, 1, "spb"},
    {15, 2, "swr"},
    {15, 3, "swr_from_lmem"},
    {15, 4, "swr_collect_from_lmem"},
    {15, 5, "ata barrier[N]"},
    {15, 8, "send_msg"},
    {15, 9, "wait_msg"},
    {15, 10, "sys_fork"},
    {15, 11, "sys_join"},
    {15, 12, "sys_exit"},
    {15, 13, "rand_seed"},
    {15, 30, "nop"},
    {15, 31, "end"},
    {31, -1, "unknown"},
    {31, 0, "unknown"},
};

constexpr Entry kDmaNames[] = {
    {0, 0, "DMA_tensor"},
    {0, 1, "NC trans"},
    {0, 2, "collect"},
    {0, 3, "broadcast"},
    {0, 4, "distribute"},
    {0, 5, "lmem 4 bank copy"},
    {0, 6, "lmem 4 bank broadcast"},
    {1, 0, "DMA_matrix"},
    {1, 1, "matrix transpose"},
    {2, 0, "DMA_masked_select"},
    {2, 1, "ncw mode"},
    {3, 0, "DMA_general"},
    {3, 1, "broadcast"},
    {4, 0, "DMA_cw transpose"},
    {4, 1, "DMA_cw transpose"},
    {4, 5, "DMA_cw transpose"},
    {5, 0, "DMA_nonzero"},
    {6, 0, "sys"},
    {6, 1, "nop"},
    {6, 2, "sys_tr_wr"},
    {6, 3, "sys_send"},
    {6, 4, "sys_wait"},
    {7, 0, "DMA_gather"},
    {8, 0, "DMA_scatter"},
    {8, 1, "DMA_scatter"},
    {9, 0, "DMA_reverse"},
    {9, 1, "h reverse"},
    {9, 2, "c reverse"},
    {9, 3, "n reverse"},
    {10, 0, "DMA_compress"},
    {11, 0, "DMA_decompress"},
    {12, 0, "DMA_lossy_compress"},
    {13, 0, "DMA_lossy_decompress"},
    {14, 0, "DMA_randmask"},
    {15, 0, "DMA_transfer"},
    {31, 0, "unknown"},
};

constexpr Entry kCdmaNames[] = {
    {0, -1, "send"},
    {0, 0, "send"},
    {1, -1, "read"},
    {1, 0, "read"},
    {2, -1, "write"},
    {2, 0, "write"},
    {3, -1, "general"},
    {3, 0, "general"},
    {4, -1, "receive"},
    {4, 0, "receive"},
    {5, -1, "lossy_compress"},
    {5, 0, "lossy_compress"},
    {6, -1, "lossy_decompress"},
    {6, 0, "lossy_decompress"},
    {7, -1, "sys"},
    {7, 0, "end"},
    {7, 1, "nop"},
    {7, 2, "sys_tr_wr"},
    {7, 3, "sys_msg_tx_send"},
    {7, 4, "sys_msg_tx_wait"},
    {7, 5, "sys_msg_rx_send"},
    {7, 6, "sys_msg_rx_wait"},
    {8, -1, "tcp_send"},
    {8, 0, "tcp_send"},
    {9, -1, "tcp_receive"},
    {9, 0, "tcp_receive"},
    {31, -1, "unknown"},
    {31, 0, "unknown"},
};

std::string_view find(std::span<const Entry> entries, int type, int special) {
  const auto found =
      std::ranges::find_if(entries, [&](const Entry& entry) { return entry.type == type && entry.special == special; });
  return found == entries.end() ? std::string_view() : found->name;
}

std::string or_by_number(std::string_view name, std::string_view what, int number) {
  return name.empty() ? fmt::format("{}_{}", what, number) : std::string(name);
}

CommandName by_numbers(std::span<const Entry> entries, int type, int special) {
  CommandName command{.type = or_by_number(find(entries, type, kType), "cmd_type", type), .name = ""};
  command.name = or_by_number(find(entries, type, special), command.type, special);
  return command;
}

}  // namespace

CommandName tiu_command_name(int type, int special) { return by_numbers(kTiuNames, type, special); }

bool is_dma_type(int type) { return !find(kDmaNames, type, 0).empty(); }

CommandName dma_command_name(int type, int special, std::string_view direction, bool is_old) {
  CommandName command{.type = or_by_number(find(kDmaNames, type, 0), "cmd_type", type), .name = ""};
  if (type == kDmaSystem && is_old) command.type = "DMA_sys";
  const std::string_view name = find(kDmaNames, type, special);
  command.name = name.empty() || (special == 0 && type == kDmaSystem) ? command.type : std::string(name);
  if (special != 0 || type > 1) return command;
  command.name = direction == "DDR->DDR" || direction == "DDR->LMEM" ? "tensorLd"
                 : direction == "LMEM->DDR"                          ? "tensorSt"
                 : direction == "LMEM->LMEM"                         ? "tensorMv"
                                                                     : "tensor";
  return command;
}

CommandName cdma_command_name(int type, int special, bool is_old) {
  CommandName command = by_numbers(kCdmaNames, type, special);
  if (!is_old) return command;
  constexpr int kReceive = 4, kTcpSend = 8;
  if (type == kReceive) {
    const std::string_view received = "receive";
    command.type = "recevive";
    command.name.replace(0, received.size(), command.type);
  }
  if (type == kTcpSend && special == 0) command.name += ' ';
  return command;
}

std::string_view data_type_name(unsigned number) {
  constexpr std::array<std::string_view, 10> kNames{"INT8",  "FP16", "FP32", "INT16", "INT32",
                                                    "BFP16", "INT4", "FP8",  "FP20",  "TF32"};
  return number < kNames.size() ? kNames[number] : std::string_view();
}

std::string_view memory_name(unsigned number) {
  constexpr std::array<std::string_view, 3> kNames{"DDR", "L2M", "LMEM"};
  return number < kNames.size() ? kNames[number] : std::string_view();
}

}  // namespace vizd::bigtpu
