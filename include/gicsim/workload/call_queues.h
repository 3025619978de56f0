#ifndef GICSIM_WORKLOAD_CALL_QUEUES_H
#define GICSIM_WORKLOAD_CALL_QUEUES_H

#include <vector>

#include "gicsim/workload/kernel.h"

namespace gicsim {

/// A call_single_data (Linux 5.17, include/linux/smp.h): flags, next, func and info in one line.
struct CallData {
    Location flags;
    Location next;
    Location function;
    Location info;

    static CallData in(LineId line) { return {{line, 0}, {line, 1}, {line, 2}, {line, 3}}; }
    /// What a queue head or a `next` holds for this csd; 0 is NULL.
    [[nodiscard]] Word pointer() const { return Word{index(flags.line)} + 1; }
    [[nodiscard]] static CallData at(Word pointer) { return in(line_id(pointer - 1)); }
};

constexpr Word csd_flag_lock = 0x01;
constexpr Word csd_type_sync = 0x10;

/// The call_single_queue of every CPU: what senders of calls put there and what the interrupt handler does with it.
class CallQueues {
public:
    explicit CallQueues(Kernel& kernel);

    /// llist_add: puts `csd` at the head of the target's queue. True when the queue was empty: only then is a doorbell
    /// rung, because whoever filled it rang one.
    Task<bool> add(Core& cpu, const CallData& csd, CpuId target);
    /// flush_smp_call_function_queue of the CPU it runs on.
    Task<> flush(Core& cpu);

    [[nodiscard]] std::uint64_t functions_run() const { return functions_run_; }
    [[nodiscard]] std::uint64_t functions_run(CpuId cpu) const { return queues_[index(cpu)].functions_run; }
    /// How often the handler of `cpu` found nothing in its queue.
    [[nodiscard]] std::uint64_t found_empty(CpuId cpu) const { return queues_[index(cpu)].found_empty; }

private:
    struct Queue {
        Location first;
        std::uint64_t functions_run = 0;
        std::uint64_t found_empty = 0;
    };
    Kernel& kernel_;
    bool wait_;                  ///< the csds are synchronous: unlocked after the function, not before
    std::vector<Queue> queues_;  ///< by CPU
    std::uint64_t functions_run_ = 0;
};

}  // namespace gicsim

#endif
