#ifndef GICSIM_CORE_CORE_H
#define GICSIM_CORE_CORE_H

#include <functional>
#include <string>
#include <systemc>
#include <vector>

#include "gicsim/arch/affinity.h"
#include "gicsim/arch/barrier.h"
#include "gicsim/core/core_parameters.h"
#include "gicsim/core/load_store_unit.h"
#include "gicsim/core/task.h"
#include "gicsim/device/mmio.h"
#include "gicsim/gic/cpu_interface_port.h"
#include "gicsim/record/probe.h"

namespace gicsim {

class Core;

/// One instruction, or a short fixed group of them, that may have to wait. It lives in the coroutine that awaits it.
class Operation {
public:
    virtual ~Operation() = default;
    /// Performs the operation if it can be performed now, at core.local() == now. Called again after each event that
    /// it may be waiting for.
    virtual bool attempt(Core& core) = 0;
    /// What it waits for, for reports of programs that do not get on.
    [[nodiscard]] virtual std::string waits_for() const = 0;
    /// An interrupt may be taken while it waits (WFI, WFE). Others are interrupted before they start, never within.
    [[nodiscard]] virtual bool interruptible() const { return !started_; }
    /// An interrupt was taken while it waited. Returns how long the core takes to get from there to the exception
    /// entry.
    virtual Time interrupted(Core&) { return Time{}; }

