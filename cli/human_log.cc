#include "cli/human_log.h"

#include <spdlog/logger.h>
#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/base_sink.h>

#include <mutex>

namespace rgx::cli {
namespace {

// spdlog's own sinks for FILE throw when a write fails; here a lost line ends nothing.
class StreamSink final : public spdlog::sinks::base_sink<std::mutex> {
 public:
  explicit StreamSink(std::FILE* file) : file_(file) {}

 private:
  void sink_it_(const spdlog::details::log_msg& message) override {
    spdlog::memory_buf_t line;
    base_sink::formatter_->format(message, line);
    static_cast<void>(std::fwrite(line.data(), 1, line.size(), file_));
    flush_();
  }
  void flush_() override { static_cast<void>(std::fflush(file_)); }

  std::FILE* file_;
};

}  // namespace

struct HumanLog::Logger {
  explicit Logger(std::FILE* file) : log("rgx", std::make_shared<StreamSink>(file)) {
    // The words alone: no time, no level, no name.
    log.set_formatter(
        std::make_unique<spdlog::pattern_formatter>("%v", spdlog::pattern_time_type::utc, "\n"));
  }
  spdlog::logger log;
};

HumanLog::HumanLog(std::FILE* file) : file_(file) {}
HumanLog::~HumanLog() = default;

void HumanLog::write(std::string_view line) {
  if (logger_ == nullptr) {
    logger_ = std::make_unique<Logger>(file_);
  }
  logger_->log.log(spdlog::level::info, spdlog::string_view_t(line.data(), line.size()));
}

}  // namespace rgx::cli
