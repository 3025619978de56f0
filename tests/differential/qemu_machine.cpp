#include "differential/qemu_machine.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <bit>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <thread>
#include <vector>

namespace gicsim::test {
namespace {

using namespace std::chrono_literals;

constexpr std::uint64_t ram_base = 0x4000'0000;
constexpr std::size_t ram_bytes = 8U << 20;
constexpr std::uint32_t program_at = 0x20'0000;
constexpr std::uint32_t executed_at = 0x30'0000;
constexpr std::uint32_t published_at = 0x30'0040;
constexpr std::uint32_t cpu_count_at = 0x30'0080;
constexpr std::uint32_t wake_others_at = 0x30'0088;
constexpr std::uint32_t cpus_up_at = 0x30'00C0;
constexpr std::uint32_t commands_at = 0x40'0000;
constexpr std::uint32_t results_at = 0x50'0000;

constexpr int exec_failed = 127;

[[noreturn]] void fail(const std::string& what) {
    throw std::runtime_error(fmt::format("{}: {}", what, std::strerror(errno)));
}

std::string content(int fd) {
    std::string text;
    char buffer[512];
    off_t at = 0;
    for (ssize_t got = 0; (got = pread(fd, buffer, sizeof buffer, at)) > 0; at += got) {
        text.append(buffer, static_cast<std::size_t>(got));
    }
    return text;
}

/// Starts a program with its stdout and stderr in `output`; it ends when this process does.
pid_t spawn(const std::vector<std::string>& words, int output) {
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (const std::string& word : words) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t parent = getpid();
    const pid_t child = fork();
    if (child < 0) fail("fork");
    if (child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(exec_failed);
        dup2(output, STDOUT_FILENO);
        dup2(output, STDERR_FILENO);
        execvp(arguments[0], arguments.data());
        _exit(exec_failed);
    }
    return child;
}

std::string missing(const std::string& program, const std::string& package) {
    return fmt::format("'{}' cannot be started; it is in the Debian package {} (script/packages.txt)", program,
                       package);
}

void run_tool(const std::vector<std::string>& words) {
    const int output = memfd_create("tool output", MFD_CLOEXEC);
    if (output < 0) fail("memfd_create");
    int status = 0;
    const pid_t child = spawn(words, output);
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    const std::string said = content(output);
    close(output);
    if (WIFEXITED(status) && WEXITSTATUS(status) == exec_failed) {
        throw std::runtime_error(missing(words[0], "binutils-aarch64-linux-gnu"));
    }
    if (status != 0 || !said.empty()) throw std::runtime_error(fmt::format("{} failed: {}", words[0], said));
}

/// guest_server.s as the bytes to be put into RAM.
std::vector<char> assembled_program() {
    std::string folder = (std::filesystem::temp_directory_path() / "gicsim-differential-XXXXXX").string();
    if (mkdtemp(folder.data()) == nullptr) fail("mkdtemp");
    const std::filesystem::path object = std::filesystem::path(folder) / "server.o";
    const std::filesystem::path binary = std::filesystem::path(folder) / "server.bin";
    std::vector<char> program;
    try {
        run_tool(
            {"aarch64-linux-gnu-as", "-o", object.string(), GICSIM_SOURCE_DIR "/tests/differential/guest_server.s"});
        run_tool({"aarch64-linux-gnu-objcopy", "-O", "binary", object.string(), binary.string()});
        std::ifstream in(binary, std::ios::binary);
        program.assign(std::istreambuf_iterator<char>(in), {});
    } catch (...) {
        std::filesystem::remove_all(folder);
        throw;
    }
    std::filesystem::remove_all(folder);
    if (program.empty()) throw std::runtime_error("guest_server.s gave no program");
    return program;
}

}  // namespace

std::string MachineOptions::text() const {
    return fmt::format("{} CPU{}, {}, {} bits of priority", cpus, cpus == 1 ? "" : "s",
                       two_security_states ? "two Security states" : "GICD_CTLR.DS = 1", eight_priority_bits ? 8 : 5);
}

QemuMachine::QemuMachine(const MachineOptions& options) {
    try {
        start(options);
    } catch (...) {
        stop();
        throw;
    }
}

QemuMachine::~QemuMachine() {
    stop();
}

std::uint32_t QemuMachine::load_stub(unsigned bytes) {
    return static_cast<std::uint32_t>(std::countr_zero(bytes));
}

void QemuMachine::start(const MachineOptions& options) {
    const std::vector<char> program = assembled_program();
    ram_fd_ = memfd_create("guest RAM", 0);
    output_fd_ = memfd_create("QEMU output", MFD_CLOEXEC);
    if (ram_fd_ < 0 || output_fd_ < 0 || ftruncate(ram_fd_, ram_bytes) != 0) fail("guest RAM");
    void* mapped = mmap(nullptr, ram_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, ram_fd_, 0);
    if (mapped == MAP_FAILED) fail("mmap of guest RAM");
    ram_ = static_cast<std::byte*>(mapped);
    std::memcpy(ram_ + program_at, program.data(), program.size());
    const std::uint64_t cpu_count = options.cpus;
    // With EL3, QEMU's own PSCI is off and all CPUs start at once.
    const std::uint64_t wake_others = options.two_security_states ? 0 : 1;
    std::memcpy(ram_ + cpu_count_at, &cpu_count, sizeof cpu_count);
    std::memcpy(ram_ + wake_others_at, &wake_others, sizeof wake_others);

    std::vector<std::string> words = {
        "qemu-system-aarch64", "-nodefaults", "-display", "none",
        // One thread: the CPUs take turns, and a waiting one costs nothing but its turn.
        "-accel", "tcg,thread=single", "-machine",
        fmt::format("virt,gic-version=3,memory-backend=ram,secure={}", options.two_security_states ? "on" : "off"),
        "-cpu", "cortex-a57", "-smp", std::to_string(options.cpus), "-m", fmt::format("{}M", ram_bytes >> 20),
        "-object",
        fmt::format("memory-backend-file,id=ram,size={},share=on,mem-path=/proc/self/fd/{}", ram_bytes, ram_fd_)};
    if (options.eight_priority_bits) {
        words.insert(words.end(), {"-global", "arm-gicv3.force-8-bit-prio=on"});
    }
    for (unsigned n = 0; n < options.cpus; ++n) {
        words.insert(words.end(), {"-device", fmt::format("loader,addr=0x{:x},cpu-num={}", ram_base + program_at, n)});
    }
    child_ = spawn(words, output_fd_);
    wait_until(cpus_up_at, options.cpus, "start of the guest's CPUs");
}

void QemuMachine::stop() {
    if (child_ > 0) {
        kill(child_, SIGKILL);
        while (waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
        }
        child_ = -1;
    }
    if (ram_ != nullptr) munmap(ram_, ram_bytes);
    ram_ = nullptr;
    for (int* fd : {&ram_fd_, &output_fd_}) {
        if (*fd >= 0) close(*fd);
        *fd = -1;
    }
}

std::string QemuMachine::diagnosis() const {
    const std::string said = output_fd_ >= 0 ? content(output_fd_) : std::string();
    return said.empty() ? "QEMU said nothing" : "QEMU said: " + said;
}

void QemuMachine::wait_until(std::uint32_t word_offset, std::uint64_t wanted, const std::string& what) {
    const std::atomic_ref<std::uint64_t> word(*reinterpret_cast<std::uint64_t*>(ram_ + word_offset));
    const auto deadline = std::chrono::steady_clock::now() + patience_;
    while (word.load(std::memory_order_acquire) != wanted) {
        std::this_thread::sleep_for(50us);
        int status = 0;
        if (waitpid(child_, &status, WNOHANG) == child_) {
            child_ = -1;
            if (WIFEXITED(status) && WEXITSTATUS(status) == exec_failed) {
                throw std::runtime_error(missing("qemu-system-aarch64", "qemu-system-arm"));
            }
            throw std::runtime_error(
                fmt::format("QEMU ended during {} (wait status {}); {}", what, status, diagnosis()));
        }
        if (std::chrono::steady_clock::now() > deadline) {
            throw std::runtime_error(fmt::format("QEMU hangs: {} is at {} of {} after {} ms; {}", what, word.load(),
                                                 wanted, patience_.count(), diagnosis()));
        }
    }
}

void QemuMachine::run(std::span<const GuestCommand> commands, std::span<GuestResult> results) {
    if (commands.size() > most_commands || results.size() != commands.size()) {
        throw std::invalid_argument("QemuMachine::run: bad number of commands or results");
    }
    const auto slot = [&](std::uint32_t ring, std::size_t n) {
        return ram_ + ring + (executed_ + n) % most_commands * sizeof(GuestCommand);
    };
    for (std::size_t n = 0; n < commands.size(); ++n) {
        std::memcpy(slot(commands_at, n), &commands[n], sizeof(GuestCommand));
    }
    const std::uint64_t end = executed_ + commands.size();
    const std::atomic_ref<std::uint64_t> published(*reinterpret_cast<std::uint64_t*>(ram_ + published_at));
    published.store(end, std::memory_order_release);
    wait_until(executed_at, end, "execution of commands");
    for (std::size_t n = 0; n < results.size(); ++n) {
        std::memcpy(&results[n], slot(results_at, n), sizeof(GuestResult));
    }
    executed_ = end;
}

}  // namespace gicsim::test
