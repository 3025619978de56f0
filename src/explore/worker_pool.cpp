#include "gicsim/explore/worker_pool.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <stdexcept>
#include <system_error>
#include <vector>

namespace gicsim {
namespace {

/// Before each result in a worker's pipe.
struct Header {
    std::uint64_t index;
    std::uint64_t length;
    std::uint64_t failed;
};

bool write_all(int file, const void* data, std::size_t size) {
    const char* at = static_cast<const char*>(data);
    while (size > 0) {
        const ssize_t written = write(file, at, size);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) return false;
        at += written;
        size -= static_cast<std::size_t>(written);
    }
    return true;
}

/// The number of the next piece, shared by all processes.
class SharedCounter {
public:
    SharedCounter() {
        void* const memory = mmap(nullptr, sizeof(std::atomic<std::uint64_t>), PROT_READ | PROT_WRITE,
                                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) throw std::system_error(errno, std::generic_category(), "worker pool");
        next_ = new (memory) std::atomic<std::uint64_t>(0);
    }
    ~SharedCounter() { munmap(next_, sizeof *next_); }
    SharedCounter(const SharedCounter&) = delete;
    SharedCounter& operator=(const SharedCounter&) = delete;
    std::uint64_t take() { return next_->fetch_add(1); }

private:
    std::atomic<std::uint64_t>* next_;
};

[[noreturn]] void work(const WorkerPool::Factory& factory, SharedCounter& counter, std::size_t count, int pipe) {
    // The terminal's Ctrl-C goes to all of them; the parent decides.
    std::signal(SIGINT, SIG_IGN);
    std::uint64_t i = 0;
    try {
        const auto piece = factory();
        while ((i = counter.take()) < count) {
            const std::string result = piece(i);
            const Header header{i, result.size(), 0};
            if (!write_all(pipe, &header, sizeof header) || !write_all(pipe, result.data(), result.size())) break;
        }
    } catch (const std::exception& error) {
        const std::string text = error.what();
        const Header header{i, text.size(), 1};
        if (write_all(pipe, &header, sizeof header)) write_all(pipe, text.data(), text.size());
    }
    // Neither destructors nor buffers of the parent are this process's business.
    _exit(0);
}

class Workers {
public:
    struct Worker {
        pid_t process;
        int pipe;
        std::string received;
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
    SharedCounter counter;
    Workers pool;
    for (unsigned n = 0; n < workers; ++n) {
        int ends[2];
        if (pipe(ends) != 0) throw std::system_error(errno, std::generic_category(), "worker pool");
        const pid_t process = fork();
        if (process < 0) throw std::system_error(errno, std::generic_category(), "worker pool");
        if (process == 0) {
            close(ends[0]);
            for (const Workers::Worker& other : pool.list) close(other.pipe);
            work(make_worker, counter, count, ends[1]);
        }
        close(ends[1]);
        pool.list.push_back({process, ends[0], {}});
    }
    std::size_t finished = 0;
    while (!pool.list.empty()) {
        if (!go_on()) return false;
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
            const ssize_t size = read(worker.pipe, buffer, sizeof buffer);
            if (size < 0 && errno == EINTR) continue;
            if (size > 0) worker.received.append(buffer, static_cast<std::size_t>(size));
            while (worker.received.size() >= sizeof(Header)) {
                Header header;
                worker.received.copy(reinterpret_cast<char*>(&header), sizeof header);
                if (worker.received.size() < sizeof header + header.length) break;
                std::string text = worker.received.substr(sizeof header, header.length);
                worker.received.erase(0, sizeof header + header.length);
                if (header.failed != 0) throw std::runtime_error(text);
                ++finished;
                done(header.index, std::move(text));
            }
            if (size <= 0) {
                close(worker.pipe);
                waitpid(worker.process, nullptr, 0);
                pool.list.erase(pool.list.begin() + static_cast<std::ptrdiff_t>(n - 1));
            }
        }
    }
    if (finished < count) throw std::runtime_error("a worker process ended before its work was done");
    return true;
}

}  // namespace gicsim
