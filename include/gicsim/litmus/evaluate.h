#ifndef GICSIM_LITMUS_EVALUATE_H
#define GICSIM_LITMUS_EVALUATE_H

#include <cstdint>

#include "gicsim/litmus/instruction.h"

namespace gicsim::litmus {

/// NZCV.
struct Flags {
    bool negative = false;
    bool zero = false;
    bool carry = false;
    bool overflow = false;
    bool operator==(const Flags&) const = default;
};

/// Whether a condition code holds (DDI 0487, C1.2.4).
bool holds(Condition condition, Flags flags);

/// A register's value after its shift or extension. @param bits width of the result: 32 or 64
std::uint64_t modified(std::uint64_t value, Modifier modifier, unsigned amount, unsigned bits);

/// The value of an operand or offset. @param rm value of operand.rm
std::uint64_t value_of(const Operand& operand, std::uint64_t rm, unsigned bits);

struct DataResult {
    std::uint64_t value = 0;
    Flags flags;  ///< to be kept when the instruction sets flags
};

/// What a data instruction (`move` to `select_increment`) computes.
/// @param rn value of rn; for move_keep of rd
/// @param operand value_of() the last operand; for the selects the value of rm
DataResult compute(const Instruction& instruction, std::uint64_t rn, std::uint64_t operand, Flags flags);

/// Whether a branch is taken. @param rt value of rt
bool is_taken(const Instruction& instruction, std::uint64_t rt, Flags flags);

/// What an atomic leaves in memory.
std::uint64_t updated(AtomicKind kind, std::uint64_t old, std::uint64_t operand);

}  // namespace gicsim::litmus

#endif
