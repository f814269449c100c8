#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "engine/sandbox.h"

namespace rgx::test {

/// Holds nothing; says what strength the test wants and records what it was asked to hold, from
/// any thread, as the real one may be asked.
class RecordingSandbox final : public engine::Sandbox {
 public:
  engine::SandboxStrength claimed = engine::SandboxStrength::landlock;

  [[nodiscard]] std::vector<engine::SandboxSpec> specs() const {
    const std::scoped_lock lock(mutex_);
    return specs_;
  }

  engine::SandboxStrength strength() override { return claimed; }
  Result<std::unique_ptr<engine::PreparedSandbox>> prepare(
      const engine::SandboxSpec& spec) override {
    const std::scoped_lock lock(mutex_);
    specs_.push_back(spec);
    return std::unique_ptr<engine::PreparedSandbox>(std::make_unique<Nothing>(claimed));
  }

 private:
  class Nothing final : public engine::PreparedSandbox {
   public:
    explicit Nothing(engine::SandboxStrength strength) : strength_(strength) {}
    int enter() noexcept override { return 0; }
    engine::SandboxStrength strength() const override { return strength_; }

   private:
    engine::SandboxStrength strength_;
  };
  mutable std::mutex mutex_;
  std::vector<engine::SandboxSpec> specs_;
};

}  // namespace rgx::test
