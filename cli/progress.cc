#include "cli/progress.h"

#include <array>
#include <optional>

#include "base/check.h"
#include "base/text.h"
#include "cli/progress_painters.h"

namespace rgx::cli {
namespace {

class SilentPainter final : public ProgressPainter {
 public:
  void on(const ProgressEvent& /*event*/) override {}
  void tick(std::int64_t /*now_ms*/) override {}
  void finish() override {}
};

template <class Enum, std::size_t N>
Result<Enum> choose(std::string_view text,
                    const std::array<std::pair<std::string_view, Enum>, N>& words,
                    std::string_view code, std::string_view flag) {
  std::array<std::string_view, N> names{};
  std::string list;
  for (std::size_t i = 0; i < N; ++i) {
    if (words.at(i).first == text) {
      return words.at(i).second;
    }
    names.at(i) = words.at(i).first;
    list += (i == 0 ? "" : (i + 1 == N ? " or " : ", ")) + std::string(words.at(i).first);
  }
  const auto guess = nearest(text, names);
  return fail(ErrorKind::usage, code,
              "`" + printable(text) + "` is no value of `" + std::string(flag) + "`",
              guess ? "did you mean `" + *guess + "`?" : "use " + list);
}

enum class SymbolChoice : std::uint8_t { automatic, ascii, unicode };

constexpr std::array<std::pair<std::string_view, ProgressMode>, 5> kModes = {
    {{"auto", ProgressMode::automatic},
     {"live", ProgressMode::live},
     {"plain", ProgressMode::plain},
     {"json", ProgressMode::json},
     {"none", ProgressMode::none}}};
constexpr std::array<std::pair<std::string_view, SymbolChoice>, 3> kSymbolChoices = {
    {{"auto", SymbolChoice::automatic},
     {"ascii", SymbolChoice::ascii},
     {"unicode", SymbolChoice::unicode}}};

/// The first of these that is set names the locale (POSIX).
bool is_utf8_locale(const Environment& environment) {
  for (const std::string_view name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const auto value = environment.find(name);
    if (value) {
      return value->find("UTF-8") != std::string::npos ||
             value->find("utf8") != std::string::npos || value->find("UTF8") != std::string::npos ||
             value->find("utf-8") != std::string::npos;
    }
  }
  return false;
}

bool is_set(const Environment& environment, std::string_view name) {
  const auto value = environment.find(name);
  return value && *value != "0" && *value != "false";
}

LogHost host_of(const Environment& environment) {
  if (is_set(environment, "GITHUB_ACTIONS")) {
    return LogHost::github;
  }
  return is_set(environment, "BUILDKITE") ? LogHost::buildkite : LogHost::other;
}

ProgressMode effective(ProgressMode asked, const Environment& environment, bool is_terminal) {
  if (asked == ProgressMode::live && !is_terminal) {
    return ProgressMode::plain;  // nothing can be painted over in a file or a pipe
  }
  if (asked != ProgressMode::automatic) {
    return asked;
  }
  const auto term = environment.find("TERM");
  const bool can_paint = is_terminal && term && *term != "dumb";
  const bool is_wanted = !is_set(environment, "CI") && !is_set(environment, "ACCESSIBLE");
  return can_paint && is_wanted ? ProgressMode::live : ProgressMode::plain;
}

}  // namespace

Result<ProgressSettings> resolve_progress(const ProgressChoice& choice,
                                          const Environment& environment, bool stderr_is_terminal) {
  RGX_TRY(const ProgressMode mode, choose(choice.mode, kModes, "progress.mode", "--progress"));
  RGX_TRY(const SymbolChoice symbols,
          choose(choice.symbols, kSymbolChoices, "progress.symbols", "--symbols"));
  const bool unicode = symbols == SymbolChoice::unicode ||
                       (symbols == SymbolChoice::automatic && is_utf8_locale(environment));
  return ProgressSettings{
      .mode = effective(mode, environment, stderr_is_terminal),
      .symbols = unicode ? Symbols::unicode : Symbols::ascii,
      .colour = colour_for(environment, stderr_is_terminal),
      .wording = is_set(environment, "ACCESSIBLE") ? Wording::sentences : Wording::terse,
      .host = host_of(environment),
      .fence = {}};
}

std::unique_ptr<ProgressPainter> make_painter(const ProgressSettings& settings,
                                              ProgressSink& sink) {
  switch (settings.mode) {
    case ProgressMode::automatic:
      break;
    case ProgressMode::live:
      return make_live_painter(settings, sink);
    case ProgressMode::plain:
      return make_plain_painter(settings, sink);
    case ProgressMode::json:
      return make_json_painter(sink);
    case ProgressMode::none:
      return std::make_unique<SilentPainter>();
  }
  RGX_CHECK(false);  // resolve_progress never answers automatic
}

}  // namespace rgx::cli
