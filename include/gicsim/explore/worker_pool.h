#ifndef GICSIM_EXPLORE_WORKER_POOL_H
#define GICSIM_EXPLORE_WORKER_POOL_H

#include <cstddef>
#include <functional>
#include <string>

namespace gicsim {

/// Does `count` independent pieces of work in processes of their own, because SystemC elaborates once a process.
struct WorkerPool {
    /// Makes the function that does piece i and returns its result as bytes; called once in each worker.
    using Factory = std::function<std::function<std::string(std::size_t)>()>;

    unsigned workers = 1;
    Factory make_worker;
    /// In this process: a result has come. In any order.
    std::function<void(std::size_t, std::string)> done;
    /// In this process, a few times a second: false stops all workers and drops what they have not finished.
    std::function<bool()> go_on;

    /// Returns true when all pieces are done, false when go_on() stopped it. What a worker throws comes out of here as
    /// std::runtime_error with its text; a worker that ends otherwise too.
    bool run(std::size_t count) const;
};

}  // namespace gicsim

#endif
