#include "engine/tracked_images.h"

#include <algorithm>

#include "base/canonical.h"
#include "base/glob.h"
#include "base/text.h"
#include "engine/run_records.h"

namespace rgx::engine {

namespace {

constexpr std::size_t kFilesMax = 20000;
constexpr std::size_t kNewFilesMax = 2000;
constexpr std::int64_t kFileBytesMax = std::int64_t{16} << 20;
constexpr std::int64_t kBytesMax = std::int64_t{256} << 20;  // of all of them

/// The folder or file that every match of a pattern is at or below.
std::string place_of(const Glob& glob) {
  std::string place;
  for (const std::string_view part : split(glob.pattern(), '/')) {
    if (part.find_first_of("*?[") != std::string_view::npos) {
      break;
    }
    place += (place.empty() ? "" : "/") + std::string(part);
  }
  return place.empty() ? "." : place;
}

/// What a program may write inside the workspace, as patterns and as the places to look at. A
/// place that does not exist counts: the program may make it.
Status find_places(const policy::Facts& facts, std::vector<Glob>& globs,
                   std::vector<std::string>& places) {
  for (const policy::PathFact& write : facts.writes) {
    if (write.path.starts_with("abs:") || write.path.starts_with("home:")) {
      continue;
    }
    RGX_TRY(Glob glob, Glob::parse(write.path));
    places.push_back(place_of(glob));
    globs.push_back(std::move(glob));
  }
  return {};
}

bool covers(const std::vector<Glob>& globs, const std::string& path) {
  return std::ranges::any_of(globs, [&path](const Glob& glob) { return glob.matches(path); });
}

Result<std::vector<RepositoryFile>> covered_files(const std::vector<Glob>& globs,
                                                  const std::vector<std::string>& places,
                                                  ToolPorts& ports) {
  std::vector<std::string> existing;
  for (const std::string& place : places) {
    RGX_TRY(const EntryKind kind, ports.workspace.kind(place));
    if (kind == EntryKind::file || kind == EntryKind::directory) {
      existing.push_back(place);
    }
  }
  if (existing.empty()) {
    return std::vector<RepositoryFile>();
  }
  RGX_TRY(std::vector<RepositoryFile> files, ports.repository.files(existing));
  std::erase_if(files, [&globs](const RepositoryFile& file) { return !covers(globs, file.path); });
  return files;
}

}  // namespace

std::string images_file(std::size_t step) {
  return "images-" + std::to_string(step) + ".json";
}

Result<TrackedImages> TrackedImages::take(const policy::Facts& facts, const RunId& run,
                                          std::size_t step, ToolPorts& ports) {
  TrackedImages taken;
  RGX_TRY_STATUS(find_places(facts, taken.globs_, taken.places_));
  if (taken.places_.empty()) {
    return taken;
  }
  const auto files = covered_files(taken.globs_, taken.places_, ports);
  auto strange = ports.repository.untracked(taken.places_);
  if (!files || !strange) {
    taken.missing_ = (files ? strange.error() : files.error()).first().message;
    return taken;
  }
  taken.strange_ = std::move(*strange);
  std::int64_t bytes = 0;
  for (const RepositoryFile& file : *files) {
    bytes += file.size_bytes;
    if (file.size_bytes > kFileBytesMax || bytes > kBytesMax || files->size() > kFilesMax) {
      taken.missing_ = "the tracked files that the program may write are too many or too large";
      return taken;
    }
  }
  std::vector<Change> images;
  for (const RepositoryFile& file : *files) {
    RGX_TRY(const std::optional<FileState> state, ports.workspace.state(file.path));
    if (!state) {
      continue;
    }
    RGX_TRY(const std::string content,
            ports.workspace.read(file.path, static_cast<std::size_t>(kFileBytesMax)));
    RGX_TRY(const Digest stored, ports.state.objects().put(content));
    images.push_back({file.path, stored, std::nullopt, state->mode});
  }
  if (!images.empty()) {
    RGX_TRY_STATUS(ports.state.write_run_file(run, images_file(step), canonical(to_json(images))));
  }
  taken.images_ = std::move(images);
  return taken;
}

/// Files that the program made, as far as git would show them.
Status TrackedImages::note_new_files(ToolPorts& ports, std::vector<Change>& changed) const {
  RGX_TRY(const std::vector<std::string> now, ports.repository.untracked(places_));
  std::size_t found = 0;
  for (const std::string& path : now) {
    if (std::ranges::binary_search(strange_, path) || !covers(globs_, path)) {
      continue;
    }
    if (++found > kNewFilesMax) {
      return fail(ErrorKind::failed, "exec.too_many_new_files",
                  "the program made more than " + std::to_string(kNewFilesMax) +
                      " files that git does not ignore",
                  "let git ignore what programs make");
    }
    const auto state = ports.workspace.state(path);
    if (!state) {
      continue;
    }
    if (const std::optional<FileState>& made = *state; made) {
      changed.push_back({path, std::nullopt, made->digest, std::nullopt, made->mode});
    }
  }
  return {};
}

std::vector<Change> TrackedImages::changes(ToolPorts& ports) {
  std::vector<Change> changed;
  if (places_.empty() || !missing_.empty()) {
    return changed;
  }
  for (const Change& image : images_) {
    const auto now = ports.workspace.state(image.path);
    const std::optional<FileState> file = now ? *now : std::nullopt;
    if (file && file->digest == image.before && file->mode == image.before_mode) {
      continue;
    }
    Change change = image;
    if (file) {
      change.after = file->digest;
      change.after_mode = file->mode;
    }
    changed.push_back(std::move(change));
  }
  if (const Status noted = note_new_files(ports, changed); !noted) {
    missing_ = noted.error().first().message;
  }
  std::ranges::sort(changed, {}, &Change::path);
  return changed;
}

}  // namespace rgx::engine
