#include "base/path.h"

#include <vector>

#include "base/text.h"

namespace rgx {

namespace {

constexpr std::string_view kHome = "home:";
constexpr std::string_view kAbs = "abs:";

tl::unexpected<Error> refuse(std::string_view code, std::string_view path, std::string_view why,
                             std::string_view remedy) {
  // A path beyond the limit is shown only by its start.
  const std::string shown = printable(path.substr(0, 200));
  return fail(ErrorKind::usage, code, "path `" + shown + "` " + std::string(why), remedy);
}

Status check_text(std::string_view path) {
  if (path.empty()) {
    return fail(ErrorKind::usage, "path.empty", "path is empty",
                "write `.` for the workspace itself");
  }
  if (path.size() > kPathBytesMax) {
    return refuse("path.too_long", path,
                  "has more than " + std::to_string(kPathBytesMax) + " bytes",
                  "use a shorter path");
  }
  if (!is_utf8(path)) {
    return refuse("path.utf8", path, "is not valid UTF-8", "rename the file");
  }
  if (find_deceptive(path)) {
    return refuse("path.control", path, "contains a control or invisible character",
                  "remove the character that is shown escaped");
  }
  return {};
}

}  // namespace

Result<std::string> normal_path(std::string_view path) {
  RGX_TRY_STATUS(check_text(path));
  std::string_view prefix;
  std::string_view rest = path;
  if (rest.starts_with(kHome)) {
    prefix = kHome;
    rest.remove_prefix(kHome.size());
  } else if (rest.starts_with(kAbs)) {
    prefix = kAbs;
    rest.remove_prefix(kAbs.size());
    if (!rest.starts_with("/")) {
      return refuse("path.prefix", path, "does not go on with `/` after `abs:`",
                    "write `abs:/etc/hosts`, or leave `abs:` out for a workspace path");
    }
    rest.remove_prefix(1);
  }
  if (rest.starts_with("/") && prefix != kAbs) {
    return refuse("path.absolute", path, "starts with `/`",
                  "write it relative to the workspace, or as `abs:/...`");
  }
  std::vector<std::string> parts;
  for (const std::string_view part : split(rest, '/')) {
    if (part.empty() || part == ".") {
      continue;
    }
    if (part == "..") {
      if (parts.empty()) {
        return refuse("path.escapes", path, "leaves its root through `..`",
                      "name a path below the root, or use `abs:/...`");
      }
      parts.pop_back();
      continue;
    }
    if (part.size() > kPathComponentBytesMax) {
      return refuse(
          "path.too_long", path,
          "has a component of more than " + std::to_string(kPathComponentBytesMax) + " bytes",
          "use shorter names");
    }
    parts.emplace_back(part);
  }
  // `./home:x` would read as a home path once `./` is gone: normal forms must be unambiguous.
  if (prefix.empty() && !parts.empty() &&
      (parts.front().starts_with(kHome) || parts.front().starts_with(kAbs))) {
    return refuse("path.prefix", path, "has a name that reads as a `home:` or `abs:` prefix",
                  "rename the file, or write the prefix at the very start");
  }
  const std::string joined = join(parts, "/");
  if (prefix == kAbs) {
    return std::string(kAbs) + "/" + joined;
  }
  return std::string(prefix) + (joined.empty() ? "." : joined);
}

}  // namespace rgx
