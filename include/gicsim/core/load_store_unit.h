#ifndef GICSIM_CORE_LOAD_STORE_UNIT_H
#define GICSIM_CORE_LOAD_STORE_UNIT_H

#include <optional>
#include <systemc>
#include <vector>

#include "gicsim/arch/affinity.h"
#include "gicsim/core/core_parameters.h"
#include "gicsim/core/load_queue_state.h"
#include "gicsim/core/store_buffer_state.h"
#include "gicsim/memory/private_cache.h"
#include "gicsim/timeline/variation.h"

namespace gicsim {

/// What the load/store unit tells its core.
class LoadStoreClient : public virtual sc_core::sc_interface {
public:
    /// Something a blocked instruction may wait for has happened.
    virtual void load_store_progress() = 0;
    /// The core's copy of a line was invalidated.
    virtual void line_lost(LineId line) = 0;
    // The exclusive monitor.
    virtual void watch(LineId line) = 0;
    [[nodiscard]] virtual bool watches(LineId line) const = 0;
    virtual void clear_monitor() = 0;
};

/// Hears what becomes visible to a core and through it, while somebody listens.
class LoadStoreObserver {
public:
    virtual ~LoadStoreObserver() = default;
    virtual void store_visible(CpuId cpu, Location location, Word value, Time at) = 0;
    virtual void load_bound(CpuId cpu, const PendingLoad& load, Time at) = 0;
    virtual void line_arrived(CpuId cpu, LineId line, bool exclusive, Time at) = 0;
    virtual void line_snooped(CpuId cpu, LineId line, bool invalidated, Time at) = 0;
};

/// The store buffer in time, and the core's view of its cache.
///
/// The buffer's port hands one store to the cache per `store_drain_interval`. A store to an owned line is visible from
/// that moment on; no event is spent on it: whoever looks (a load, a snoop, a barrier) first lets the port catch up.
/// Only a store whose line is not owned needs an event, when the port asks for its ownership.
class LoadStoreUnit : public sc_core::sc_module, public virtual sc_core::sc_interface, public CacheClient {
public:
    sc_core::sc_port<Timeline> timeline{"timeline"};
    sc_core::sc_port<PrivateCache> cache{"cache"};
    sc_core::sc_port<LoadStoreClient> client{"client"};
    VariationPort variation{"variation"};

    explicit LoadStoreUnit(const sc_core::sc_module_name& name) : sc_module(name) {}

    void reset(const CoreParameters& parameters);
    /// @param observer null for none. @param cpu what it is told this unit's core is called.
    void observe(LoadStoreObserver* observer, CpuId cpu) {
        observer_ = observer;
        cpu_ = cpu;
    }

    /// Lets the port catch up with now.
    void advance() {
        if (buffer_.unsent() > 0 && port_free_ <= timeline->now()) move_port();
    }

    /// Lets everything leave that only the port's pace holds up: what is left when nothing more happens.
    void settle();

    [[nodiscard]] const StoreBufferState& buffer() const { return buffer_; }

    /// A store enters the buffer, which has room. Its order against loads is filled in here.
    void push(StoreBufferState::Store store);
    void order_stores() {
        buffer_.order_stores();
        loads_.order_writes();
    }
    void order_loads() { buffer_.order_loads(); }

    [[nodiscard]] const LoadQueueState& loads() const { return loads_; }
    /// A load is under way from now on; the queue has room. `load` says what is read and how it is ordered. When it is
    /// bound, the client hears of progress, if that is not at once.
    void issue(PendingLoad& load);
    /// Load-exclusives that are under way set no monitor any more: it has been cleared after them in program order.
    void forget_exclusives();
    /// A DMB that covers loads.
    void fence_loads() { loads_.order(); }

    /// When the buffer will be empty, if nothing but the port's pace stands in the way; nothing when that depends on
    /// lines still to come. Now or earlier when it is empty.
    [[nodiscard]] std::optional<Time> drained_at() const;
    /// When the next store leaves the buffer, likewise.
    [[nodiscard]] std::optional<Time> next_leaves_at() const;

    /// Asks the point of coherence to confirm every line written on an already owned copy since the last call.
    void confirm_owned_writes();
    [[nodiscard]] unsigned confirmations_left() const { return confirmations_left_; }

    void line_filled(LineId line) override;
    void before_snoop(LineId line) override;
    void line_snooped(LineId line, bool invalidated) override;
    void line_confirmed(LineId line) override;

private:
    void move_port();
    void commit(std::size_t i);
    void write(const StoreBufferState::Store& store);
    void schedule() {
        if (buffer_.unsent() > 0) schedule_port();
        if (!loads_.empty()) schedule_loads();
    }
    void schedule_loads();
    void wake_port_at(Time at);
    bool bind_loads();
    bool try_bind(std::size_t i);
    bool try_write(std::size_t i);
    void bind(std::size_t i, Word value, Time ready);
    [[nodiscard]] Time varied(Varying what) const { return variation_ == nullptr ? Time{} : variation_->delay(what); }
    /// Does the program order of loads before it hold entry `i` back?
    [[nodiscard]] bool behind_loads(std::size_t i) const {
        if (loads_.empty()) return false;
        const StoreBufferState::Entry& entry = buffer_[i];
        return loads_.holds_older(entry.load_fence) || loads_.holds(entry.location, entry.loads_before);
    }
    [[nodiscard]] bool may_leave(std::size_t i) const { return buffer_.may_leave(i) && !behind_loads(i); }
    void end_of_elaboration() override {
        if (variation.size() > 0) variation_ = variation.operator->();
    }
    void schedule_port();
    void port_event(std::uint64_t ticket);
    [[nodiscard]] bool needs_request(std::size_t i) const;
    void note_owned_write(LineId line);

    StoreBufferState buffer_;
    LoadQueueState loads_;
    Variation* variation_ = nullptr;
    LoadStoreObserver* observer_ = nullptr;
    CpuId cpu_{};
    CoreParameters parameters_;
    Time port_free_;
    unsigned requests_ = 0;     ///< ownership requests under way
    std::uint64_t ticket_ = 0;  ///< only the newest port event counts
    Time event_at_;
    bool event_pending_ = false;
    std::vector<LineId> owned_writes_;  ///< written on an already owned copy since the last confirmation
    std::vector<LineId> granted_;       ///< granted exclusively since then
    unsigned confirmations_left_ = 0;
};

}  // namespace gicsim

#endif
