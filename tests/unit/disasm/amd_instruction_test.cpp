#include "disasm/amd/code_listing.h"
#include "disasm/amd/instruction.h"
#include "support/catch.h"
#include "support/made_trace.h"

namespace vizd::amd::amd_instruction_test {
namespace {

struct Printed {
  Family family;
  std::string_view bytes, text;
};

// One of each format: of the samples' programs where they have one, else made. The text is tinygrad's own.
constexpr Printed kPrinted[] = {
    {Family::kRdna3, "000004f4100000f8", "s_load_b64(s[0:1], s[0:1], NULL, 16)"},
    {Family::kRdna3, "00828084", "s_lshl_b64(s[0:1], s[0:1], 2)"},
    {Family::kRdna3, "040001d58082a901", "v_cndmask_b32_e64(v[4], 0, -1, VCC_LO)"},
    {Family::kRdna3, "2b00a5bf", "s_cbranch_execz(43)"},
    {Family::kRdna3, "01080840", "v_add_co_ci_u32_e32(v[4], s[1], v[4])"},
    {Family::kRdna3, "016a00d706020200", "v_add_co_u32(v[1], VCC_LO, s[6], v[1])"},
    {Family::kRdna3, "7e0080be", "s_mov_b32(s[0], EXEC_LO)"},
    {Family::kRdna3, "800052dc03007c03", "global_load_b32(v[3], v[3:4], v[0], NULL, 128)"},
    {Family::kRdna3, "800000ca02070401",
     "VOPD(VOPDOp.V_DUAL_MOV_B32, VOPDOp.V_DUAL_FMAC_F32, v[1], v[4], 0, v[2], v[0], v[3])"},
    {Family::kRdna3, "3000fcdb01000006", "ds_load_b128(v[6:9], v[1], v[0], v[0], 48)"},
    {Family::kRdna3, "8000947d", "v_cmpx_eq_u32_e32(0)"},
    {Family::kRdna3, "ff00987c7f000000", "v_cmp_gt_u32_e32(LIT, v[0], 127)"},
    {Family::kRdna3, "c102087e", "v_mov_b32_e32(v[4], -1)"},
    {Family::kRdna3, "6d2521ccda0d0000", "v_fma_mixlo_f16(v[109], v[218], s[6], s[0], 0, 5, 0, 4, 0, 0)"},
    {Family::kRdna3, "75ea06ccfa04000000000000", "v_pk_ashrrev_i16(v[117], DPP, s[2], s[0], 0, 2, 1, 5, 0)"},
    {Family::kRdna3, "c61981cd560b0000", "v_interp_p2_f32(v[198], v[86], s[5], s[0], 0, 0, 3, 1)"},
    {Family::kRdna3, "b66907d4710d0000", "v_cmp_o_f16_e64(54, v[113], s[6], s[0], 0, 0, 1, 0, 13)"},
    {Family::kRdna3, "177fd5d4ff809536642a85b3",
     "v_cmpx_ne_i64_e64(s[23], LIT, 64, v[165], 2, 1, 7, 0, 15, 3011848804)"},
    {Family::kRdna3, "27cfb5dc51010000", "scratch_load_lds_u8(v[0], v[81], v[1], s[0], 3879, 1, 0, 1)"},
    {Family::kRdna3, "519278dc79050000", "flat_load_d16_u8(v[0], v[121], v[5], s[0], 4689, 0, 0, 1)"},
    {Family::kRdna3, "4f985ea3452155d9", "s_fmamk_f32(s[94], s[79], 24, 3646234949)"},
    {Family::kRdna3, "6a020cbf", "s_bitcmp0_b32(VCC_LO, s[2])"},
    {Family::kRdna3, "33ff56bfe10c0000", "s_cmp_ge_f16(s[51], LIT, 3297)"},
    {Family::kRdna3, "637254b4", "s_cmpk_le_i32(s[84], 29283)"},
    {Family::kRdna3, "9493bfb9745d0cac", "s_setreg_imm32_b32(s[63], 37780, 2886491508)"},
    {Family::kRdna3, "c6053a7f", "v_readfirstlane_b32_e32(29, v[198])"},
    {Family::kRdna3, "7a04fe7fd20f0000", "v_readfirstlane_b32_e32(LIT, ttmp[14], 4050)"},
    {Family::kRdna3, "facc927e50fcd108", "v_swap_b16_e32(v[73], DPP, v[80], 508, 0, 0, 0, 8, 1, 0, 1, 1)"},
    {Family::kRdna3, "507e405886010000", "v_fmamk_f32_e32(v[32], s[80], v[63], 390)"},
    {Family::kRdna4, "800094be", "s_mov_b32(s[20], 0)"},
    {Family::kRdna4, "01c10181", "s_add_co_i32(s[1], s[1], -1)"},
    {Family::kRdna4, "0f55427e", "v_rcp_f32_e32(v[33], v[15])"},
    {Family::kRdna4, "821c443e", "v_lshlrev_b64_e32(v[34:35], 2, v[14:15])"},
    {Family::kRdna4, "2c7cfed60e1f4204", "v_mad_co_u64_u32(v[44:45], NULL, v[14], v[15], v[16:17])"},
    {Family::kRdna4, "220080d610000000", "v_s_exp_f32(s[34], s[16])"},
    {Family::kRdna4, "c64040ccbe851b1f", "v_wmma_f32_16x16x16_f16(v[198:205], v[190:193], v[194:197], v[198:205])"},
    {Family::kRdna4, "018000bf", "s_cmp_eq_i32(s[1], 0)"},
    {Family::kRdna4, "a3ffa1bf", "s_cbranch_scc0(65443)"},
    {Family::kRdna4, "002000f4100000f8", "s_load_b64(s[0:1], s[0:1], NULL, 0, 0, 0, 16)"},
    {Family::kRdna4, "048006ee0000800000000000", "global_store_b32(v[0], v[0:1], s[4:5], 0, 0, 0, 0, v[1])"},
    {Family::kRdna4, "846ee1cdc30d0000", "v_interp_p2_f32(v[132], v[195], s[6], s[0], 0, 0, 13, 6)"},
    {Family::kRdna4, "ff72cdd43106000000000000", "v_cmpx_ne_u32_e64(LIT, s[49], s[3], s[0], 0, 0, 2, 0, 14)"},
    {Family::kRdna4, "175d0dd6760d0000", "v_cubesc_f32(v[23], v[118], s[6], s[0], 0, 0, 5, 0, 11)"},
    {Family::kRdna4, "b553c9da4e0e0000", "ds_permute_b32(v[0], v[78], v[14], v[0], 181, 83)"},
    {Family::kRdna4, "929947edd606000000000000", "scratch_load_d16_u8(v[214], v[0], s[18], 1)"},
    {Family::kRdna4, "149c45ec870a000000000000", "flat_load_b96(v[135:137], v[0:1], s[20])"},
    {Family::kRdna4, "ff60d9bed7080000", "s_ceil_f32(s[89], LIT, 2263)"},
    {Family::kRdna4, "ecf978b1", "s_cmovk_i32(ttmp[12], 63980)"},
    {Family::kRdna4, "efbab0b9de020000", "s_setreg_imm32_b32(s[48], 47855, 734)"},
    {Family::kRdna4, "8926727d", "v_cmpx_lt_u16_e32(9, v[19])"},
    {Family::kRdna4, "c705007e", "v_readfirstlane_b32_e32(s[0], v[199])"},
    {Family::kRdna4, "ff55ea80ba030000", "s_sub_co_u32(VCC_LO, LIT, s[85], 954)"},
    {Family::kRdna4, "fe99cb6f83fd790e", "v_fmamk_f16_e32(v[229], v[254], v[204], 242875779)"},
    {Family::kRdna4, "fa6c124287b10838", "v_sub_co_ci_u32_e32(v[9], DPP, v[54], v[135], 177, 0, 1, 3, 8)"},
    {Family::kCdna, "000206c010000000", "s_load_dwordx2(s[8:9], s[0:1], s[0], 16, 0, 0, 0, 1)"},
    {Family::kCdna, "0082808e", "s_lshl_b64(s[0:1], s[0:1], 2)"},
    {Family::kCdna, "040008d206052100", "v_lshl_add_u64(v[4:5], v[6:7], 2, s[8:9])"},
    {Family::kCdna, "240088bf", "s_cbranch_execz(36)"},
    {Family::kCdna, "0602047e", "v_mov_b32_e32(v[2], s[6])"},
    {Family::kCdna, "9f0c0e22", "v_ashrrev_i32_e32(v[7], 31, v[6])"},
    {Family::kCdna, "808050dc04007f07", "global_load_dword(v[7], v[4], v[0], EXEC_HI, 128)"},
    {Family::kCdna, "8000947d", "v_cmp_eq_u32_e32(0)"},
    {Family::kCdna, "0240b1d3080d0218", "v_pk_mul_f32(v[2:3], v[8:9], v[6:7])"},
    {Family::kCdna, "3000fed91000000c", "ds_read_b128(v[12:15], v[16], v[0], v[0], 0, 48)"},
    {Family::kCdna, "6a2086be", "s_and_saveexec_b64(s[6:7], VCC)"},
    {Family::kCdna, "2592c1d346040000",
     "v_mfma_f32_16x16x1_4b_f32(v[37:52], s[70], s[2], s[0:15], 0, 2, 1, 2, 0, 0, 2, 2, 1)"},
    {Family::kCdna, "463019d1c70d0000", "v_add_co_u32(v[70], s[48:49], v[199], s[6])"},
    {Family::kCdna, "be41ded0a8060000", "v_cmpx_ge_u32_e64(62, 40, s[3], s[0], 0, 0, 1, 0, 8)"},
    {Family::kCdna, "cd7980de53040000", "scratch_load_ubyte_d16(v[0], v[83], v[4], s[0], 6605, 0, 1, 0, 0, 1)"},
    {Family::kCdna, "591e89dfce0d0000", "flat_atomic_add_x2(v[0:1], v[206], v[13:14], s[0], 3673, 0, 0, 1, 0, 1)"},
    {Family::kCdna, "cc2c12e3300b0000", "buffer_atomic_smin(v[11], v[48], s[0:3], s[0], 3276, 0, 1, 0, 0, 0, 0, 1)"},
    {Family::kCdna, "68c408bf", "s_cmp_gt_u32(s[104], -4)"},
    {Family::kCdna, "ffcf0ebf62346dd0", "s_bitcmp0_b64(LIT, -15, 3496817762)"},
    {Family::kCdna, "1a00e7ba", "s_call_b64(s[103:104], 26)"},
    {Family::kCdna, "bc476dba292d584e", "s_setreg_imm32_b32(ttmp[1], 18364, 1314401577)"},
    {Family::kCdna, "fac0e13f0e0a0000", "v_add_f16_e32(v[240], DPP, v[224], v[14], 10)"},
    {Family::kCdna, "ed4c7e2f1bd33477", "v_fmamk_f32_e32(v[191], PRIVATE_BASE, v[38], 1999950619)"},
};

TEST_CASE("instructions of AMD's GPUs print as tinygrad prints them", "[amd]") {
  for (const auto& [family, bytes, text] : kPrinted) {
    INFO(bytes);
    const std::string code = from_hex(bytes);
    const auto instruction = decode(family, bytes_of(code));
    REQUIRE(instruction);
    CHECK(instruction->text() == text);
    CHECK(instruction->size_bytes() == code.size());
  }
}

TEST_CASE("a format that no program's bytes are told by reads them where it is named", "[amd]") {
  struct Named {
    std::string_view family, format, bytes, text;
  };
  constexpr Named kNamed[] = {
      {"rdna3", "EXP", "f5b165fa4a58b791", "EXP(v[74], v[88], v[183], v[145], 5, 31, 0, 1)"},
      {"rdna3", "MIMG", "d7a595f1fcf9a44d",
       "image_gather4_c_b_cl(v[249:252], v[252:257], s[16:23], s[76:79], 5, 5, 0, 1, 0, 1, 1, 1, 1, 1)"},
      {"rdna4", "VIMAGE", "736980d099bbf4dc7bd2a4f2",
       "image_load_mip(v[153:156], 2, 3, 1, 1, 1, 1, 0, 93, 1, 7, 220, 123, 210, 164, 242)"},
      {"cdna", "VOP2_SDWA_SDST", "fd3feb689250b797",
       "v_add_u32_e32(v[117], v[253], v[159], s[80], v[146], 1, 1, 1, 0, 7, 7, 0, 0, 1, 0, 1)"}};
  for (const Named& named : kNamed) {
    INFO(named.format);
    const auto family = family_named(named.family);
    REQUIRE(family);
    const InstructionFormat* const format = find_format(*family, named.format);
    REQUIRE(format != nullptr);
    CHECK(Instruction(*family, *format, bytes_of(from_hex(named.bytes))).text() == named.text);
  }
  CHECK_FALSE(family_named("rdna"));
  CHECK(find_format(Family::kRdna3, "VIMAGE") == nullptr);
}

TEST_CASE("a compiler's target tells the family of a GPU", "[amd]") {
  CHECK(family_of_target("gfx1100") == Family::kRdna3);
  CHECK(family_of_target("gfx1201") == Family::kRdna4);
  CHECK(family_of_target("gfx942") == Family::kCdna);
  CHECK_FALSE(family_of_target("gfx803"));
  CHECK_FALSE(family_of_target("sm_80"));
}

TEST_CASE("bytes that are no instruction are told to be none", "[amd]") {
  CHECK_FALSE(decode(Family::kRdna3, bytes_of(std::string_view("\x88\x00", 2))));
  CHECK_FALSE(decode(Family::kRdna3, bytes_of(from_hex("ffffffffffffffff"))));
  // If an instruction of eight bytes is cut after four, the rest reads as zeros only where no field asks for it.
  CHECK_FALSE(decode(Family::kRdna3, bytes_of(from_hex("000004f4"))));
}

TEST_CASE("a listing has the addresses of its instructions, as far as they can be told", "[amd]") {
  const std::string text = from_hex(
      "880081be"
      "000004f4100000f8"
      "fcffa1bf"
      "ffffffff");
  const std::string elf = made_elf(text, 0x1700);
  const auto listing = CodeListing::read(Family::kRdna3, bytes_of(elf));
  REQUIRE(listing);
  REQUIRE(listing->lines().size() == 3);
  CHECK(listing->is_cut());
  CHECK(listing->lines()[2].address == 0x170c);
  CHECK(listing->lines()[2].jump == -16);
  CHECK(listing->find(0x1704) == 1u);
  CHECK_FALSE(listing->find(0x1708));
  CHECK_FALSE(listing->find(0x16fc));
  CHECK_FALSE(listing->find(0x1710));
  for (std::size_t size = 0; size < elf.size(); ++size) {
    const auto part = CodeListing::read(Family::kRdna3, bytes_of(std::string_view(elf).substr(0, size)));
    CHECK((!part || part->lines().size() <= 3));
  }
}

}  // namespace
}  // namespace vizd::amd::amd_instruction_test
