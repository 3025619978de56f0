#ifndef GICSIM_WORKLOAD_LATENCY_PROBE_H
#define GICSIM_WORKLOAD_LATENCY_PROBE_H

#include <array>
#include <vector>

#include "gicsim/workload/workload.h"

namespace gicsim {

/// Measures one latency between the sender and each target in turn, nothing else running: what a fabric is checked
/// with before anything is built on it. Reported by distance class.
class LatencyProbe : public Workload {
public:
    explicit LatencyProbe(Kernel& kernel);
    void start() override;
    void finish(RunResult& result) override;
    [[nodiscard]] std::uint64_t rounds_done() const override { return rounds_done_; }

protected:
    /// One measurement on the sender; returns the latency.
    virtual Task<Time> measure(Core& cpu, CpuId target) = 0;
    /// What the targets do meanwhile; nothing by default.
    virtual void start_target(CpuId) {}

    Kernel& kernel_;
    const WorkloadOptions& options_;

private:
    Task<> sender(Core& cpu);

    struct Totals {
        Time time;
        std::uint64_t count = 0;
    };
    std::array<Totals, distance_class_count> totals_{};
    Time total_;
    std::uint64_t rounds_done_ = 0;
    Core::Program sender_program_;
};

/// "ping-pong": sender and target change one word in turn by compare-and-swap; half a round trip. The word's line lies
/// in a page of its own in the memory of `csd_home`.
class PingPong : public LatencyProbe {
public:
    explicit PingPong(Kernel& kernel);

protected:
    Task<Time> measure(Core& cpu, CpuId target) override;

private:
    Task<> partner(Core& cpu, Location word);
    static constexpr int exchanges = 20;
    Core::Program partner_program_;
    Location word_{};
    unsigned pages_ = 0;
};

/// "memory-latency": a load of a line that no cache holds, from the memory of the target's die.
class MemoryLatency : public LatencyProbe {
public:
    using LatencyProbe::LatencyProbe;

protected:
    Task<Time> measure(Core& cpu, CpuId target) override;

private:
    unsigned pages_ = 0;
};

/// "register-latency": a read of GICR_TYPER of the target's Redistributor.
class RegisterLatency : public LatencyProbe {
public:
    using LatencyProbe::LatencyProbe;

protected:
    Task<Time> measure(Core& cpu, CpuId target) override;
};

}  // namespace gicsim

#endif
