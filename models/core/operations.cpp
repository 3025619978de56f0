#include "gicsim/core/operations.h"

namespace gicsim {
namespace {

std::string at(Location location) {
    return "line " + std::to_string(index(location.line)) + " word " + std::to_string(location.word);
}

/// Has the core try again when the store buffer will be empty, if that is known; otherwise progress will wake it.
void wait_for_drain(Core& core) {
    if (const auto time = core.lsu->drained_at()) core.wake_at(*time);
}

}  // namespace

bool LoadOperation::attempt(Core& core) {
    started_ = true;
    core.lsu->advance();
    // It is not in the load queue, so it cannot be told from those that are unless they are older.
    if (!core.lsu->loads().empty()) return false;
    const StoreBufferState& buffer = core.lsu->buffer();
    // A DMB of type all holds loads back behind the stores before it; so does a store-release a load-acquire (RCsc).
    if (buffer.loads_wait() || (order_ == LoadOrder::acquire && buffer.release_pending())) {
        wait_for_drain(core);
        return false;
    }
    if (const StoreBufferState::Entry* entry = buffer.youngest(location_)) {
        if (entry->kind != StoreBufferState::Kind::store || entry->mask != whole_word) {
            wait_for_drain(core);
            return false;
        }
        value_ = entry->value;
        core.compute(core.parameters().store_forward);
        if (exclusive_) core.watch(location_.line);
        return true;
    }
    if (!core.cache->readable(location_.line)) {
        missed_ = true;
        core.cache->request(location_.line, false);
        return false;
    }
    value_ = core.cache->read(location_);
    if (exclusive_) core.watch(location_.line);
    core.compute(missed_ ? core.cache->fill_time() : core.parameters().load_to_use);
    return true;
}

std::string LoadOperation::waits_for() const {
    return "a load of " + at(location_);
}

bool IssueLoadOperation::attempt(Core& core) {
    core.lsu->advance();
    if (core.lsu->loads().full()) return false;
    core.lsu->issue(load_);
    core.compute(core.one_cycle());
    return true;
}

bool LoadValueOperation::attempt(Core& core) {
    if (!load_.bound) return false;
    return load_.ready <= core.local() || core.spend(load_.ready - core.local());
}

std::string LoadValueOperation::waits_for() const {
    return "a load of " + at(load_.location);
}

bool StoreOperation::attempt(Core& core) {
    core.lsu->advance();
    if (core.lsu->buffer().full()) {
        if (const auto time = core.lsu->next_leaves_at()) core.wake_at(*time);
        return false;
    }
    const bool release = order_ == StoreOrder::release && core.parameters().mutant != Mutant::release_without_order;
    core.lsu->push({location_, value_, mask_, kind_, release});
    core.compute(core.one_cycle());
    return true;
}

std::string StoreOperation::waits_for() const {
    return "room in the store buffer, to store to " + at(location_);
}

bool AtomicOperation::has_to_wait(Core& core) const {
    // It is not in the load queue, so it cannot be told from those that are unless they are older.
    if (!core.lsu->loads().empty()) return true;
    const StoreBufferState& buffer = core.lsu->buffer();
    if (buffer.empty()) return false;
    const bool release = order_ == AtomicOrder::release || order_ == AtomicOrder::acquire_release;
    const bool acquire = order_ == AtomicOrder::acquire || order_ == AtomicOrder::acquire_release;
    return release || buffer.loads_wait() || buffer.order_pending() || buffer.holds_line(location_.line) ||
           (acquire && buffer.release_pending());
}

bool AtomicOperation::attempt(Core& core) {
    started_ = true;
    core.lsu->advance();
    if (has_to_wait(core)) {
        wait_for_drain(core);
        return false;
    }
    if (!core.cache->writable(location_.line)) {
        missed_ = true;
        core.cache->request(location_.line, true);
        return false;
    }
    old_ = core.cache->read(location_);
    core.cache->write(location_, updated(kind_, old_, operand_, compare_));
    core.compute(core.parameters().atomic + (missed_ ? core.cache->fill_time() : Time{}));
    return true;
}

std::string AtomicOperation::waits_for() const {
    return "a read-modify-write of " + at(location_);
}

bool BarrierOperation::attempt(Core& core) {
    switch (barrier_.kind()) {
        case Barrier::Kind::none: return true;
        case Barrier::Kind::dmb:
            core.lsu->advance();
            if (barrier_.covers_loads()) core.lsu->fence_loads();
            if (barrier_.covers_stores()) core.lsu->order_stores();
            if (barrier_.covers_stores() && barrier_.covers_loads()) core.lsu->order_loads();
            core.compute(core.one_cycle());
            return true;
        case Barrier::Kind::dsb: return attempt_dsb(core);
    }
    return true;
}

bool BarrierOperation::attempt_dsb(Core& core) {
    started_ = true;
    core.lsu->advance();
    const CoreParameters& parameters = core.parameters();
    if (barrier_.covers_loads() && !core.lsu->loads().empty()) return false;
    if (barrier_.covers_stores() && core.lsu->loads().holds_writes()) return false;
    // One definition of completeness for all domains: Armv8 is other-multi-copy-atomic (DDI 0487, B2.3).
    const bool waits_for_stores = barrier_.covers_stores() && parameters.mutant != Mutant::dsb_ignores_store_buffer;
    if (waits_for_stores && !core.lsu->buffer().empty()) {
        wait_for_drain(core);
        return false;
    }
    if (core.mmio_outstanding() > 0) return false;
    const bool waits_for_gic = parameters.dsb_gic_ack == DsbGicAck::all_types || barrier_.type() == Barrier::Type::all;
    if (waits_for_gic && !core.gic->upstream_idle()) return false;
    if (parameters.dsb_confirms_owned_writes && barrier_.covers_stores() &&
        barrier_.domain() == Barrier::Domain::full_system) {
        if (!std::exchange(confirming_, true)) core.lsu->confirm_owned_writes();
        if (core.lsu->confirmations_left() > 0) return false;
    }
    core.compute(parameters.dsb);
    return true;
}

std::string BarrierOperation::waits_for() const {
    return "completion of earlier accesses (" + barrier_.name() + ")";
}

bool IsbOperation::attempt(Core& core) {
    core.compute(core.parameters().isb);
    return true;
}

bool SystemRegisterRead::attempt(Core& core) {
    if (!std::exchange(started_, true) && !core.spend(core.parameters().system_register_read)) return false;
    value_ = core.gic->read(register_, core.security());
    return true;
}

bool SystemRegisterWrite::attempt(Core& core) {
    if (!std::exchange(started_, true) && !core.spend(core.parameters().system_register_write)) return false;
    if (core.parameters().mutant == Mutant::dmb_orders_sgi &&
        core.lsu->buffer().holds_older(core.lsu->buffer().store_barrier())) {
        core.lsu->advance();
        wait_for_drain(core);
        if (!core.lsu->buffer().empty()) return false;
    }
    core.gic->write(register_, value_, core.security());
    return true;
}

bool SleepOperation::attempt(Core& core) {
    if (over_) return true;
    if (!woken(core)) {
        started_ = true;
        return false;
    }
    over_ = true;
    // Waking up is no instruction that an interrupt could come before.
    return core.spend(started_ ? wake_time(core) : core.one_cycle());
}

Time SleepOperation::interrupted(Core& core) {
    over_ = true;
    return started_ ? wake_time(core) : Time{};
}

bool WaitForInterrupt::woken(Core& core) {
    return core.interrupt_line();
}
Time WaitForInterrupt::wake_time(const Core& core) const {
    return core.parameters().wfi_wake;
}

bool WaitForEvent::woken(Core& core) {
    return core.take_event();
}
Time WaitForEvent::wake_time(const Core& core) const {
    return core.parameters().wfe_wake;
}

bool DeviceAccess::attempt(Core& core) {
    if (!std::exchange(started_, true) && !core.spend(core.parameters().device_access)) return false;
    if (!sent_) {
        // Device accesses of one core reach one peripheral in program order; a load also waits for the stores before
        // it.
        if (!message_.write && core.mmio_outstanding() > 0) return false;
        sent_ = true;
        core.send_mmio(message_);
        if (message_.write) return true;
    }
    if (!answered_) {
        if (core.mmio_outstanding() > 0) return false;
        answered_ = true;
        value_ = core.mmio_answer().value;
        if (!core.spend(core.parameters().device_access)) return false;
    }
    return true;
}

std::string DeviceAccess::waits_for() const {
    return std::string(message_.write ? "a device write" : "a device read");
}

}  // namespace gicsim
