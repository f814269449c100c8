#pragma once

#include <algorithm>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

namespace rgx::test {

/// What several fakes were asked, in one order: `workspace.write src/a.c`, `ledger.sync`. Workers
/// write to it, too.
class CallLog {
 public:
  void add(std::string call) {
    const std::scoped_lock lock(mutex_);
    calls_.push_back(std::move(call));
  }
  [[nodiscard]] std::vector<std::string> calls() const {
    const std::scoped_lock lock(mutex_);
    return calls_;
  }
  /// Position of the first call at or after `from` that starts so; npos when there is none.
  [[nodiscard]] std::size_t find(std::string_view start, std::size_t from = 0) const {
    const std::vector<std::string> all = calls();
    for (std::size_t at = from; at < all.size(); ++at) {
      if (all[at].starts_with(start)) {
        return at;
      }
    }
    return npos;
  }
  [[nodiscard]] std::size_t count(std::string_view start) const {
    const std::vector<std::string> all = calls();
    return static_cast<std::size_t>(std::count_if(
        all.begin(), all.end(), [start](const auto& call) { return call.starts_with(start); }));
  }

  // NOLINTNEXTLINE(readability-identifier-naming): as in std::string
  static constexpr std::size_t npos = static_cast<std::size_t>(-1);

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> calls_;
};

}  // namespace rgx::test
