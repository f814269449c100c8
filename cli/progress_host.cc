#include "cli/progress_host.h"

#include <utility>

#include "base/digest.h"

namespace rgx::cli {
namespace {

constexpr std::size_t kTokenDigits = 32;

enum class Part : std::uint8_t { message, property };

/// GitHub's own escapes; a property also ends at a colon or a comma.
std::string escaped(std::string_view text, Part part) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '%':
        out += "%25";
        break;
      case '\r':
        out += "%0D";
        break;
      case '\n':
        out += "%0A";
        break;
      case ':':
        out += part == Part::property ? "%3A" : ":";
        break;
      case ',':
        out += part == Part::property ? "%2C" : ",";
        break;
      default:
        out += c;
    }
  }
  return out;
}

}  // namespace

HostMarks::HostMarks(LogHost host, std::string fence)
    : host_(host == LogHost::github && fence.empty() ? LogHost::other : host),
      fence_(std::move(fence)) {}

std::string HostMarks::stop_commands() {
  token_ = digest_domain("rgx.progress.fence/v1", fence_ + ":" + std::to_string(tokens_++))
               .hex()
               .substr(0, kTokenDigits);
  return "::stop-commands::" + token_ + "\n";
}

std::string HostMarks::allow_commands() const {
  return "::" + token_ + "::\n";
}

std::string HostMarks::command(std::string_view line) {
  std::string out = allow_commands();  // with the old token, so before the new one is made
  out += std::string(line) + "\n";
  out += stop_commands();
  return out;
}

std::string HostMarks::begin() {
  switch (host_) {
    case LogHost::other:
      return {};
    case LogHost::github:
      return stop_commands();
    case LogHost::buildkite:
      return "--- rgx run\n";
  }
  return {};
}

std::string HostMarks::before_failure(std::string_view step) {
  return host_ == LogHost::buildkite ? "+++ step " + std::string(step) + "\n" : "";
}

std::string HostMarks::begin_output(std::string_view step) {
  return host_ == LogHost::github ? command("::group::output of " + escaped(step, Part::message))
                                  : "";
}

std::string HostMarks::end_output() {
  return host_ == LogHost::github ? command("::endgroup::") : "";
}

std::string HostMarks::after_failure(std::string_view step, std::string_view summary) {
  switch (host_) {
    case LogHost::other:
      return {};
    case LogHost::github:
      return command("::error title=" + escaped("step " + std::string(step), Part::property) +
                     "::" + escaped(summary.empty() ? "failed" : summary, Part::message));
    case LogHost::buildkite:
      return "--- rgx run goes on\n";
  }
  return {};
}

std::string HostMarks::end() {
  return host_ == LogHost::github ? allow_commands() : "";
}

}  // namespace rgx::cli
