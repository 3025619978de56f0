#ifndef GICSIM_LABORATORY_INTERPRETER_H
#define GICSIM_LABORATORY_INTERPRETER_H

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "gicsim/core/operations.h"
#include "gicsim/laboratory/address_book.h"
#include "gicsim/laboratory/strategy.h"
#include "gicsim/laboratory/witness.h"
#include "gicsim/litmus/evaluate.h"
#include "gicsim/litmus/litmus_test.h"

namespace gicsim {

/// One thread of a litmus test on one core: executes its instructions in program order, does not wait for loads until
/// something needs their value, and goes on with loads behind a branch that still waits for one.
class Interpreter {
public:
    /// An SGI register write whose targets are no CPU of the test.
    struct LostSgi {
        unsigned thread = 0;
        Word value = 0;
        std::string instruction;
    };
    /// What all threads of a test share.
    struct Shared {
        const litmus::LitmusTest* test = nullptr;
        const AddressBook* addresses = nullptr;
        Strategy* strategy = nullptr;
        Witness* witness = nullptr;        ///< null unless the execution is recorded
        std::vector<Core*> cores;          ///< by thread
        std::vector<Affinity> affinities;  ///< by thread
        bool sends_sgis = false;           ///< some thread writes an SGI register
        /// An SGI register write of this execution that names no thread's CPU; what it wrote, and which thread.
        mutable std::optional<LostSgi> lost_sgi;
    };

    /// @param shared outlives it
    Interpreter(const Shared& shared, unsigned thread);
    Interpreter(const Interpreter&) = delete;
    Interpreter& operator=(const Interpreter&) = delete;

    /// Initial state, and its program starts on its core, after `delay`.
    void begin(Time delay);

    /// It has come to the end of its program; nothing of it is under way.
    [[nodiscard]] bool finished() const { return finished_; }
    /// It has executed more instructions than any litmus test needs; it is stopped.
    [[nodiscard]] bool exhausted() const { return exhausted_; }
    [[nodiscard]] Word value(litmus::Register reg) const;

    static constexpr unsigned most_steps = 16'000;
    static constexpr unsigned most_speculated = 16;

private:
    /// An instruction, and which registers it needs the values of.
    struct Step {
        const litmus::Instruction* instruction;
        std::uint64_t sources;
    };
    struct Section {
        std::uint64_t address;
        std::vector<Step> steps;
        const litmus::Program* program;
    };
    struct Place {
        std::size_t section = 0;
        std::size_t index = 0;
    };
    /// A load under way, and the register that gets a part of it.
    struct Slot {
        PendingLoad load;
        std::uint8_t shift = 0;
        std::uint8_t reg = 31;  ///< 31 when no register waits for it
    };
    struct RegisterFile {
        std::array<Word, litmus::register_count> values{};
        std::array<Slot*, litmus::register_count> pending{};
        std::uint64_t pending_mask = 0;
    };
    struct Pstate {
        std::uint8_t exception_level = 1;
        bool uses_sp_el0 = false;
        std::uint8_t masks = 0;  ///< D A I F from bit 3
        bool operator==(const Pstate&) const = default;
    };

    /// Executes until the end of the program, and then only what interrupts bring.
    Task<> execute(Core& cpu, Place at);
    /// The core takes an interrupt. Returns where its handler is.
    Place take_interrupt(Core& cpu);
    /// The state that an exception entry leaves (DDI 0487, AArch64.TakeException). Returns where its vector is.
    /// @param kind 0 of a synchronous exception, 0x80 of an IRQ
    Place enter_exception(Core& cpu, Place back, unsigned kind, const char* what);
    /// PSTATE and the address that an ERET goes on with. Returns that place.
    Place leave_exception(Core& cpu, const litmus::Instruction& instruction);
    [[nodiscard]] bool is_due_at(Place at) const {
        return at.section == 0 && injections_[at.index] != nullptr && !injected_[at.index];
    }
    Task<> inject(Core& cpu);

