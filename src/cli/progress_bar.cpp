#include "progress_bar.h"

#include <fmt/format.h>

#include <cmath>
#include <csignal>
#include <ostream>

namespace gicsim {

namespace {

/// The one thing a signal handler may touch. Function-local, so that nobody else can.
volatile std::sig_atomic_t& stop_flag() {
    static volatile std::sig_atomic_t flag = 0;
    return flag;
}

extern "C" void ask_to_stop(int) {
    stop_flag() = 1;
}

void catch_signals() {
    struct sigaction action = {};
    action.sa_handler = ask_to_stop;
    action.sa_flags = static_cast<int>(SA_RESETHAND);  // the second one is meant
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
}

std::string duration(double seconds) {
    const long whole = std::lround(seconds);
    if (whole < 100) return fmt::format("{} s", whole);
    if (whole < 6000) return fmt::format("{} min", (whole + 59) / 60);
    return fmt::format("{} h", (whole + 3599) / 3600);
}

}  // namespace

ProgressBar::ProgressBar(std::ostream& stream, bool visible) : stream_(stream), visible_(visible) {
    stop_flag() = 0;
    catch_signals();
}

ProgressBar::~ProgressBar() {
    clear();
    std::signal(SIGINT, SIG_DFL);
    std::signal(SIGTERM, SIG_DFL);
}

void ProgressBar::advance(std::uint64_t done, std::uint64_t all) {
    const auto now = Clock::now();
    if (!visible_ || all == 0 || (shown_ && now - last_ < std::chrono::milliseconds(100))) return;
    last_ = now;
    shown_ = true;
    constexpr int width = 30;
    const double part = static_cast<double>(done) / static_cast<double>(all);
    const auto full = static_cast<int>(part * width);
    const double elapsed = std::chrono::duration<double>(now - begin_).count();
    const std::string left = part > 0.01 ? duration(elapsed / part - elapsed) : "-";
    stream_ << fmt::format("\r[{:#<{}}{:.<{}}] {:3.0f} %  {} left \033[K", "", full, "", width - full, 100 * part,
                           left);
    stream_.flush();
}

bool ProgressBar::stop_requested() const {
    return stop_flag() != 0;
}

void ProgressBar::clear() {
    if (!shown_) return;
    stream_ << "\r\033[K";
    stream_.flush();
    shown_ = false;
}

}  // namespace gicsim
