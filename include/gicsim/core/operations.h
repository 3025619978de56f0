#ifndef GICSIM_CORE_OPERATIONS_H
#define GICSIM_CORE_OPERATIONS_H

#include "gicsim/core/core.h"

namespace gicsim {

/// Makes an operation awaitable: `co_await cpu_load(cpu, location)`.
template <class Op>
class [[nodiscard]] Awaitable : public Op {
public:
    template <class... Arguments>
    explicit Awaitable(Core& core, Arguments&&... arguments) : Op(std::forward<Arguments>(arguments)...), core_(core) {}

    bool await_ready() { return core_.begin(*this); }
    void await_suspend(std::coroutine_handle<> handle) { this->waiter = handle; }
    auto await_resume() { return Op::result(); }

private:
    Core& core_;
};

enum class StoreOrder : std::uint8_t { plain, release };
enum class AtomicOrder : std::uint8_t { relaxed, acquire, release, acquire_release };

class LoadOperation : public Operation {
public:
    LoadOperation(Location location, LoadOrder order, bool exclusive)
        : location_(location), order_(order), exclusive_(exclusive) {}
    bool attempt(Core& core) override;
    [[nodiscard]] std::string waits_for() const override;
    [[nodiscard]] Word result() const { return value_; }

private:
    Location location_;
    LoadOrder order_;
    bool exclusive_;  ///< LDXR, LDAXR: arms the monitor
    bool missed_ = false;
    Word value_ = 0;
};

/// Starts a load that the program waits for later, or never: waits only for room in the load queue.
class IssueLoadOperation : public Operation {
public:
    explicit IssueLoadOperation(PendingLoad& load) : load_(load) {}
    bool attempt(Core& core) override;
    [[nodiscard]] std::string waits_for() const override { return "room in the load queue"; }
    void result() const {}

private:
    PendingLoad& load_;
};

/// Waits for the value of a load that was issued before.
class LoadValueOperation : public Operation {
public:
    explicit LoadValueOperation(const PendingLoad& load) : load_(load) {}
    bool attempt(Core& core) override;
    [[nodiscard]] std::string waits_for() const override;
    [[nodiscard]] Word result() const { return load_.value; }

private:
    const PendingLoad& load_;
};

class StoreOperation : public Operation {
public:
    StoreOperation(Location location, Word value, Word mask, StoreBufferState::Kind kind, StoreOrder order)
        : location_(location), value_(value), mask_(mask), kind_(kind), order_(order) {}
    bool attempt(Core& core) override;
    [[nodiscard]] std::string waits_for() const override;
    void result() const {}

private:
    Location location_;
    Word value_;
    Word mask_;
    StoreBufferState::Kind kind_;
    StoreOrder order_;
};

/// A read-modify-write whose old value the program waits for: performed in the core's own cache ("near").
class AtomicOperation : public Operation {
public:
    using Kind = AtomicKind;
    AtomicOperation(Kind kind, Location location, Word operand, Word compare, AtomicOrder order)
        : kind_(kind), order_(order), location_(location), operand_(operand), compare_(compare) {}
    bool attempt(Core& core) override;
    [[nodiscard]] std::string waits_for() const override;
    [[nodiscard]] Word result() const { return old_; }

private:
    [[nodiscard]] bool has_to_wait(Core& core) const;

