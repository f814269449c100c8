#include "base/check.h"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

namespace rgx {

void check_failed(const char* condition, const char* file, int line) {
  // One formatted buffer and one write: other threads may be writing to stderr as well.
  char text[512];
  const int size =
      std::snprintf(text, sizeof(text), "rgx: internal error: check `%s` failed at %s:%d\n",
                    condition, file, line);
  if (size > 0) {
    const auto wanted = static_cast<std::size_t>(size);
    const std::size_t length = wanted < sizeof(text) ? wanted : sizeof(text) - 1;
    const ssize_t written = ::write(STDERR_FILENO, text, length);
    static_cast<void>(written);  // nothing is left to be done about a closed stderr
  }
  // Neither destructors nor atexit handlers run: the state they would see is not to be trusted.
  _exit(70);
}

}  // namespace rgx
