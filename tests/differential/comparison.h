#ifndef GICSIM_TESTS_DIFFERENTIAL_COMPARISON_H
#define GICSIM_TESTS_DIFFERENTIAL_COMPARISON_H

#include <cstdint>
#include <string>
#include <vector>

#include "differential/known_differences.h"

namespace gicsim::test {

/// What was compared, so that a test can say that something happened.
struct Activity {
    std::uint64_t accesses = 0;
    std::uint64_t acknowledged = 0;  ///< reads of ICC_IAR<n>_EL1 that gave an interrupt
    std::uint64_t shared = 0;        ///< of these, SPIs
    std::uint64_t preempted = 0;     ///< Non-secure accesses that a FIQ came before
    std::uint64_t signalled = 0;     ///< accesses after which a pin was high
    std::uint64_t with_leeway = 0;   ///< accesses whose value or pins are not simply compared

    Activity& operator+=(const Activity& other);
    [[nodiscard]] std::string text() const;
};

/// The same machine on both sides.
class Comparison {
public:
    explicit Comparison(const MachineOptions& options);

    [[nodiscard]] SettledGic& gic() { return gic_; }
    [[nodiscard]] const MachineOptions& options() const { return options_; }
    [[nodiscard]] const Activity& activity() const { return activity_; }

    /// Performs an access on our side; QEMU's turn comes with the next check() or run().
    Outcome add(const Access& access);
    /// What was added, on QEMU's side. Empty if all agrees; else the first access that does not, and those before it.
    std::string check();
    /// Like check(), for accesses that are meant to differ: nothing is held against the other.
    std::vector<Step> run();

private:
    [[nodiscard]] std::string report(const std::vector<Step>& steps, std::size_t n, const std::string& what) const;

    MachineOptions options_;
    SettledGic gic_;
    QemuMachine qemu_;
    std::vector<Step> steps_;
    Activity activity_;
};

}  // namespace gicsim::test

#endif
