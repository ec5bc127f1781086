// Sources that would read a file while they are compiled, in every disguise that got past a gate, or might: what is
// hidden from a reader of lines, but not from a compiler.
#pragma once

#include <string>
#include <vector>

#include "disasm/source_gate.h"

namespace vizd {

struct HostileSource {
  std::string name;
  SourceLanguage language;
  std::string source;
  std::string flag;               // of the compiler, with which it works; "" for none
  bool is_for_assembler = false;  // it is C that may be compiled, but gcc hands its text to the assembler as it is
};

struct Line {
  const char* name;
  std::string text;
};

// A line of C, or of LLVM's text, that reads the file.
inline std::vector<Line> c_lines(const std::string& path) {
  return {{"include", "#include \"" + path + "\""},
          {"incbin", "__asm__(\".incbin \\\"" + path + "\\\"\");"},
          {"assembler's include",
           "asm(\".macro char x:vararg\\n.ascii \\\"\\\\x\\\"\\n.endm\\n.incbin \\\"" + path + "\\\"\");"}};
}
inline std::string ir_assembly(const std::string& path) { return "\".incbin \\22" + path + "\\22\""; }

struct Disguise {
  const char* name;
  std::string before, after;
  const char* flag = "";
};

inline std::vector<Disguise> c_disguises() {
  const std::string mark = "\xEF\xBB\xBF";
  return {
      {"none", "", ""},
      {"indented", "  \t", ""},
      {"after a comment", "/* c */ ", ""},
      {"after a comment of two lines", "int a; /*\n*/\n", ""},
      {"a comment begun by a joined line", "// \\\n/*\n", "\n// */"},
      {"a comment begun by a line joined after blanks", "// \\  \n/*\n", "\n// */"},
      {"a comment begun by a line joined at CR LF", "// \\\r\n/*\n", "\n// */"},
      {"a comment opened on two lines", "/\\\n* \" */\n", "\n/* \" */"},
      {"a comment closed on two lines", "/* \" *\\\n/\n", "\n/* \" */"},
      {"a comment of slashes on two lines", "/\\\n/ \"\n", "\n/\\\n/ \""},
      {"a string over two lines", "char* s = \"\\\n/*\";\n", "\n/* */"},
      {"a byte order mark", mark, ""},
      {"a carriage return after code", "int a;\r", ""},
      {"a carriage return in a comment", "// \r", ""},
      {"carriage returns around it", "// c\r", "\r"},
      {"a form feed", "\f", ""},
      {"a vertical tab", "\v", ""},
      {"a raw string", "char* s = R\"(\\\")\";\n", "\n//\""},
      {"a raw string with a comment", "char* s = R\"(/*)\";\n", "\n/* */"},
      {"a wide raw string", "void* s = LR\"(/*)\";\n", "\n/* */"},
      {"a raw string of UTF-8", "char* s = u8R\"(/*)\";\n", "\n/* */"},
      {"a trigraph that joins lines", "// ?\?/\n/*\n", "\n// */", "-std=c99"},
      {"a trigraph in a string", "char* s = \"?\?/\"/*\";\n", "\n/* */", "-std=c99"},
      {"a digit separator", "int a = 1'0; /*'*/\n", "", "-std=gnu2x"},
      {"a branch that is taken", "#if 0\n#else\n", "\n#endif"},
      {"a quote in a branch that is not", "#if 0\n'/*\n#endif\n", "\n/*'*/"},
      {"a comment of slashes, for C89", "int a = 4 //* */\n;\n", "", "-std=gnu89"},
  };
}

inline std::vector<HostileSource> c_specials(const std::string& path) {
  const std::string incbin = "(\".incbin \\\"" + path + "\\\"\");";
  const std::string quoted = "\"" + path + "\"";
  std::vector<HostileSource> sources;
  const auto add = [&](const char* name, const std::string& source, const char* flag = "", bool is_attribute = false) {
    sources.push_back({name, SourceLanguage::kC, source + "\nvoid k() {}\n", flag, is_attribute});
  };
  add("a file of a macro", "#define F " + quoted + "\n#include F");
  add("a file in angles", "#include <" + path + ">");
  add("the next file", "#include_next " + quoted);
  add("import", "#import " + quoted);
  add("a digraph", "%:include " + quoted);
  add("a trigraph", "?\?=include " + quoted, "-std=c99");
  add("a joined directive", "#inc\\\nlude " + quoted);
  add("a directive on the next line", "#\\\ninclude " + quoted);
  add("a comment in a directive", "#/**/include " + quoted);
  add("a comment of two lines in a directive", "#/*\n*/include " + quoted);
  add("a joined word", "as\\\nm" + incbin);
  add("a word joined after blanks", "as\\ \nm" + incbin);
  add("a word joined by a trigraph", "__as?\?/\nm__" + incbin, "-std=c99");
  add("a word of pieces", "#define A(x, y) x##y\nA(__as, m__)" + incbin);
  add("a word of pieces, by digraphs", "#define A(x, y) x%:%:y\nA(__as, m__)" + incbin);
  add("a word of pieces, by trigraphs", "#define A(x, y) x?\?=?\?=y\nA(__as, m__)" + incbin, "-std=c99");
  add("a macro's word", "#define A __asm\nA" + incbin);
  add("an asm of volatile", "void f() { __asm__ volatile" + incbin + " }");
  add("an asm with a goto", "void f() { asm goto(\".incbin \\\"" + path + "\\\"\" :::: l); l:; }");
  add("a name for the assembler", "int f() __asm__(\"f\\n.incbin \\\"" + path + "\\\"\"); int g() { return f(); }");
  add("a section", "__attribute__((section(\"x\\n.incbin \\\"" + path + "\\\"\\n.section y\"))) int a = 1;", "", true);
  add("a section of one line", "__attribute__((section(\"x;.incbin \\\"" + path + "\\\";.section y\"))) int a = 1;", "",
      true);
  add("an alias", "int f() { return 1; } int g() __attribute__((alias(\"f\\n.incbin \\\"" + path + "\\\"\")));", "",
      true);
  add("a line of another file", "#line 1 " + quoted + "\nint x = ;");
  add("a marker of another file", "# 1 " + quoted + "\nint x = ;");
  add("a dependency", "#pragma GCC dependency " + quoted);
  add("a dependency of an operator", "_Pragma(\"GCC dependency \\\"" + path + "\\\"\")");
  add("whether a file is there", "#if __has_include(" + quoted + ")\n#error VIZD_SECRET\n#endif");
  add("whether the next file is there", "#if __has_include_next(" + quoted + ")\n#error VIZD_SECRET\n#endif");
  add("whether a file can be embedded",
      "#ifdef __has_embed\n#if __has_embed(" + quoted + ")\n#error VIZD_SECRET\n#endif\n#endif");
  add("embed", "const char e[] = {\n#embed " + quoted + "\n};");
  return sources;
}

inline std::vector<HostileSource> ir_sources(const std::string& path) {
  const std::string text = ir_assembly(path);
  const std::string k = "\ndefine void @k() {\n  ret void\n}\n";
  std::vector<HostileSource> sources;
  const auto add = [&](const char* name, const std::string& source) {
    sources.push_back({name, SourceLanguage::kLlvmIr, source, "", false});
  };
  const auto call = [&](const char* name, const std::string& what, const std::string& result = "") {
    add(name, "define void @k() {\n  " + result + what + " sideeffect " + text + ", \"\"()\n  ret void\n}\n");
  };
  add("IR: none", "module asm " + text + k);
  add("IR: a carriage return in a comment", ";\rmodule asm " + text + k);
  add("IR: carriage returns for lines", "; c\rmodule asm " + text + "\r" + k);
  add("IR: a comment of CR LF", "; c\r\nmodule asm " + text + k);
  add("IR: a word without blanks", "module asm" + text + k);
  add("IR: after a brace", "define void @f() {\n  ret void\n}module asm " + text + k);
  add("IR: after a string", "source_filename = \"x\"module asm " + text + k);
  add("IR: after a string with a backslash", "source_filename = \"x\\\"module asm " + text + k);
  add("IR: after a string of two lines", "source_filename = \"x\n;\"module asm " + text + k);
  add("IR: after a number", "attributes #0 = { nounwind }\n@a = global i8 0module asm " + text + k);
  add("IR: a byte order mark", "\xEF\xBB\xBFmodule asm " + text + k);
  add("IR: a comment in C's way", "/* \" */ module asm " + text + " ; \"" + k);
  call("IR: a call", "call void asm");
  call("IR: a call after a type", "call i32asm", "%x = ");
  call("IR: a call after a longer type", "call i64asm", "%x = ");
  call("IR: a call after a type of a bit", "call i1asm", "%x = ");
  call("IR: a call after a pointer", "call i8*asm", "%x = ");
  call("IR: a call after brackets", "call {i32,i32}asm", "%x = ");
  call("IR: a call after a vector", "call <4 x i32>asm", "%x = ");
  call("IR: a tail call", "tail call void asm");
  call("IR: a call over lines", "call void\nasm");
  call("IR: a call after a comment", "call void ; \"\nasm");
  call("IR: a call after a tab", "call void\tasm");
  call("IR: a call after a convention", "call cc10asm", "%x = ");
  return sources;
}

// path: the file that they read. It is C, so that it may be included.
inline std::vector<HostileSource> hostile_sources(const std::string& path) {
  std::vector<HostileSource> sources;
  for (const Disguise& disguise : c_disguises()) {
    for (const Line& line : c_lines(path))
      sources.push_back({std::string(line.name) + ", " + disguise.name, SourceLanguage::kC,
                         disguise.before + line.text + disguise.after + "\nvoid k() {}\n", disguise.flag, false});
  }
  for (const auto& more : {c_specials(path), ir_sources(path)}) sources.insert(sources.end(), more.begin(), more.end());
  return sources;
}

}  // namespace vizd
