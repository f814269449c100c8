#include "cli/progress_sink.h"

#include "base/text.h"
#include "cli/progress_frame.h"
#include "tests/support/scratch_dir.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <pty.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

namespace rgx::cli {
namespace {

/// Two ends; what is still open is closed in the end.
struct Ends {
  int reader = -1;
  int writer = -1;

  Ends() = default;
  Ends(const Ends&) = delete;
  Ends& operator=(const Ends&) = delete;
  ~Ends() {
    close_reader();
    if (writer >= 0) {
      ::close(writer);
    }
  }
  void close_reader() {
    if (reader >= 0) {
      ::close(reader);
      reader = -1;
    }
  }
};

struct Pipe : Ends {
  Pipe() {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe2(ends.data(), O_CLOEXEC), 0);
    reader = ends[0];
    writer = ends[1];
    EXPECT_EQ(::fcntl(reader, F_SETFL, O_NONBLOCK), 0);
  }
};

struct Terminal : Ends {
  explicit Terminal(TerminalSize size) {
    winsize window{};
    window.ws_row = static_cast<unsigned short>(size.rows);
    window.ws_col = static_cast<unsigned short>(size.columns);
    EXPECT_EQ(::openpty(&reader, &writer, nullptr, nullptr, &window), 0);
    EXPECT_EQ(::fcntl(reader, F_SETFL, O_NONBLOCK), 0);
  }
};

/// Everything that is there to be read now.
std::string read_all(int descriptor) {
  std::string text;
  std::array<char, 65536> buffer{};
  for (;;) {
    const ssize_t size = ::read(descriptor, buffer.data(), buffer.size());
    if (size <= 0) {
      return text;
    }
    text.append(buffer.data(), static_cast<std::size_t>(size));
  }
}

TEST(ProgressSink, WritesThrough) {
  Pipe pipe;
  const auto sink = open_progress_sink(pipe.writer, SinkUse::lines);
  sink->write("one\n");
  EXPECT_TRUE(sink->flush());
  EXPECT_EQ(read_all(pipe.reader), "one\n");
}

TEST(ProgressSink, AReaderWhoTakesNothingHoldsNothingUp) {
  Pipe pipe;
  const auto sink = open_progress_sink(pipe.writer, SinkUse::lines);
  std::string sent;
  for (int i = 0; i < 3000; ++i) {
    const std::string line = std::to_string(i) + std::string(90, '.') + "\n";
    sink->write(line);  // a pipe holds 64 KiB: this would block
    sent += line;
  }
  EXPECT_FALSE(sink->flush());
  std::string got;
  while (!sink->flush()) {
    got += read_all(pipe.reader);
  }
  got += read_all(pipe.reader);
  EXPECT_EQ(got, sent) << "lost or out of order";
}

TEST(ProgressSink, TheDescriptorKeepsItsFlags) {
  Pipe pipe;
  const int before = ::fcntl(pipe.writer, F_GETFL);
  const auto sink = open_progress_sink(pipe.writer, SinkUse::lines);
  sink->write("x");
  EXPECT_EQ(::fcntl(pipe.writer, F_GETFL), before);
}

TEST(ProgressSink, AReaderWhoIsGoneEndsNeitherTheProcessNorTheRun) {
  Pipe pipe;
  const auto sink = open_progress_sink(pipe.writer, SinkUse::lines);
  pipe.close_reader();
  sink->write("nobody reads this\n");  // SIGPIPE would end the test program
  EXPECT_TRUE(sink->flush());
  sink->write("nor this\n");
  sink->drain(0);
}

TEST(ProgressSink, PatienceHasAnEnd) {
  Pipe pipe;
  const auto sink = open_progress_sink(pipe.writer, SinkUse::lines);
  sink->write(std::string(1 << 20, 'x'));
  sink->drain(100);
  EXPECT_FALSE(sink->flush());
}

TEST(ProgressSink, BeyondItsLimitTheStreamIsCutAndHasNoHole) {
  Pipe pipe;
  const auto sink = open_progress_sink(pipe.writer, SinkUse::lines);
  const std::string chunk(kSinkBytesMax / 4, 'x');
  for (int i = 0; i < 4; ++i) {
    sink->write(chunk);
  }
  sink->write(std::string(1 << 20, 'y'));  // too much
  sink->write("z");                        // would fit, but follows a gap
  std::size_t got = 0;
  while (!sink->flush()) {
    got += read_all(pipe.reader).size();
  }
  got += read_all(pipe.reader).size();
  EXPECT_EQ(got, 4 * chunk.size());
}

TEST(ProgressSink, AppendsToARegularFile) {
  const rgx::test::ScratchDir scratch;
  Ends file;
  file.writer = ::open((scratch.path() / "log").c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ASSERT_GE(file.writer, 0);
  ASSERT_EQ(::write(file.writer, "before\n", 7), 7);
  {
    const auto sink = open_progress_sink(file.writer, SinkUse::lines);
    sink->write("after\n");
  }
  std::array<char, 32> text{};
  EXPECT_EQ(::pread(file.writer, text.data(), text.size(), 0), 13);
  EXPECT_STREQ(text.data(), "before\nafter\n");
}

TEST(ProgressSink, AClosedDescriptorIsNobody) {
  const auto sink = open_progress_sink(-1, SinkUse::lines);
  sink->write("x");
  EXPECT_TRUE(sink->flush());
  EXPECT_EQ(sink->size(), TerminalSize{});
}

TEST(ProgressSink, KnowsTheSizeOfATerminalAtAnyTime) {
  Terminal terminal({.rows = 10, .columns = 40});
  const auto sink = open_progress_sink(terminal.writer, SinkUse::lines);
  EXPECT_EQ(sink->size(), (TerminalSize{.rows = 10, .columns = 40}));
  winsize window{};
  window.ws_row = 50;
  window.ws_col = 200;
  ASSERT_EQ(::ioctl(terminal.reader, TIOCSWINSZ, &window), 0);
  EXPECT_EQ(sink->size(), (TerminalSize{.rows = 50, .columns = 200}));
}

TEST(ProgressSink, ATerminalThatTakesNothingHoldsNothingUp) {
  Terminal terminal({});
  const auto sink = open_progress_sink(terminal.writer, SinkUse::lines);
  for (int i = 0; i < 100; ++i) {
    sink->write(std::string(10'000, 'x'));
  }
  EXPECT_FALSE(sink->flush());
}

TEST(TerminalGuard, ASignalInTheMiddleOfAFrameGivesTheModesBack) {
  Terminal terminal({});
  Pipe ready;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGTERM, SIG_DFL);
    const auto sink = open_progress_sink(terminal.writer, SinkUse::terminal);
    sink->write("\x1b[?7l" + std::string(1 << 20, 'x'));  // more than a terminal takes at once
    static_cast<void>(!::write(ready.writer, "x", 1));
    for (;;) {
      ::pause();
    }
  }
  pollfd entry{.fd = ready.reader, .events = POLLIN, .revents = 0};
  ASSERT_EQ(::poll(&entry, 1, 60'000), 1);
  const std::string begun = read_all(terminal.reader);
  EXPECT_NE(begun.find("\x1b[?7l"), std::string::npos);
  EXPECT_EQ(begun.find("\x1b[?7h"), std::string::npos);
  ASSERT_EQ(::kill(child, SIGTERM), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM)
      << "ends by the signal, as without us";
  EXPECT_TRUE(read_all(terminal.reader).ends_with(kTerminalRestore));
}

TEST(TerminalGuard, BetweenFramesThereIsNothingToGiveBack) {
  Terminal terminal({});
  Pipe ready;
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::signal(SIGTERM, SIG_DFL);
    const auto sink = open_progress_sink(terminal.writer, SinkUse::terminal);
    sink->write("frame");
    static_cast<void>(!::write(ready.writer, "x", 1));
    for (;;) {
      ::pause();
    }
  }
  pollfd entry{.fd = ready.reader, .events = POLLIN, .revents = 0};
  ASSERT_EQ(::poll(&entry, 1, 60'000), 1);
  ASSERT_EQ(::kill(child, SIGTERM), 0);
  int status = 0;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(read_all(terminal.reader), "frame");
}

TEST(TerminalGuard, LeavesSignalsThatOthersHandle) {
  Terminal terminal({});
  struct sigaction ignore{};
  ignore.sa_handler = SIG_IGN;
  struct sigaction before{};
  ASSERT_EQ(::sigaction(SIGHUP, &ignore, &before), 0);
  // A shell lets what it starts in the background ignore SIGQUIT.
  struct sigaction by_default{};
  by_default.sa_handler = SIG_DFL;
  ASSERT_EQ(::sigaction(SIGQUIT, &by_default, nullptr), 0);
  {
    const auto sink = open_progress_sink(terminal.writer, SinkUse::terminal);
    struct sigaction during{};
    ASSERT_EQ(::sigaction(SIGHUP, nullptr, &during), 0);
    EXPECT_EQ(during.sa_handler, SIG_IGN);
    ASSERT_EQ(::sigaction(SIGQUIT, nullptr, &during), 0);
    EXPECT_NE(during.sa_handler, SIG_DFL);
  }
  struct sigaction after{};
  ASSERT_EQ(::sigaction(SIGQUIT, nullptr, &after), 0);
  EXPECT_EQ(after.sa_handler, SIG_DFL);
  ASSERT_EQ(::sigaction(SIGHUP, &before, nullptr), 0);
}

TEST(TerminalGuard, NoticesThatTheProcessWasStopped) {
  Terminal terminal({});
  const auto sink = open_progress_sink(terminal.writer, SinkUse::terminal);
  EXPECT_FALSE(sink->take_continued());
  ASSERT_EQ(::raise(SIGCONT), 0);
  EXPECT_TRUE(sink->take_continued());
  EXPECT_FALSE(sink->take_continued());
}

}  // namespace
}  // namespace rgx::cli
