#ifndef GICSIM_TESTS_DIFFERENTIAL_QEMU_MACHINE_H
#define GICSIM_TESTS_DIFFERENTIAL_QEMU_MACHINE_H

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace gicsim::test {

/// What one CPU of the guest executes; the layout is guest_server.s's.
struct GuestCommand {
    std::uint32_t cpu = 0;
    std::uint32_t stub = 0;  ///< see stub_of() and its like
    std::uint64_t address = 0;
    std::uint64_t value = 0;
    std::uint64_t non_secure = 0;  ///< 1: in Non-secure EL1, by way of EL3
};
static_assert(sizeof(GuestCommand) == 32);

struct GuestResult {
    std::uint64_t value = 0;
    std::uint32_t isr_before = 0;  ///< ISR_EL1 of the CPU before and after the access
    std::uint32_t isr_after = 0;
    std::uint32_t esr_el1 = 0;  ///< not 0: the access was not executed and taken to EL1
    std::uint32_t esr_el3 = 0;
    std::uint32_t fiq = 0;  ///< taken to EL3. 1: before the access, which was not executed; 2: after it
    std::uint32_t unused = 0;
};
static_assert(sizeof(GuestResult) == 32);

struct MachineOptions {
    unsigned cpus = 1;
    bool two_security_states = false;
    bool eight_priority_bits = false;  ///< otherwise the 5 of the CPU model

    [[nodiscard]] std::string text() const;
};

/// A child process of QEMU's `virt` machine with a GICv3, whose CPUs run guest_server.s. They take commands out of RAM
/// that this process shares with the child. The child does not outlive this process, and a command that does not end
/// becomes a std::runtime_error.
class QemuMachine {
public:
    static constexpr std::size_t most_commands = 8192;

    /// Throws std::runtime_error with the missing Debian package when a program is not there.
    explicit QemuMachine(const MachineOptions& options);
    ~QemuMachine();
    QemuMachine(const QemuMachine&) = delete;
    QemuMachine& operator=(const QemuMachine&) = delete;

    /// How long commands may take before it counts as a hang.
    void set_patience(std::chrono::milliseconds patience) { patience_ = patience; }
    /// Executes the commands one after the other. There are at most `most_commands` and as many results.
    void run(std::span<const GuestCommand> commands, std::span<GuestResult> results);

    static std::uint64_t gicd_address(std::uint32_t offset) { return 0x0800'0000 + std::uint64_t{offset}; }
    static std::uint64_t gicr_address(std::size_t cpu, std::uint32_t offset) {
        return 0x080A'0000 + 0x2'0000 * std::uint64_t{cpu} + offset;
    }
    static std::uint32_t load_stub(unsigned bytes);
    static std::uint32_t store_stub(unsigned bytes) { return load_stub(bytes) + 4; }
    /// @param reg as a number, in the order of IccRegister.
    static std::uint32_t read_stub(unsigned reg) { return 8 + 2 * reg; }
    static std::uint32_t write_stub(unsigned reg) { return 9 + 2 * reg; }

private:
    void start(const MachineOptions& options);
    void stop();
    void wait_until(std::uint32_t word_offset, std::uint64_t wanted, const std::string& what);
    [[nodiscard]] std::string diagnosis() const;

    int ram_fd_ = -1;
    int output_fd_ = -1;  ///< what the child writes to stderr
    std::byte* ram_ = nullptr;
    pid_t child_ = -1;
    std::uint64_t executed_ = 0;
    std::chrono::milliseconds patience_{30'000};
};

}  // namespace gicsim::test

#endif
