#ifndef GICSIM_LABORATORY_RECORDER_H
#define GICSIM_LABORATORY_RECORDER_H

#include "gicsim/laboratory/arena.h"

namespace gicsim {

/// Writes what caches, store buffers and the GIC do into a witness, for as long as it lives.
class Arena::Recorder : public Probe, private LoadStoreObserver {
public:
    Recorder(Platform& platform, Witness& witness, const AddressBook& addresses, const litmus::LitmusTest& test);
    ~Recorder() override;

    void mark(Point point, CpuId cpu, Time at) override;

private:
    void store_visible(CpuId cpu, Location location, Word value, Time at) override;
    void load_bound(CpuId cpu, const PendingLoad& load, Time at) override;
    void line_arrived(CpuId cpu, LineId line, bool exclusive, Time at) override;
    void line_snooped(CpuId cpu, LineId line, bool invalidated, Time at) override;
    [[nodiscard]] std::string name(LineId line) const;
    [[nodiscard]] bool shown(CpuId cpu) const { return index(cpu) < threads_; }

    Platform& platform_;
    Witness& witness_;
    std::size_t threads_;
    std::vector<std::pair<LineId, std::string>> names_;
};

}  // namespace gicsim

#endif
