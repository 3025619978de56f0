#ifndef GICSIM_RECORD_MARK_BOARD_H
#define GICSIM_RECORD_MARK_BOARD_H

#include <array>
#include <vector>

#include "gicsim/record/probe.h"

namespace gicsim {

/// Keeps, for every point and CPU, when it was last marked.
class MarkBoard : public sc_core::sc_module, public Probe {
public:
    explicit MarkBoard(const sc_core::sc_module_name& name) : sc_module(name) {}

    void reset(std::size_t cpus) {
        for (auto& times : last_) times.assign(cpus, Time{});
    }
    void mark(Point point, CpuId cpu, Time at) override {
        last_[static_cast<std::size_t>(point)][index(cpu)] = at;
        if (listener_ != nullptr) listener_->mark(point, cpu, at);
    }
    /// @param listener hears of every mark; null for none.
    void set_listener(Probe* listener) { listener_ = listener; }
    [[nodiscard]] Time last(Point point, CpuId cpu) const { return last_[static_cast<std::size_t>(point)][index(cpu)]; }

private:
    std::array<std::vector<Time>, point_count> last_;
    Probe* listener_ = nullptr;
};

}  // namespace gicsim

#endif
