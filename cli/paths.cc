#include "cli/paths.h"

#include "base/text.h"

namespace rgx::cli {
namespace {

struct Source {
  std::string_view variable;
  std::string_view xdg;
  std::string_view below_home;
};

Result<std::string> absolute(std::string_view variable, const std::string& value) {
  if (!value.starts_with('/')) {
    return fail(ErrorKind::usage, "paths.relative",
                "the variable " + std::string(variable) + " is `" + printable(value) +
                    "`, which is not an absolute path",
                "set " + std::string(variable) + " to a path that starts with `/`, or unset it");
  }
  return value;
}

Result<std::string> folder(const Environment& environment, const Source& source) {
  for (const std::string_view variable : {source.variable, source.xdg}) {
    if (const auto value = environment.find(variable)) {
      return absolute(variable, *value);
    }
  }
  if (const auto home = environment.find("HOME")) {
    RGX_TRY(const std::string parent, absolute("HOME", *home));
    return parent + std::string(source.below_home);
  }
  return fail(ErrorKind::environment, "paths.no_home",
              "there is no place for rgx's own files: neither " + std::string(source.variable) +
                  " nor " + std::string(source.xdg) + " nor HOME is set",
              "set HOME");
}

}  // namespace

Result<Paths> find_paths(const Environment& environment) {
  Paths paths;
  RGX_TRY(const std::string config_home,
          folder(environment, {"RGX_CONFIG_HOME", "XDG_CONFIG_HOME", "/.config"}));
  paths.config_dir = config_home + "/rgx";
  RGX_TRY(paths.state_home,
          folder(environment, {"RGX_STATE_HOME", "XDG_STATE_HOME", "/.local/state"}));
  return paths;
}

}  // namespace rgx::cli