    Kind kind_;
    AtomicOrder order_;
    Location location_;
    Word operand_;
    Word compare_;
    bool missed_ = false;
    Word old_ = 0;
};

class BarrierOperation : public Operation {
public:
    explicit BarrierOperation(Barrier barrier) : barrier_(barrier) {}
    bool attempt(Core& core) override;
    [[nodiscard]] std::string waits_for() const override;
    void result() const {}

private:
    bool attempt_dsb(Core& core);
    Barrier barrier_;
    bool confirming_ = false;
};

class IsbOperation : public Operation {
public:
    bool attempt(Core& core) override;
    [[nodiscard]] std::string waits_for() const override { return "isb"; }
    void result() const {}
};

class SystemRegisterRead : public Operation {
public:
    explicit SystemRegisterRead(IccRegister reg) : register_(reg) {}
    bool attempt(Core& core) override;
    [[nodiscard]] std::string waits_for() const override { return "mrs " + std::string(name(register_)); }
    [[nodiscard]] std::uint64_t result() const { return value_; }

private:
    IccRegister register_;
    std::uint64_t value_ = 0;
};

class SystemRegisterWrite : public Operation {
public:
    SystemRegisterWrite(IccRegister reg, std::uint64_t value) : register_(reg), value_(value) {}
    bool attempt(Core& core) override;
    [[nodiscard]] std::string waits_for() const override { return "msr " + std::string(name(register_)); }
    void result() const {}

private:
    IccRegister register_;
    std::uint64_t value_;
};

/// WFI and WFE: asleep until something wakes the core, or an unmasked interrupt is taken out of the sleep.
class SleepOperation : public Operation {
public:
    bool attempt(Core& core) final;
    [[nodiscard]] bool interruptible() const final { return !over_; }
    Time interrupted(Core& core) final;
    void result() const {}

protected:
    virtual bool woken(Core& core) = 0;
    [[nodiscard]] virtual Time wake_time(const Core& core) const = 0;

private:
    bool over_ = false;
};

/// Ends with an interrupt, masked or not.
class WaitForInterrupt : public SleepOperation {
public:
    [[nodiscard]] std::string waits_for() const override { return "an interrupt (wfi)"; }

protected:
    bool woken(Core& core) override;
    [[nodiscard]] Time wake_time(const Core& core) const override;
};

/// Ends with an event, or an unmasked interrupt.
class WaitForEvent : public SleepOperation {
public:
    [[nodiscard]] std::string waits_for() const override { return "an event (wfe)"; }

protected:
    bool woken(Core& core) override;
    [[nodiscard]] Time wake_time(const Core& core) const override;
};

/// A Device load waits for its answer; a Device store goes on at once, and a DSB waits for its answer.
class DeviceAccess : public Operation {
public:
    explicit DeviceAccess(const MmioMessage& message) : message_(message) {}
    bool attempt(Core& core) override;
    [[nodiscard]] std::string waits_for() const override;
    [[nodiscard]] std::uint64_t result() const { return value_; }

private:
    MmioMessage message_;
    bool sent_ = false;
    bool answered_ = false;
    std::uint64_t value_ = 0;
};

/// What a program does when it has come to its end: nothing, for ever, but interrupts are taken.
class ParkOperation : public Operation {
public:
    bool attempt(Core&) override { return false; }
    [[nodiscard]] std::string waits_for() const override { return {}; }
    [[nodiscard]] bool interruptible() const override { return true; }
    void result() const {}
};

// GCC 12 miscompiles a co_await inside the condition of an if or a loop (the coroutine resumes into a trap): programs
// take the value into a variable first.
//
// What programs write. ---------------------------------------------------------------------------------------------
inline auto load(Core& cpu, Location location, LoadOrder order = LoadOrder::plain) {
    return Awaitable<LoadOperation>(cpu, location, order, false);
}
/// LDXR or LDAXR.
inline auto load_exclusive(Core& cpu, Location location, LoadOrder order = LoadOrder::plain) {
    return Awaitable<LoadOperation>(cpu, location, order, true);
}
/// Starts a load; `load` stays where it is until it is bound.
inline auto issue_load(Core& cpu, PendingLoad& load) {
    return Awaitable<IssueLoadOperation>(cpu, load);
}
/// The whole word that an issued load has read.
inline auto value_of_load(Core& cpu, const PendingLoad& load) {
    return Awaitable<LoadValueOperation>(cpu, load);
}
/// A store that writes the bits in `mask` only.
inline auto store_masked(Core& cpu, Location location, Word value, Word mask, StoreOrder order = StoreOrder::plain) {
    return Awaitable<StoreOperation>(cpu, location, value, mask, StoreBufferState::Kind::store, order);
}
inline auto store(Core& cpu, Location location, Word value, StoreOrder order = StoreOrder::plain) {
    return Awaitable<StoreOperation>(cpu, location, value, whole_word, StoreBufferState::Kind::store, order);
}
/// STSET: sets bits and returns nothing, so nothing waits for it.
inline auto set_bits_no_return(Core& cpu, Location location, Word bits, StoreOrder order = StoreOrder::plain) {
    return Awaitable<StoreOperation>(cpu, location, bits, whole_word, StoreBufferState::Kind::set_bits, order);
}
inline auto compare_and_swap(Core& cpu, Location location, Word compare, Word value, AtomicOrder order) {
    return Awaitable<AtomicOperation>(cpu, AtomicOperation::Kind::compare_and_swap, location, value, compare, order);
}
inline auto atomic(Core& cpu, AtomicOperation::Kind kind, Location location, Word operand, AtomicOrder order) {
    return Awaitable<AtomicOperation>(cpu, kind, location, operand, Word{0}, order);
}
inline auto barrier(Core& cpu, Barrier which) {
    return Awaitable<BarrierOperation>(cpu, which);
}
inline auto isb(Core& cpu) {
    return Awaitable<IsbOperation>(cpu);
}
inline auto read(Core& cpu, IccRegister reg) {
    return Awaitable<SystemRegisterRead>(cpu, reg);
}
inline auto write(Core& cpu, IccRegister reg, std::uint64_t value) {
    return Awaitable<SystemRegisterWrite>(cpu, reg, value);
}
inline auto wfi(Core& cpu) {
    return Awaitable<WaitForInterrupt>(cpu);
}
inline auto wfe(Core& cpu) {
    return Awaitable<WaitForEvent>(cpu);
}
inline auto park(Core& cpu) {
    return Awaitable<ParkOperation>(cpu);
}
inline auto device_read(Core& cpu, std::uint64_t address, std::uint8_t size = 4) {
    return Awaitable<DeviceAccess>(cpu, MmioMessage{.address = address, .size = size, .security = cpu.security()});
}
inline auto device_write(Core& cpu, std::uint64_t address, std::uint64_t value, std::uint8_t size = 4) {
    return Awaitable<DeviceAccess>(
        cpu, MmioMessage{.address = address, .value = value, .size = size, .write = true, .security = cpu.security()});
}

}  // namespace gicsim

#endif
