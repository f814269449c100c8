#include <sys/random.h>

#include <cerrno>

#include "engine/posix_io.h"
#include "engine/posix_world.h"

namespace rgx::engine {

namespace {

class PosixEntropy final : public Entropy {
 public:
  Status fill(std::span<std::uint8_t> bytes) override {
    while (!bytes.empty()) {
      const ssize_t got = getrandom(bytes.data(), bytes.size(), 0);
      if (got < 0) {
        if (errno == EINTR) {
          continue;
        }
        return fail(ErrorKind::environment, "entropy.unavailable",
                    "the kernel gives no random bytes: " + system_message(errno),
                    "run where `getrandom` is allowed");
      }
      bytes = bytes.subspan(static_cast<std::size_t>(got));
    }
    return {};
  }
};

}  // namespace

std::unique_ptr<Entropy> real_entropy() {
  return std::make_unique<PosixEntropy>();
}

}  // namespace rgx::engine
