#pragma once

#include "cli/output.h"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace rgx::cli::test {

/// One stream in memory.
class MemoryStream {
 public:
  MemoryStream() : file_(::open_memstream(&bytes_, &size_)) {}
  ~MemoryStream() {
    static_cast<void>(std::fclose(file_));
    std::free(bytes_);
  }
  MemoryStream(const MemoryStream&) = delete;
  MemoryStream& operator=(const MemoryStream&) = delete;
  MemoryStream(MemoryStream&&) = delete;
  MemoryStream& operator=(MemoryStream&&) = delete;

  [[nodiscard]] std::FILE* file() const { return file_; }
  [[nodiscard]] std::string text() {
    static_cast<void>(std::fflush(file_));
    return {bytes_, size_};
  }

 private:
  char* bytes_ = nullptr;
  std::size_t size_ = 0;
  std::FILE* file_;
};

/// An Output whose two streams can be read back.
struct CapturedOutput {
  MemoryStream result;
  MemoryStream human;
  Output output;

  explicit CapturedOutput(Colour colour = Colour::off)
      : output({result.file(), colour}, {human.file(), colour}) {}
};

}  // namespace rgx::cli::test
