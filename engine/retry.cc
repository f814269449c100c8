#include "engine/retry.h"

#include <algorithm>
#include <array>
#include <string>

#include "base/digest.h"
#include "base/prng.h"

namespace rgx::engine {

namespace {

constexpr int kTemporaryFailure = 75;  // EX_TEMPFAIL of sysexits.h: "try again later"
/// What may pass by itself: too many processes, a lost starter.
constexpr std::array<std::string_view, 2> kTransientCodes = {"process.lost", "process.not_started"};

bool is_transient(const Outcome& outcome) {
  return outcome.exit_code == kTemporaryFailure ||
         (outcome.error &&
          std::ranges::find(kTransientCodes, outcome.error->code) != kTransientCodes.end());
}

std::uint64_t seed_of(std::string_view seed, const templates::Step& step, std::int64_t attempt) {
  const Digest digest = digest_domain(
      "rgx.retry/v1", std::string(seed) + '\0' + step.id.text() + '\0' + std::to_string(attempt));
  std::uint64_t number = 0;
  for (const char digit : digest.hex().substr(0, 16)) {
    const auto value = digit <= '9' ? digit - '0' : digit - 'a' + 10;
    number = number * 16 + static_cast<std::uint64_t>(value);
  }
  return number;
}

}  // namespace

std::optional<std::string_view> retry_reason(const Outcome& outcome) {
  switch (outcome.state) {
    case StepState::timed_out:
      return "timed_out";
    case StepState::failed:
      if (outcome.error && outcome.error->code == "workspace.changed") {
        return std::nullopt;  // drift: the plan does not fit any more
      }
      return is_transient(outcome) ? "transient" : "failed";
    case StepState::succeeded:
    case StepState::cancelled:
    case StepState::refused:
    case StepState::skipped:
      break;
  }
  return std::nullopt;
}

std::optional<std::int64_t> retry_delay_ms(const templates::Step& step, std::int64_t attempt,
                                           const Outcome& outcome, std::string_view seed) {
  if (!step.retry || attempt >= step.retry->attempts_max) {
    return std::nullopt;
  }
  const auto reason = retry_reason(outcome);
  const auto& reasons = step.retry->reasons;
  if (!reason || std::ranges::find(reasons, *reason) == reasons.end()) {
    return std::nullopt;
  }
  if (!outcome.changed.empty() && !step.idempotent) {
    return std::nullopt;  // a second time could do something else
  }
  std::int64_t pause = step.retry->backoff_ms;
  for (std::int64_t doubled = 1; doubled < attempt; ++doubled) {
    pause = std::min(pause * 2, templates::kBackoffMsMax);
  }
  Prng jitter(seed_of(seed, step, attempt));
  return pause + static_cast<std::int64_t>(jitter.below(static_cast<std::uint64_t>(pause / 4) + 1));
}

}  // namespace rgx::engine
