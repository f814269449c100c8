#include "engine/exec_view.h"

#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <optional>
#include <system_error>

#include "base/glob.h"
#include "base/text.h"
#include "policy/decision.h"

namespace rgx::engine {

namespace {

/// A grant of the form `P/**`, `**` or P, with P literal.
struct Place {
  std::string path;  ///< `.` = the root
  bool below = false;
};

std::optional<Place> place_of(const std::string& pattern) {
  Place place{pattern, false};
  if (pattern == "**") {
    place = {".", true};
  } else if (pattern.ends_with("/**")) {
    place = {pattern.substr(0, pattern.size() - 3), true};
  }
  const auto glob = Glob::parse(place.path);
  return glob && glob->is_literal() ? std::optional(place) : std::nullopt;
}

tl::unexpected<Error> unsupported(const std::string& pattern, std::string_view how,
                                  std::string_view why) {
  return fail(ErrorKind::failed, "exec.grant_unsupported",
              "the sandbox cannot hold a program to " + std::string(how) + " `" +
                  printable(pattern) + "`: " + std::string(why),
              "declare a folder as `FOLDER/**`, or a file that exists");
}

bool is_outside(const std::string& pattern) {
  return pattern.starts_with("abs:");
}

std::string absolute(const std::string& path, Workspace& workspace) {
  if (is_outside(path)) {
    return path.substr(4);
  }
  return path == "." ? workspace.root() : workspace.root() + "/" + path;
}

Status grant_read(const std::string& pattern, Workspace& workspace, ExecView& view) {
  const auto place = place_of(pattern);
  if (pattern.starts_with("home:")) {
    return unsupported(pattern, "reading", "a home is not part of its view");
  }
  if (!place) {
    return unsupported(pattern, "reading", "it is a pattern, not a place");
  }
  // What is not there cannot be read; the sandbox leaves it out.
  view.sandbox.read_below.push_back(absolute(place->path, workspace));
  return {};
}

/// The root without what is protected: the kernel cannot take something out of a grant.
Status grant_root(Workspace& workspace, ExecView& view) {
  RGX_TRY(const auto entries, workspace.list("."));
  for (const Entry& entry : entries) {
    const bool grantable = entry.kind == EntryKind::file || entry.kind == EntryKind::directory;
    if (grantable && !policy::is_protected(entry.name) &&
        !policy::is_protected(entry.name + "/x")) {
      view.sandbox.write_below.push_back(absolute(entry.name, workspace));
    }
  }
  return {};
}

Status grant_write(const std::string& pattern, Workspace& workspace, ExecView& view) {
  const auto place = place_of(pattern);
  if (!place || pattern.starts_with("home:")) {
    return unsupported(pattern, "writing", "it is a pattern, not a place");
  }
  if (is_outside(pattern)) {
    view.sandbox.write_below.push_back(absolute(place->path, workspace));
    return {};
  }
  if (place->path == ".") {
    return grant_root(workspace, view);
  }
  RGX_TRY(const EntryKind kind, workspace.kind(place->path));
  switch (kind) {
    case EntryKind::missing:
      if (!place->below) {
        return unsupported(pattern, "writing", "it does not exist yet");
      }
      RGX_TRY_STATUS(workspace.make_directory(place->path));
      view.made.push_back(place->path);
      break;
    case EntryKind::directory:
      if (!place->below) {
        return unsupported(pattern, "writing", "it is a folder");
      }
      break;
    case EntryKind::file:
      if (place->below) {
        return unsupported(pattern, "writing", "it is a file");
      }
      break;
    case EntryKind::symlink:
    case EntryKind::other:
      return unsupported(pattern, "writing", "it is a link or a special file");
  }
  view.sandbox.write_below.push_back(absolute(place->path, workspace));
  return {};
}

/// Root reads what the modes keep from others, so `/etc` is granted name by name, as far as
/// everybody may read it.
void add_settings(std::vector<std::string>& view) {
  if (geteuid() != 0) {
    view.emplace_back("/etc");
    return;
  }
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator("/etc", error)) {
    struct stat status = {};
    if (stat(entry.path().c_str(), &status) == 0 && (status.st_mode & S_IROTH) != 0) {
      view.push_back(entry.path().string());
    }
  }
}

std::vector<std::string> make_system_view() {
  std::vector<std::string> view = {"/usr", "/bin",   "/sbin",
                                   "/lib", "/lib32", "/lib64",
                                   "/opt", "/proc",  "/sys/devices/system/cpu"};
  for (const char* device :
       {"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}) {
    view.emplace_back(device);
  }
  add_settings(view);
  return view;
}

}  // namespace

const std::vector<std::string>& system_view() {
  static const std::vector<std::string> kView = make_system_view();
  return kView;
}

Result<ExecView> make_exec_view(const policy::Facts& facts, const std::string& scratch,
                                Workspace& workspace) {
  ExecView view;
  view.sandbox.read_below = system_view();
  view.sandbox.read_below.push_back(scratch);
  view.sandbox.write_below = {scratch, "/dev/null", "/dev/zero", "/dev/full"};
  view.sandbox.network = !facts.hosts.empty();
  if (facts.program && facts.program->path) {
    view.sandbox.read_below.push_back(*facts.program->path);
  }
  for (const policy::PathFact& read : facts.reads) {
    RGX_TRY_STATUS(grant_read(read.path, workspace, view));
  }
  for (const policy::PathFact& write : facts.writes) {
    RGX_TRY_STATUS(grant_write(write.path, workspace, view));
  }
  return view;
}

}  // namespace rgx::engine
