#ifndef GICSIM_LITMUS_INSTRUCTION_H
#define GICSIM_LITMUS_INSTRUCTION_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "gicsim/arch/barrier.h"
#include "gicsim/litmus/system_register.h"

namespace gicsim::litmus {

/// A general register. The zero register and the stack pointer, which the encoding tells apart by context only, have
/// numbers of their own, so that a register file is an array of register_count words.
struct Register {
    std::uint8_t number = 31;  ///< 0 to 30, 31 for XZR/WZR, 32 for SP/WSP
    [[nodiscard]] constexpr bool is_zero() const { return number == 31; }
    [[nodiscard]] constexpr bool is_stack_pointer() const { return number == 32; }
    constexpr auto operator<=>(const Register&) const = default;
};
inline constexpr Register zero_register{31};
inline constexpr Register stack_pointer{32};
inline constexpr unsigned register_count = 33;

/// "x3", "wzr", "sp", ... @param bits 32 or 64
std::string to_string(Register reg, unsigned bits = 64);

/// What an instruction does. Aliases are resolved by the assembler: CMP is a `sub` into the zero register that sets the
/// flags, MOV of a register or of an immediate is a `move`, SXTW a `move` with an extended operand, STADD an `atomic`
/// whose rt is the zero register, CSET a `select_increment`. The source text keeps the spelling.
enum class Opcode : std::uint8_t {
    nop,
    // rd := rn op operand
    move,       ///< rd := operand: MOV, MOVZ, MOVN, SXTB, SXTH, SXTW, UXTB, UXTH, UXTW
    move_keep,  ///< MOVK: the 16 bits of rd from bit operand.amount := operand.immediate
    add,
    sub,
    bit_and,
    bit_or,
    bit_xor,
    bit_clear,  ///< BIC: rn AND NOT operand
    shift_left,
    shift_right,
    shift_right_arithmetic,
    select,            ///< CSEL: rd := condition ? rn : rm
    select_increment,  ///< CSINC, CSET, CINC: rd := condition ? rn : rm + 1
    // branches to `target`
    branch,
    branch_condition,  ///< B.cond
    branch_zero,       ///< CBZ rt
    branch_not_zero,   ///< CBNZ rt
    branch_bit_zero,   ///< TBZ rt, #bit
    branch_bit_set,    ///< TBNZ rt, #bit
    // memory at `address`
    load,              ///< LDR, LDRB, LDRH, LDAR, LDAPR: rt := memory, zero-extended
    load_pair,         ///< LDP: rt, rt2
    store,             ///< STR, STRB, STRH, STLR
    store_pair,        ///< STP
    load_exclusive,    ///< LDXR, LDAXR
    store_exclusive,   ///< STXR, STLXR: rs := 0 when it stored, else 1
    compare_and_swap,  ///< CAS: if memory = rs then memory := rt; rs := old memory
    atomic,            ///< SWP, LDADD, ...: rt := old memory; memory := old op rs
    // system
    barrier,               ///< DMB, DSB
    isb,                   ///< ISB
    read_system,           ///< MRS rt, system_register
    write_system,          ///< MSR system_register, rt
    set_interrupt_mask,    ///< MSR DAIFSet, #operand.immediate
    clear_interrupt_mask,  ///< MSR DAIFClr, #operand.immediate
    supervisor_call,       ///< SVC #operand.immediate
    exception_return,      ///< ERET
    wait_for_interrupt,    ///< WFI
    wait_for_event,        ///< WFE
    send_event,            ///< SEV
    send_event_local,      ///< SEVL
};

/// Condition codes with their encoding (DDI 0487, C1.2.4).
enum class Condition : std::uint8_t { eq, ne, cs, cc, mi, pl, vs, vc, hi, ls, ge, lt, gt, le, al, nv };

/// What happens to a register before it is used as the last operand or as an offset.
enum class Modifier : std::uint8_t { lsl, lsr, asr, ror, uxtb, uxth, uxtw, uxtx, sxtb, sxth, sxtw, sxtx };

/// The last operand of a data instruction, or the offset of an address.
struct Operand {
    enum class Kind : std::uint8_t { none, immediate, reg };
    Kind kind = Kind::none;
    Modifier modifier = Modifier::lsl;  ///< of a register
    std::uint8_t amount = 0;            ///< of the shift; for an extension, the left shift after it
    Register rm;
    std::uint64_t immediate = 0;  ///< complete: shifts and signs are already in it; two's complement for an offset
};

struct Address {
    enum class Mode : std::uint8_t {
        offset,      ///< [base, offset]
        pre_index,   ///< [base, #offset]!: base is updated, and the access is there
        post_index,  ///< [base], #offset: the access is at base, which is updated afterwards
    };
    Register base;
    Mode mode = Mode::offset;
    Operand offset;  ///< Kind::none when there is none
};

/// How the load of an access is ordered before what follows (DDI 0487, B2.3.11).
enum class Acquire : std::uint8_t {
    none,
    acquire_pc,  ///< LDAPR: may pass an earlier STLR
    acquire,     ///< LDAR, LDAXR, the A of an atomic
};

enum class AtomicKind : std::uint8_t { swap, add, clear_bits, exclusive_or, set_bits };

/// A place in the file of a test, from 1.
struct SourcePosition {
    unsigned line = 0;
    unsigned column = 0;
};

/// One instruction, ready to be executed. Fields that an opcode does not use have their initial value. Register fields
/// have the names of the encoding.
struct Instruction {
    Opcode opcode = Opcode::nop;
    std::uint8_t bits = 64;        ///< width of the data registers: 32 or 64; a 32-bit result clears the upper half
    std::uint8_t access_size = 0;  ///< bytes of each memory access: 1, 2, 4 or 8; a pair makes two
    bool sets_flags = false;       ///< ADDS, SUBS, ANDS, BICS and the aliases CMP, CMN, TST
    bool release = false;          ///< STLR, STLXR, the L of an atomic
    Acquire acquire = Acquire::none;
    AtomicKind atomic_kind = AtomicKind::swap;
    Condition condition = Condition::al;
    std::uint8_t bit = 0;  ///< of TBZ and TBNZ
    SystemRegister system_register = SystemRegister::DAIF;
    Register rd;   ///< destination
    Register rn;   ///< first source
    Register rm;   ///< second source of CSEL and CSINC
    Register rt;   ///< register loaded, stored, tested, or moved from or to a system register
    Register rt2;  ///< second register of a pair
    Register rs;   ///< status of a store-exclusive; comparand of CAS; operand of an atomic
    Operand operand;
    Address address;
    Barrier barrier;
    std::size_t target = 0;  ///< of a branch: index in the section; the number of instructions there for its end
    SourcePosition position;
    std::string text;  ///< as it is written, blanks folded
};

}  // namespace gicsim::litmus

#endif
