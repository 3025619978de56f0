#ifndef GICSIM_LITMUS_LITMUS_TEST_H
#define GICSIM_LITMUS_LITMUS_TEST_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gicsim/config/error.h"
#include "gicsim/litmus/assembler.h"
#include "gicsim/litmus/condition.h"

namespace gicsim::litmus {

inline constexpr std::size_t most_threads = 64;
inline constexpr std::size_t most_locations = 256;
inline constexpr std::size_t most_elements = 4096;    ///< of one array
inline constexpr std::size_t largest_file = 1 << 20;  ///< bytes

/// A variable in shared Normal memory, or an array of them. The executor chooses its address, aligned to the element
/// size at least.
struct Location {
    std::string name;
    std::uint8_t element_size = 4;        ///< bytes: 1, 2, 4 or 8
    std::vector<Value> initial{Value{}};  ///< one for each element
    /// Thread, or CPU of the machine, in whose cache the line is Modified at the start; none: not said.
    std::optional<unsigned> owner;
    [[nodiscard]] std::size_t size() const { return element_size * initial.size(); }  ///< bytes
};

struct InitialRegister {
    Register reg;
    Value value;
};

struct InitialSystemRegister {
    SystemRegister reg = SystemRegister::VBAR_EL1;
    Value value;
};

/// PSTATE when a thread starts. The masks are clear unless the file says otherwise.
struct InitialPstate {
    std::uint8_t exception_level = 1;  ///< 0 or 1
    bool uses_sp_el0 = false;          ///< PSTATE.SP = 0
    bool masks_debug = false;          ///< PSTATE.D
    bool masks_serror = false;         ///< PSTATE.A
    bool masks_irq = false;            ///< PSTATE.I
    bool masks_fiq = false;            ///< PSTATE.F
};

/// Code at an absolute address, entered through the vector table of its thread. The program's address says where.
struct Handler {
    std::string name;
    Program program;
    SourcePosition position;
};

/// An interrupt that comes when the thread is about to execute an instruction of its program.
struct InjectedInterrupt {
    std::string label;
    std::size_t instruction = 0;  ///< index in the thread's program
    std::optional<std::uint32_t> intid;
    SourcePosition position;
};

struct Thread {
    Program program;
    std::vector<InitialRegister> registers;  ///< the others are 0
    std::vector<InitialSystemRegister> system_registers;
    InitialPstate pstate;
    std::vector<Handler> handlers;
    std::vector<InjectedInterrupt> interrupts;

    /// The initial VBAR_EL1, if it is given and a number.
    [[nodiscard]] std::optional<std::uint64_t> vector_base() const;
};

/// Whether the states that a test asks for (is_asked_for) may be seen.
enum class Verdict : std::uint8_t { unknown, allowed, forbidden };

struct Expected {
    Verdict verdict = Verdict::unknown;
    std::string source;  ///< why: "DDI 0487 B2.3: ..."
    /// An allowed state is only seen by a core whose read-modify-writes have their value before their write is visible.
    bool needs_split_rmw = false;
    bool needs_split_rmw_behind_dsb_of_loads = false;  ///< the same, when such a barrier is put there
    // What becomes of it when a DSB that covers stores, or one that covers loads, is put before each SGI register
    // write; any other barrier leaves the verdict as it is. Unknown when the test does not say.
    Verdict behind_dsb_of_stores = Verdict::unknown;
    Verdict behind_dsb_of_loads = Verdict::unknown;
    Origin origin;
};

struct LitmusTest {
    std::string file;
    std::string name;
    std::string family;  ///< "MP", "2+2W", ...: said by the file, else family_of() the name
    std::string title;
    std::string description;
    std::map<std::string, std::string> info;  ///< the other Key=Value lines
    std::vector<Location> locations;
    std::vector<Thread> threads;
    FinalCondition condition;
    /// All that the condition mentions, then what `locations [...]` adds, each once.
    std::vector<Observable> observables;
    Expected expected;

    [[nodiscard]] std::optional<std::size_t> find_location(std::string_view name) const;
};

/// Turns what a run left in a register or in memory into a Value: the address of a location, or a place inside it,
/// becomes symbolic. @param addresses of the test's locations, in their order
Value symbolic_value(const LitmusTest& test, std::span<const std::uint64_t> addresses, std::uint64_t raw);

/// "allowed" or "forbidden" in any case; nothing for anything else.
std::optional<Verdict> parse_verdict(std::string_view text);
/// The shape that a name begins with: "MP" of "MP+dmb.st+addr", "2+2W" of "2+2W+pos".
std::string family_of(std::string_view name);

std::string_view to_string(Verdict verdict);                                  ///< "Allowed", "Forbidden", "unknown"
std::string_view to_string(Quantifier quantifier);                            ///< "exists", "~exists", "forall"
std::string to_string(const LitmusTest& test, const Value& value);            ///< "1", "0x1000", "x", "x+4"
std::string to_string(const LitmusTest& test, const Observable& observable);  ///< "1:X0", "x", "a[1]"
std::string to_string(const LitmusTest& test, const Expression& expression);  ///< herd's spelling
std::string to_string(const LitmusTest& test, const FinalState& state);       ///< "1:X0=1; x=2;"

}  // namespace gicsim::litmus

#endif
