// Shell text: what is read, quoted and read again, gives the same commands.
#include "policy/shell_text.h"

#include <algorithm>

#include "base/text.h"
#include "tests/fuzz/target.h"

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace rgx;
  const policy::ShellReading reading = policy::read_shell_text(fuzz::text_of(data, size));
  RGX_FUZZ_CHECK(reading.commands.has_value() == reading.problem.empty());
  RGX_FUZZ_CHECK(!find_deceptive(reading.problem));
  if (!reading.commands) {
    return 0;
  }
  RGX_FUZZ_CHECK(!reading.commands->empty());
  std::string again;
  for (const std::vector<std::string>& command : *reading.commands) {
    RGX_FUZZ_CHECK(!command.empty() && !command.front().empty());
    again += again.empty() ? "" : " && ";
    again += command.front();  // is never quoted
    for (std::size_t word = 1; word < command.size(); ++word) {
      again += ' ';
      for (const char c : command[word]) {
        again += c == '\'' ? std::string("\"'\"") : "'" + std::string(1, c) + "'";
      }
      again += "''";
    }
  }
  // Quoting one byte at a time cuts longer characters: those are compared as plain words only.
  if (std::ranges::all_of(again, [](char c) { return static_cast<unsigned char>(c) < 0x80; })) {
    RGX_FUZZ_CHECK(policy::read_shell_text(again).commands == reading.commands);
  }
  return 0;
}
