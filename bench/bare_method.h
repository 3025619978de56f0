#ifndef GICSIM_BENCH_BARE_METHOD_H
#define GICSIM_BENCH_BARE_METHOD_H

#include <cstdint>
#include <systemc>

namespace gicsim::bench {

/// The yardstick: an SC_METHOD that does nothing but notify itself again 1 ns later.
class BareMethod : public sc_core::sc_module {
public:
    SC_HAS_PROCESS(BareMethod);
    explicit BareMethod(const sc_core::sc_module_name& name) : sc_module(name) {
        SC_METHOD(tick);
        sensitive << next_;
        dont_initialize();
    }

    /// Runs `activations` activations; nothing is pending afterwards, so that it costs others nothing.
    void run(std::uint64_t activations) {
        left_ = activations;
        next_.notify(period_);
        sc_core::sc_start(static_cast<double>(activations), sc_core::SC_NS);
    }

private:
    void tick() {
        if (--left_ > 0) next_.notify(period_);
    }

    const sc_core::sc_time period_{1, sc_core::SC_NS};
    std::uint64_t left_ = 0;
    sc_core::sc_event next_;
};

}  // namespace gicsim::bench

#endif
