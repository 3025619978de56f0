#include "differential/qemu_machine.h"

#include <array>
#include <cstdlib>
#include <string>

#include "support/catch.h"

// What goes wrong with QEMU is said, not waited for.

namespace gicsim::test {
namespace {

/// PATH without any program for as long as it lives.
class NoPrograms {
public:
    NoPrograms() {
        if (const char* path = std::getenv("PATH"); path != nullptr) path_ = path;
        setenv("PATH", "/nonexistent", 1);
    }
    ~NoPrograms() { setenv("PATH", path_.c_str(), 1); }
    NoPrograms(const NoPrograms&) = delete;
    NoPrograms& operator=(const NoPrograms&) = delete;

private:
    std::string path_;
};

}  // namespace

TEST_CASE("a missing program is a failure that names its Debian package", "[machine]") {
    const NoPrograms none;
    CHECK_THROWS_WITH(QemuMachine(MachineOptions{}), Catch::Contains("aarch64-linux-gnu-as") &&
                                                         Catch::Contains("binutils-aarch64-linux-gnu") &&
                                                         Catch::Contains("script/packages.txt"));
}

TEST_CASE("a command that no CPU takes ends in a message, not in a hang", "[machine]") {
    QemuMachine machine(MachineOptions{});
    const std::array<GuestCommand, 1> fine = {
        GuestCommand{.stub = QemuMachine::load_stub(4), .address = QemuMachine::gicd_address(0x004)}};
    std::array<GuestResult, 1> result{};
    machine.run(fine, result);
    CHECK(result[0].value != 0);
    machine.set_patience(std::chrono::milliseconds(300));
    const std::array<GuestCommand, 1> lost = {GuestCommand{.cpu = 7}};
    CHECK_THROWS_WITH(machine.run(lost, result), Catch::Contains("QEMU hangs") && Catch::Contains("1 of 2"));
}

}  // namespace gicsim::test
