#include "gicsim/explore/worker_pool.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <optional>
#include <stdexcept>
#include <system_error>
#include <vector>

#include "gicsim/config/error.h"
#include "gicsim/workload/kernel.h"

namespace gicsim {
namespace {

/// Before each message in a worker's pipe.
struct Header {
    enum class Kind : std::uint64_t { begun, result, config_error, model_error, error };
    std::uint64_t index;
    std::uint64_t length;
    Kind kind;
};

/// A ConfigError as bytes: its fields, each ended by a zero.
std::string bytes_of(const ConfigError& error) {
    const Origin& origin = error.origin();
    std::string bytes;
    for (const std::string& field : {origin.file, std::to_string(origin.line), std::to_string(origin.column),
                                     origin.option, error.path(), error.message(), error.hint()}) {
        bytes += field;
        bytes += '\0';
    }
    return bytes;
}

[[noreturn]] void throw_again(Header::Kind kind, const std::string& bytes) {
    if (kind == Header::Kind::model_error) throw ModelError(bytes);
    if (kind != Header::Kind::config_error) throw std::runtime_error(bytes);
    std::array<std::string, 7> fields;
    std::size_t at = 0;
    for (std::string& field : fields) {
        const std::size_t end = std::min(bytes.find('\0', at), bytes.size());
        field = bytes.substr(at, end - at);
        at = std::min(end + 1, bytes.size());
    }
    const Origin origin{fields[0], static_cast<unsigned>(std::stoul(fields[1])),
                        static_cast<unsigned>(std::stoul(fields[2])), fields[3]};
    throw ConfigError(origin, fields[4], fields[5], fields[6]);
}

bool write_all(int file, const void* data, std::size_t size) {
    const char* at = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t written = ::write(file, at, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        at += written;
        size -= static_cast<std::size_t>(written);
    }
    return true;
}

/// What all processes share: the number of the next piece, and whether to stop.
class SharedState {
public:
    SharedState() {
        void* const memory = mmap(nullptr, sizeof(State), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "worker pool");
        state_ = new (memory) State;
    }
    ~SharedState() { munmap(state_, sizeof *state_); }
    SharedState(const SharedState&) = delete;
    SharedState& operator=(const SharedState&) = delete;
    std::uint64_t take() { return state_->next.fetch_add(1); }
    void stop() { state_->stopped = true; }
    [[nodiscard]] bool stopped() const { return state_->stopped; }

private:
    struct State {
        std::atomic<std::uint64_t> next = 0;
        std::atomic<bool> stopped = false;
    };
    State* state_;
};

bool send(int pipe, std::uint64_t index, Header::Kind kind, const std::string& bytes) {
    const Header header{index, bytes.size(), kind};
    return write_all(pipe, &header, sizeof header) && write_all(pipe, bytes.data(), bytes.size());
}

[[noreturn]] void work(const WorkerPool::Factory& factory, SharedState& shared, std::size_t count, int pipe,
                       pid_t parent) {
    // The parent may end, by a signal that it cannot catch too, at any time, and before this as well.
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) _exit(0);
    // The terminal's Ctrl-C goes to all of them; the parent decides.
    std::signal(SIGINT, SIG_IGN);
    std::uint64_t i = 0;
    try {
        const auto piece = factory([&shared] { return !shared.stopped(); });
        while (!shared.stopped() && (i = shared.take()) < count) {
            if (!send(pipe, i, Header::Kind::begun, {}) || !send(pipe, i, Header::Kind::result, piece(i))) break;
        }
    } catch (const ConfigError& error) {
        send(pipe, i, Header::Kind::config_error, bytes_of(error));
    } catch (const ModelError& error) {
        send(pipe, i, Header::Kind::model_error, error.what());
    } catch (const std::exception& error) {
        send(pipe, i, Header::Kind::error, error.what());
    }
    // Neither destructors nor buffers of the parent are this process's business.
    _exit(0);
}

std::string how_it_ended(int status) {
    if (WIFSIGNALED(status)) return "was killed by signal " + std::to_string(WTERMSIG(status));
    return "ended with code " + std::to_string(WEXITSTATUS(status));
}

class Workers {
public:
    struct Worker {
        pid_t process;
        int pipe;
        std::string received;
        std::optional<std::size_t> begun;  ///< and not finished
    };
    ~Workers() {
        for (const Worker& worker : list) {
            close(worker.pipe);
            kill(worker.process, SIGKILL);
            waitpid(worker.process, nullptr, 0);
        }
    }
    std::vector<Worker> list;
};

}  // namespace

bool WorkerPool::run(std::size_t count) const {
    using Clock = std::chrono::steady_clock;
    SharedState shared;
    Workers pool;
    const pid_t parent = getpid();
    for (unsigned n = 0; n < workers; ++n) {
        int ends[2];
        if (pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "worker pool");
        const pid_t process = fork();
        if (process < 0) throw std::system_error(errno, std::generic_category(), "worker pool");
        if (process == 0) {
            close(ends[0]);
            for (const Workers::Worker& other : pool.list) close(other.pipe);
            work(make_worker, shared, count, ends[1], parent);
        }
        close(ends[1]);
        pool.list.push_back({process, ends[0], {}, {}});
    }
    std::vector<bool> settled(count, false);
    const auto lose = [&](std::size_t i, const std::string& how) {
        settled[i] = true;
        if (!lost) throw std::runtime_error("a worker process " + how);
        lost(i, how);
    };
    std::optional<Clock::time_point> stop_by;
    while (!pool.list.empty()) {
        if (!stop_by && !go_on()) {
            shared.stop();
            stop_by = Clock::now() + std::chrono::seconds(2);
        }
        if (stop_by && Clock::now() > *stop_by) return false;
        std::vector<pollfd> files;
        files.reserve(pool.list.size());
        for (const Workers::Worker& worker : pool.list) files.push_back({worker.pipe, POLLIN, 0});
        if (poll(files.data(), files.size(), 100) < 0 && errno != EINTR) {
            throw std::system_error(errno, std::generic_category(), "worker pool");
        }
        for (std::size_t n = files.size(); n > 0; --n) {
            if (files[n - 1].revents == 0) continue;
            Workers::Worker& worker = pool.list[n - 1];
            char buffer[65536];
            const ssize_t size = ::read(worker.pipe, buffer, sizeof buffer);
            if (size < 0 && errno == EINTR) continue;
            if (size > 0) worker.received.append(buffer, static_cast<std::size_t>(size));
            while (worker.received.size() >= sizeof(Header)) {
                Header header;
                worker.received.copy(reinterpret_cast<char*>(&header), sizeof header);
                if (worker.received.size() < sizeof header + header.length) break;
                std::string text = worker.received.substr(sizeof header, header.length);
                worker.received.erase(0, sizeof header + header.length);
                if (header.kind > Header::Kind::result) throw_again(header.kind, text);
                worker.begun.reset();
                if (header.kind == Header::Kind::begun) {
                    worker.begun = header.index;
                } else {
                    settled[header.index] = true;
                    done(header.index, std::move(text));
                }
            }
            if (size <= 0) {
                const Workers::Worker ended = worker;
                pool.list.erase(pool.list.begin() + static_cast<std::ptrdiff_t>(n - 1));
                close(ended.pipe);
                int status = 0;
                waitpid(ended.process, &status, 0);
                if (ended.begun) lose(*ended.begun, how_it_ended(status));
            }
        }
    }
    if (stop_by) return false;
    for (std::size_t i = 0; i < count; ++i) {
        if (!settled[i]) lose(i, "that would have done it ended before it could begin");
    }
    return true;
}

}  // namespace gicsim
