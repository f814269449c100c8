#pragma once

#include <string_view>

namespace rgx {

/// One file that was compiled into the program (see cmake/RgxEmbed.cmake). Both views live as long
/// as the program does.
struct EmbeddedFile {
  std::string_view name;   // path relative to the embedded folder, `/` between components
  std::string_view bytes;  // the file's content, unchanged
};

}  // namespace rgx
