#include "engine/pins.h"

#include <algorithm>

#include "base/glob.h"
#include "base/text.h"

namespace rgx::engine {

namespace {

tl::unexpected<Error> drift(const std::string& path, std::string_view how) {
  return fail(ErrorKind::drift, "step.drift", "`" + printable(path) + "` " + std::string(how),
              "compile the plan again and look at the difference");
}

}  // namespace

PinTable::PinTable(const templates::Plan& plan) {
  for (const templates::Step& step : plan.steps) {
    for (const templates::Pin& pin : step.pins) {
      if (pin.after) {
        wanted_[*pin.after].insert(pin.path);
      }
    }
  }
}

std::map<std::string, Digest> PinTable::expected(const templates::Step& step) const {
  std::map<std::string, Digest> all;
  for (const templates::Pin& pin : step.pins) {
    if (pin.after) {
      const auto image = images_.find({*pin.after, pin.path});
      const Image left = image == images_.end() ? Image() : image->second;
      if (left) {
        all.emplace(pin.path, *left);
      }
    } else {
      all.emplace(pin.path, pin.digest);
    }
  }
  return all;
}

Status PinTable::check(const templates::Step& step, Workspace& workspace) const {
  const auto digests = expected(step);
  for (const templates::Pin& pin : step.pins) {
    const auto wanted = digests.find(pin.path);
    if (wanted == digests.end()) {
      return drift(pin.path, "was removed by the step before");
    }
    const auto now = workspace.state(pin.path);
    if (!now) {
      if (now.error().kind == ErrorKind::environment) {
        return fail(now.error());
      }
      return drift(pin.path, "is no regular file any more: " + now.error().first().message);
    }
    const std::optional<FileState>& file = *now;
    if (!file) {
      return drift(pin.path, "is gone");
    }
    if (file->digest != wanted->second) {
      return drift(pin.path, "has changed since the plan was made");
    }
  }
  return {};
}

Status PinTable::record(const templates::Step& step, const std::vector<Change>& changed,
                        Workspace& workspace) {
  for (const Change& change : changed) {
    changed_[change.path] = change.after;
  }
  const auto wanted = wanted_.find(step.id);
  if (wanted == wanted_.end()) {
    return {};
  }
  for (const std::string& path : wanted->second) {
    const auto change = std::ranges::find(changed, path, &Change::path);
    if (change != changed.end()) {
      images_[{step.id, path}] = change->after;
      continue;
    }
    // The step may have written it by a pattern: what is there now is what it left.
    RGX_TRY(const auto now, workspace.state(path));
    images_[{step.id, path}] = now ? Image(now->digest) : Image();
  }
  return {};
}

Status PinTable::pass_over(const templates::Step& step, Workspace& workspace) {
  const auto wanted = wanted_.find(step.id);
  if (wanted == wanted_.end()) {
    return {};
  }
  const auto before = expected(step);
  for (const std::string& path : wanted->second) {
    if (const auto pinned = before.find(path); pinned != before.end()) {
      images_[{step.id, path}] = pinned->second;
      continue;
    }
    RGX_TRY(const auto now, workspace.state(path));
    images_[{step.id, path}] = now ? Image(now->digest) : Image();
  }
  return {};
}

std::optional<std::string> PinTable::find_foreign_change(const std::vector<std::string>& writes,
                                                         Workspace& workspace) const {
  std::vector<Glob> allowed;
  for (const std::string& pattern : writes) {
    if (auto glob = Glob::parse(pattern)) {
      allowed.push_back(std::move(*glob));
    }
  }
  for (const auto& [path, image] : changed_) {
    const std::string& name = path;
    if (std::ranges::any_of(allowed, [&name](const Glob& glob) { return glob.matches(name); })) {
      continue;
    }
    const auto now = workspace.state(path);
    const std::optional<FileState> file = now ? *now : std::nullopt;
    if (!now || (file ? Image(file->digest) : Image()) != image) {
      return path;
    }
  }
  return std::nullopt;
}

}  // namespace rgx::engine
