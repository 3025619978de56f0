#ifndef GICSIM_EXPLORE_WORKER_POOL_H
#define GICSIM_EXPLORE_WORKER_POOL_H

#include <cstddef>
#include <functional>
#include <string>

namespace gicsim {

/// Does `count` independent pieces of work in processes of their own, because SystemC elaborates once a process. They
/// end with this process, however it ends.
struct WorkerPool {
    /// Does piece i and returns its result as bytes.
    using Piece = std::function<std::string(std::size_t)>;
    /// Makes that function; called once in each worker, with what is to be asked now and then whether to go on.
    using Factory = std::function<Piece(const std::function<bool()>& go_on)>;

    unsigned workers = 1;
    Factory make_worker;
    /// In this process: a result has come. In any order.
    std::function<void(std::size_t, std::string)> done;
    /// In this process, a few times a second: after false no piece is begun, and those that are under way have two
    /// seconds to return what they have.
    std::function<bool()> go_on;
    /// In this process: piece i has no result because of how its worker ended ("was killed by signal 9"); the others go
    /// on. Without it that is a std::runtime_error.
    std::function<void(std::size_t, const std::string&)> lost;

    /// Returns true when all pieces are done or lost, false when go_on() stopped it. A ConfigError or ModelError of a
    /// worker comes out of here as what it is, anything else as std::runtime_error with its text.
    bool run(std::size_t count) const;
};

}  // namespace gicsim

#endif
