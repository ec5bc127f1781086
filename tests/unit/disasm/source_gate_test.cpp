// What a kernel's source may hold to be compiled: nothing that makes the compiler read files or reaches the assembler.
#include "disasm/source_gate.h"

#include "support/catch.h"

namespace vizd::source_gate_test {

namespace {

bool is_let_through(std::string_view source) { return check_source(SourceLanguage::kC, source).has_value(); }

}  // namespace

TEST_CASE("kernels as tinygrad writes them are let through") {
  CHECK(
      is_let_through("#define INFINITY (__builtin_inff())\n#define NAN (__builtin_nanf(\"\"))\n"
                     "typedef float float4 __attribute__((aligned(16),vector_size(16)));\n"
                     "void k(float* restrict a /* # */, int core_id) { // #include <x>\n"
                     "  for (int i = 0; i < 4; i++) { *(a+i) = __builtin_sqrtf(1.0e-5f) ? 'a' : '\\''; }\n}\n"));
  CHECK(is_let_through("#include <stdint.h>\n#include <immintrin.h>\n  #  pragma clang loop unroll(full)\n"));
  CHECK(is_let_through("const char* s = \"#include \\\"/etc/passwd\\\" asm ## // \";\n"));
}

TEST_CASE("whatever reads a file or reaches the assembler is not") {
  const char* const source =
      GENERATE("#include \"/etc/passwd\"\n", "# include </etc/passwd>\n", "\n /* c */ #include \"x\"\n",
               "#include <../x.h>\n", "#include <stdio.h>\n", "#include MACRO\n", "#include_next <stdint.h>\n",
               "#import <stdint.h>\n", "#embed \"/etc/passwd\"\n", "%:include \"/etc/passwd\"\n",
               "?\?=include \"/etc/passwd\"\n", "#\\\ninclude \"/etc/passwd\"\n", "#inc\\\nlude \"/etc/passwd\"\n",
               "#line 1 \"/etc/passwd\"\n", "# 1 \"/etc/passwd\"\n", "#pragma GCC dependency \"/etc/passwd\"\n",
               "#pragma clang module import x\n", "_Pragma(\"GCC dependency\")\n",
               "#if __has_include(\"/etc/shadow\")\n", "__asm__(\".incbin \\\"/etc/passwd\\\"\");", "asm(\"nop\");",
               "#define A(x, y) x##y\nA(__as, m__)(\"nop\");", "int a; /* never ends", "char* s = \"never ends\n\";",
               "__has_embed(\"x\")", "int \\u0061sm;", "#ident \"x\"\n", "#assert x(y)\n");
  INFO(source);
  CHECK_FALSE(is_let_through(source));
}

TEST_CASE("what is refused is named with its line") {
  const auto refused = check_source(SourceLanguage::kC, "int a;\n\n#include \"/etc/passwd\"\n");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().kind == ErrorKind::kForbidden);
  CHECK(refused.error().where == "line 3");
}

TEST_CASE("LLVM's text may not hold assembly") {
  const auto check = [](std::string_view source) { return check_source(SourceLanguage::kLlvmIr, source).has_value(); };
  CHECK(check("; asm\ndefine void @k(float* %a) { ret void }\n@s = constant [4 x i8] c\"asm\\00\"\n"));
  CHECK_FALSE(check("module asm \".incbin \\22/etc/passwd\\22\"\n"));
  CHECK_FALSE(check("define void @k() {\n  call void asm sideeffect \".incbin \\22x\\22\", \"\"()\n ret void }\n"));
}

TEST_CASE("a source's language is known by its text and device") {
  CHECK(language_of("CPU", "void k() {}") == SourceLanguage::kC);
  CHECK(language_of("CPU", "target triple = \"x\"\ndefine void @k() {}") == SourceLanguage::kLlvmIr);
  CHECK(language_of("CUDA:1", "extern \"C\" __global__ void k() {}") == SourceLanguage::kOther);
}

TEST_CASE("assembly that a compiler would not write is refused") {
  CHECK(check_assembly("\t.text\n\t.globl k\nk:\n\tmovl $1, %eax\n\t.cfi_endproc\n\t.size k, .-k\n"));
  const char* const text = GENERATE("\t.incbin \"/etc/passwd\"\n", "k: .incbin \"/etc/passwd\"\n", ".INCLUDE \"x\"\n",
                                    ".section x\n.macro m\n", "nop; .incbin \"x\"\n", ".irpc a, bc\n", ".print \"x\"\n",
                                    ".string \"a\"; .incbin \"x\"\n", ".rept 1000000000\n.byte 0\n.endr\n");
  INFO(text);
  CHECK_FALSE(check_assembly(text));
}

}  // namespace vizd::source_gate_test