    // Straight-line execution of one instruction that waits for nothing (interpreter_data.cpp).
    void execute_data(const litmus::Instruction& instruction);
    [[nodiscard]] Word read_system(litmus::SystemRegister reg) const;
    void write_system(Core& cpu, litmus::SystemRegister reg, Word value);
    void set_masks(Core& cpu, std::uint8_t masks);
    /// Notes an SGI register write that names no CPU of the test.
    void look_for_targets(const litmus::Instruction& instruction, Word value) const;
    [[nodiscard]] std::uint64_t address_of(Place place) const {
        return sections_[place.section].address + 4 * place.index;
    }
    void refuse_at_el0(const litmus::Instruction& instruction) const;

    [[nodiscard]] Word source(litmus::Register reg) const { return registers_.values[reg.number]; }
    void set(litmus::Register reg, Word value, unsigned bits = 64);
    void settle(unsigned reg);
    /// Where an access of an instruction begins.
    [[nodiscard]] Word address(const litmus::Instruction& instruction) const;
    [[nodiscard]] Word offset_of(const litmus::Instruction& instruction) const;
    /// The base register of a pre- or post-indexed access gets its new value.
    void write_back(const litmus::Instruction& instruction);
    [[nodiscard]] AddressBook::Access access(const litmus::Instruction& instruction, Word address) const;
    Slot& next_slot();
    /// Prepares the slot, which is free, for a load that is about to be issued.
    void prepare(Slot& slot, const AddressBook::Access& what);
    /// Makes `reg` wait for what the slot loads.
    void attach(Slot& slot, litmus::Register reg);

    void start_speculating(Core& cpu, const litmus::Instruction& branch, Place at);
    /// The branch has its value. Returns where to go on when the prediction was wrong.
    std::optional<Place> stop_speculating(Core& cpu, Word value);
    [[nodiscard]] bool may_speculate(const litmus::Instruction& instruction) const;
    [[nodiscard]] bool is_taken(const litmus::Instruction& instruction) const;
    [[nodiscard]] Place find(std::uint64_t address, const litmus::Instruction& instruction) const;
    [[nodiscard]] Place vector(unsigned offset, const char* what) const;
    [[noreturn]] void refuse(const litmus::Instruction& instruction, const std::string& message) const;
    void note(const Core& cpu, const std::string& text) const;

    const Shared& shared_;
    const litmus::Thread& thread_;
    unsigned number_;
    std::vector<Section> sections_;                             ///< the program, then the handlers
    std::vector<const litmus::InjectedInterrupt*> injections_;  ///< by instruction of the program
    std::optional<std::uint64_t> unknown_vector_base_;
    Core::Program main_program_;
    Core::Program interrupt_program_;

    RegisterFile registers_;
    litmus::Flags flags_;
    std::array<Word, litmus::system_register_count> system_{};
    Pstate pstate_;
    Place resume_;                ///< where an exception that is taken now returns to
    std::vector<bool> injected_;  ///< by instruction: its interrupt has come
    Time cut_off_;                ///< time that interrupts have put off
    std::array<Slot, 64> slots_;
    std::size_t next_slot_ = 0;
    Slot* preparing_ = nullptr;    ///< of a load that is about to be issued
    unsigned injections_due_ = 0;  ///< have come and have not been taken
    unsigned steps_ = 0;
    bool acknowledges_ = false;  ///< a handler reads ICC_IAR1_EL1
    bool finished_ = false;
    bool exhausted_ = false;

    // Behind a branch that is not resolved: what was when it came, and where it goes if it was predicted wrongly.
    bool speculating_ = false;
    const litmus::Instruction* branch_ = nullptr;
    bool predicted_taken_ = false;
    unsigned speculated_ = 0;
    RegisterFile before_branch_;
    litmus::Flags flags_before_branch_;
    Place branch_place_;
};

}  // namespace gicsim

#endif
