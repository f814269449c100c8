# Run by rgx_embed with cmake -P. Writes a header and a source that hold FILES as bytes; the output
# depends on nothing but the names and the bytes.
set(notice "// Written by cmake/embed_files.cmake from the files that it names.\n")
string(CONCAT header_text "${notice}#pragma once\n\n"
  "#include \"base/embedded.h\"\n\n#include <span>\n\n"
  "namespace ${NAMESPACE} {\n\n"
  "/// The embedded files, sorted by name.\n"
  "[[nodiscard]] std::span<const ::rgx::EmbeddedFile> embedded_${NAME}();\n\n"
  "}  // namespace ${NAMESPACE}\n")

set(arrays "")
set(table "")
set(index 0)
foreach(file IN LISTS FILES)
  file(READ "${BASE}/${file}" hex HEX)
  # 24 bytes a line, each as '\xNN': a plain char literal, whatever the sign of char is.
  string(REGEX REPLACE "([0-9a-f][0-9a-f])" "'\\\\x\\1'," bytes "${hex}")
  string(REPEAT "......." 24 line_pattern)
  string(REGEX REPLACE "(${line_pattern})" "\\1\n    " bytes "${bytes}")
  # The closing zero keeps an empty file a valid array; it is not part of the view.
  string(APPEND arrays "// ${file}\nconstexpr char kFile${index}[] = {\n    ${bytes}'\\0'};\n\n")
  string(APPEND table "    ::rgx::EmbeddedFile{\"${file}\", "
    "std::string_view{kFile${index}, sizeof(kFile${index}) - 1}},\n")
  math(EXPR index "${index} + 1")
endforeach()

string(CONCAT source_text "${notice}"
  "#include \"${DIR}/embedded_${NAME}.h\"\n\n#include <string_view>\n\n"
  "namespace ${NAMESPACE} {\nnamespace {\n\n${arrays}"
  "constexpr ::rgx::EmbeddedFile kFiles[] = {\n${table}};\n\n}  // namespace\n\n"
  "std::span<const ::rgx::EmbeddedFile> embedded_${NAME}() { return kFiles; }\n\n"
  "}  // namespace ${NAMESPACE}\n")

file(WRITE "${HEADER}" "${header_text}")
file(WRITE "${SOURCE}" "${source_text}")
