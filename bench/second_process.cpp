#include "second_process.h"

#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <iostream>
#include <stdexcept>
#include <system_error>
#include <type_traits>

namespace gicsim::bench {
namespace {

static_assert(std::is_trivially_copyable_v<MeasuredRun>);

/// One whole message of a SOCK_SEQPACKET socket; false when the other side is gone.
template <class T>
bool receive(int socket, T& message) {
    return recv(socket, &message, sizeof message, 0) == static_cast<ssize_t>(sizeof message);
}
template <class T>
bool send_to(int socket, const T& message) {
    return send(socket, &message, sizeof message, MSG_NOSIGNAL) == static_cast<ssize_t>(sizeof message);
}

void serve(int socket, const SecondProcess::Factory& make) {
    const auto measure = make();
    std::size_t i = 0;
    while (receive(socket, i)) {
        if (!send_to(socket, measure(i))) return;
    }
}

}  // namespace

SecondProcess::SecondProcess(const Factory& make) {
    int ends[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET, 0, ends) != 0) throw std::system_error(errno, std::generic_category());
    child_ = fork();
    if (child_ < 0) throw std::system_error(errno, std::generic_category());
    if (child_ == 0) {
        close(ends[0]);
        int code = 0;
        try {
            serve(ends[1], make);
        } catch (const std::exception& error) {
            std::cerr << "gicsim-bench: second process: " << error.what() << "\n";
            code = 1;
        }
        // Neither destructors nor buffers of the first process are this one's business.
        _exit(code);
    }
    close(ends[1]);
    socket_ = ends[0];
}

SecondProcess::~SecondProcess() {
    close(socket_);
    waitpid(child_, nullptr, 0);
}

MeasuredRun SecondProcess::measure(std::size_t i) {
    MeasuredRun answer;
    if (!send_to(socket_, i) || !receive(socket_, answer)) throw std::runtime_error("the second process has ended");
    return answer;
}

}  // namespace gicsim::bench
