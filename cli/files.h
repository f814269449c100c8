#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

// The few files that the program itself reads and writes. Everything under work goes through the
// engine's ports instead.

namespace rgx::cli {

/// Whose files are believed: those that nobody else can change.
enum class Ownership : std::uint8_t {
  any,           ///< an argument of the command line
  root_or_user,  ///< the file: owned by root or by who runs rgx, writable by its owner only
  root,          ///< the file and every folder above it: owned by root, writable by root only
};

struct ReadRequest {
  std::string path;  ///< `-` = standard input, where `standard_input` allows it
  std::size_t bytes_max = 0;
  Ownership ownership = Ownership::any;
  bool standard_input = false;
};

/// The bytes of a file. Errors: file.missing, file.too_large, file.not_a_file, file.unreadable;
/// file.unsafe (environment) names what is wrong with the ownership and how to mend it. With an
/// ownership other than `any` all of them are environment errors.
[[nodiscard]] Result<std::string> read_file(const ReadRequest& request);

/// `path` with the links of its existing part followed; `path` itself where that is impossible.
[[nodiscard]] std::string canonical_path(const std::string& path);

/// False only where nothing is there for certain: a place that cannot be looked at counts as there,
/// so does one below a link that leads nowhere. Reading it then says what is wrong.
[[nodiscard]] bool exists(const std::string& path);

/// What is in a folder can be removed by whoever can write it. A folder that is not there is safe.
/// Errors: file.unsafe, file.unreadable.
[[nodiscard]] Status check_folder(const std::string& folder, Ownership ownership);

enum class IfExists : std::uint8_t { replace, refuse };

/// Writes a file durably and as a whole: nobody sees half of it, and a failure leaves nothing.
/// Errors: file.exists (refuse), file.unwritable.
[[nodiscard]] Status write_file(const std::string& path, std::string_view bytes, std::uint32_t mode,
                                IfExists if_exists);

/// Makes a folder and those above it (owner only where made); one that is there is fine.
[[nodiscard]] Status make_folder(const std::string& path);

/// The name of `error`, an errno, as strerror has it.
[[nodiscard]] std::string errno_text(int error);

}  // namespace rgx::cli