    std::coroutine_handle<> waiter;

protected:
    bool started_ = false;
};

/// A core: runs programs written as coroutines, in program order, with a store buffer, its own caches, barriers,
/// interrupts, and a CPU interface. Two paths lead out of it, to coherent memory and to the GIC; only a DSB orders one
/// against the other.
///
/// The core keeps a local time that compute() and cache hits advance; it meets the Timeline at every operation, so that
/// nothing is ever seen early or late.
class Core : public sc_core::sc_module,
             public virtual sc_core::sc_interface,
             public LoadStoreClient,
             public InterruptSink,
             public MmioSink,
             private TaskScheduler {
public:
    sc_core::sc_port<Timeline> timeline{"timeline"};
    sc_core::sc_port<LoadStoreUnit> lsu{"lsu"};
    sc_core::sc_port<PrivateCache> cache{"cache"};
    sc_core::sc_port<CpuInterfacePort> gic{"gic"};
    sc_core::sc_port<MmioTransport> mmio{"mmio"};
    sc_core::sc_port<Probe> probe{"probe"};

    using Program = std::function<Task<>(Core&)>;

    explicit Core(const sc_core::sc_module_name& name);

    /// @param mmio_self its own endpoint of the device transport.
    void reset(const CoreParameters& parameters, CpuId id, EndpointId mmio_self);
    /// Which endpoint answers for an address; the same for all cores of a platform.
    using AddressDecoder = std::function<EndpointId(std::uint64_t address)>;
    void set_address_decoder(AddressDecoder decoder) { decoder_ = std::move(decoder); }

    /// Forgets its programs, whatever they were doing, and the state that they left: nothing of theirs is under way in
    /// memory or at the GIC any more. Parameters, handler and Security state stay.
    void abandon();

    /// Starts a program now, as what the core runs at its lowest level. `program` outlives the run.
    void run(const Program& program);
    /// What the core runs when it takes an interrupt; outlives the run. The handler's end is the exception return.
    void set_interrupt_handler(const Program& handler) {
        handler_ = &handler;
        replaces_program_ = false;
    }
    /// For a program that keeps its registers itself, as an interpreter does: when an interrupt is taken, what ran is
    /// given up where it stands and `program` runs in its place, its return_from_exception() being the exception
    /// return. An operation that was waiting to start has not happened; WFI and WFE are over.
    void set_interrupt_program(const Program& program) {
        handler_ = &program;
        replaces_program_ = true;
    }
    [[nodiscard]] bool finished() const { return main_finished_; }

    // For programs. ------------------------------------------------------------------------------------------------
    [[nodiscard]] CpuId id() const { return id_; }
    [[nodiscard]] Time local() const { return local_; }
    void compute(Cycles cycles) { local_ += parameters_.clock.to_time(cycles); }
    void compute(Time time) { local_ += time; }
    void mark(Point point, CpuId cpu) { probe->mark(point, cpu, local_); }
    /// PSTATE.I. Unmasking lets a pending interrupt in before the next operation.
    void mask_interrupts() { masked_ = true; }
    void unmask_interrupts() { masked_ = false; }
    [[nodiscard]] bool interrupts_masked() const { return masked_; }
    /// ERET: an event for the PE itself, and the end of an exclusive access (DDI 0487, AArch64.ExceptionReturn:
    /// ClearExclusiveLocal, SendEventLocal), also of one whose load is still under way.
    void return_from_exception();
    /// An interrupt input of the core itself, beside its CPU interface: whatever asks lowers it when the core takes an
    /// interrupt.
    void raise_interrupt() { raised_ = true; }
    /// What was left of the time that the program had spent in advance when the last interrupt was taken.
    [[nodiscard]] Time time_cut_off() const { return time_cut_off_; }
    void set_security(Security security);
    [[nodiscard]] Security security() const { return security_; }

    // For operations. ----------------------------------------------------------------------------------------------
    [[nodiscard]] const CoreParameters& parameters() const { return parameters_; }
    [[nodiscard]] Time one_cycle() const { return one_cycle_; }
    /// First try of an operation, from its coroutine. False: the core will try again.
    bool begin(Operation& operation);
    /// The operation takes up `time` before it goes on. True: it may go on at once, at that later time.
    bool spend(Time time) {
        local_ += time;
        return meet_timeline();
    }
    /// Try the blocked operation again at `at`, if nothing happens before.
    void wake_at(Time at);
    [[nodiscard]] bool interrupt_line() const { return irq_line_ || raised_; }
    [[nodiscard]] bool interrupt_due() const { return interrupt_line() && !masked_; }
    void watch(LineId line) override {
        monitor_ = line;
        monitor_armed_ = true;
    }
    [[nodiscard]] bool watches(LineId line) const override { return monitor_armed_ && monitor_ == line; }
    void clear_monitor() override { monitor_armed_ = false; }
    [[nodiscard]] bool take_event() { return std::exchange(event_register_, false); }
    void set_event() { event_register_ = true; }
    /// SEV of another core.
    void signal_event() {
        event_register_ = true;
        poke();
    }
    void send_mmio(const MmioMessage& message);
    [[nodiscard]] unsigned mmio_outstanding() const { return mmio_outstanding_; }
    [[nodiscard]] const MmioMessage& mmio_answer() const { return mmio_answer_; }

    // From other modules. ------------------------------------------------------------------------------------------
    void load_store_progress() override { poke(); }
    void line_lost(LineId line) override;
    void interrupt_lines_changed() override;
    void upstream_drained() override { poke(); }
    void receive(EndpointId from, const MmioMessage& message) override;

    /// Empty when the core has nothing to do or waits for an interrupt; otherwise what it waits for.
    [[nodiscard]] std::string waits_for() const;
    [[nodiscard]] std::uint64_t interrupts_taken() const { return interrupts_taken_; }
    [[nodiscard]] std::uint64_t failed_accesses() const { return failed_accesses_; }

private:
    struct Context {
        Operation* blocked;
        Time compute_left;
        bool masked;
        Task<> handler;
    };

    void resume_next(std::coroutine_handle<> next) override { next_ = next; }
    void finished(std::exception_ptr failure) override;

    void poke();
    void step();
    void timer(std::uint64_t ticket);
    bool meet_timeline();
    void take_interrupt();
    void return_from_interrupt();

    CoreParameters parameters_;
    CpuId id_{};
    EndpointId mmio_self_{};
    AddressDecoder decoder_;
    Time one_cycle_;
    Time local_;
    const Program* handler_ = nullptr;
    bool replaces_program_ = false;
    Task<> main_;
    std::vector<Context> contexts_;
    std::coroutine_handle<> next_;
    Operation* blocked_ = nullptr;
    std::uint64_t ticket_ = 0;
    Time wake_time_;
    Time interruptible_from_;  ///< an exception return has to be over before the next interrupt is taken
    bool wake_pending_ = false;
    bool stepping_ = false;
    bool poked_ = false;
    bool root_ended_ = false;
    std::exception_ptr failure_;
    bool main_finished_ = false;
    bool irq_line_ = false;
    bool raised_ = false;
    Time time_cut_off_;
    bool masked_ = true;
    Security security_ = Security::secure;
    bool event_register_ = false;
    bool monitor_armed_ = false;
    LineId monitor_{};
    unsigned mmio_outstanding_ = 0;
    MmioMessage mmio_answer_;
    std::uint64_t interrupts_taken_ = 0;
    std::uint64_t failed_accesses_ = 0;
};

}  // namespace gicsim

#endif
