#include "cli/ledger_follow.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>

#include "cli/world.h"

namespace rgx::cli {
namespace {

constexpr int kMomentMs = 200;       // where the kernel does not tell of changes
constexpr int kToldMomentMs = 1000;  // where it does: only to look after the writer
constexpr std::size_t kEventBytes = 4096;

// The process that wrote a record, seen from the same machine. Elsewhere it counts as there.
bool is_writer_gone(const audit::Record& last) {
  const Json* host = last.env.find("host");
  const Json* pid = last.env.find("pid");
  if (host == nullptr || !host->is_string() || pid == nullptr || !pid->is_integer() ||
      host->as_string() != this_process().host || pid->as_integer() <= 0) {
    return false;
  }
  return ::kill(static_cast<pid_t>(pid->as_integer()), 0) != 0 && errno == ESRCH;
}

}  // namespace

LedgerFollower::LedgerFollower(audit::Storage& storage, const std::string& path)
    : storage_(storage),
      notifier_(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {
  if (notifier_ >= 0 && ::inotify_add_watch(notifier_, path.c_str(), IN_MODIFY) < 0) {
    static_cast<void>(::close(notifier_));
    notifier_ = -1;
  }
}

LedgerFollower::~LedgerFollower() {
  if (notifier_ >= 0) {
    static_cast<void>(::close(notifier_));
  }
}

Result<std::vector<audit::Record>> LedgerFollower::take() {
  std::vector<audit::Record> fresh;
  RGX_TRY(const std::uint64_t size, storage_.size());
  if (size == size_ && last_ && !writer_was_gone_) {
    judge_last();
    return fresh;
  }
  size_ = size;
  RGX_TRY(const audit::Verdict verdict,
          audit::verify_ledger(
              storage_, {.root_key = std::nullopt, .on_record = [&](const audit::Record& record) {
                           if (record.seq >= told_) {
                             fresh.push_back(record);
                             told_ = record.seq + 1;
                           }
                         }}));
  last_ = verdict.last;
  if (verdict.kind == audit::VerdictKind::tampered) {
    end_ = FollowEnd::damaged;
  } else {
    judge_last();
  }
  return fresh;
}

void LedgerFollower::judge_last() {
  if (!last_) {
    return;
  }
  if (last_->type == audit::RecordType::run_sealed) {
    end_ = FollowEnd::sealed;
  } else if (last_->type == audit::RecordType::run_suspended) {
    end_ = FollowEnd::suspended;
  } else if (is_writer_gone(*last_)) {
    // Its last words may have come between reading and looking: read once more before saying so.
    end_ = writer_was_gone_ ? FollowEnd::writer_gone : FollowEnd::none;
    writer_was_gone_ = true;
  }
}

void LedgerFollower::wait() {
  if (writer_was_gone_) {
    return;
  }
  pollfd entry{.fd = notifier_, .events = POLLIN, .revents = 0};
  static_cast<void>(::poll(&entry, 1, notifier_ >= 0 ? kToldMomentMs : kMomentMs));
  std::array<char, kEventBytes> events{};
  while (notifier_ >= 0 && ::read(notifier_, events.data(), events.size()) > 0) {
  }
}

}  // namespace rgx::cli
