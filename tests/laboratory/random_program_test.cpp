#include <fmt/format.h>

#include <random>

#include "laboratory/lab_rig.h"
#include "support/reference_model.h"

using namespace gicsim;

namespace {

/// A random program of `threads` threads with `accesses` memory accesses each on two or three locations, as a herd file
/// that observes every register and location.
class RandomProgram {
public:
    RandomProgram(std::uint64_t seed, unsigned threads, unsigned accesses) : random_(seed), threads_(threads) {
        for (unsigned t = 0; t < threads; ++t) {
            code_.emplace_back();
            for (unsigned n = 0; n < accesses; ++n) add_access(t, n);
        }
    }

    [[nodiscard]] std::string text() const {
        std::string init;
        std::string header;
        std::size_t rows = 0;
        for (unsigned t = 0; t < threads_; ++t) {
            init += fmt::format("{0}:X20=x; {0}:X21=y;\n", t);
            header += fmt::format("{} P{} ", t == 0 ? "" : "|", t);
            rows = std::max(rows, code_[t].size());
        }
        std::string table;
        for (std::size_t row = 0; row < rows; ++row) {
            for (unsigned t = 0; t < threads_; ++t) {
                table += fmt::format("{} {} ", t == 0 ? "" : "|", row < code_[t].size() ? code_[t][row] : "");
            }
            table += ";\n";
        }
        std::string observed;
        for (unsigned t = 0; t < threads_; ++t) {
            for (unsigned n = 0; n < 4; ++n) observed += fmt::format("{}:X{};", t, n);
        }
        return fmt::format("AArch64 random\n{{\n{}}}\n{};\n{}locations [x; y; {}]\nexists (x=0)\n", init, header, table,
                           observed);
    }

private:
    unsigned pick(unsigned n) { return static_cast<unsigned>(random_() % n); }

    void add_access(unsigned t, unsigned n) {
        auto& code = code_[t];
        const std::string where = pick(2) == 0 ? "[X20]" : "[X21]";
        const unsigned value = 1 + t * 4 + n;
        if (n > 0) {
            static constexpr const char* orders[] = {"DMB SY", "DMB ST", "DMB LD", "ISB", "DSB SY", "DSB ST", "DSB LD"};
            if (pick(3) == 0) code.emplace_back(orders[pick(std::size(orders))]);
        }
        switch (pick(10)) {
            case 0:
            case 1: code.push_back(fmt::format("LDR X{}, {}", n, where)); break;
            case 2: code.push_back(fmt::format("LDAR X{}, {}", n, where)); break;
            case 3: code.push_back(fmt::format("LDAPR X{}, {}", n, where)); break;
            case 4:
                if (n > 0) {
                    // A load or store whose address, or value, needs the register of the access before.
                    code.push_back(fmt::format("EOR X10, X{0}, X{0}", n - 1));
                    code.push_back(fmt::format("ADD X11, X2{}, X10", pick(2)));
                    code.push_back(fmt::format("LDR X{}, [X11]", n));
                    break;
                }
                [[fallthrough]];
            case 5:
            case 6:
                code.push_back(fmt::format("MOV X12, #{}", value));
                code.push_back(fmt::format("STR X12, {}", where));
                break;
            case 7:
                code.push_back(fmt::format("MOV X12, #{}", value));
                code.push_back(fmt::format("STLR X12, {}", where));
                break;
            case 8: {
                static constexpr const char* suffixes[] = {"", "A", "L", "AL"};
                code.push_back(fmt::format("MOV X13, #{}", value * 16));
                code.push_back(
                    fmt::format("{}{} X13, X{}, {}", pick(2) == 0 ? "LDADD" : "SWP", suffixes[pick(4)], n, where));
                break;
            }
            default:
                code.push_back(fmt::format("MOV X13, #{}", value * 16));
                code.push_back(fmt::format("{} X13, {}", pick(2) == 0 ? "STADD" : "STSETL", where));
                break;
        }
    }

    std::mt19937_64 random_;
    unsigned threads_;
    std::vector<std::vector<std::string>> code_;
};

/// Every state that the cores show is one that the reference model allows.
void compare(unsigned threads, unsigned accesses, unsigned programs, std::uint64_t iterations) {
    LabRig rig;
    std::uint64_t states = 0;
    for (unsigned seed = 0; seed < programs; ++seed) {
        const std::string text = RandomProgram(seed, threads, accesses).text();
        const litmus::LitmusTest test = LabRig::herd(text);
        const auto allowed = reference::reachable_states(test);
        const CampaignResult result = rig.run(test, iterations, seed);
        INFO("seed " << seed << "\n" << text);
        REQUIRE(result.stuck + result.exhausted == 0);
        for (const StateCount& each : result.states) {
            INFO("state " << litmus::to_string(test, each.state));
            REQUIRE(allowed.count(each.state) == 1);
        }
        states += result.states.size();
    }
    CHECK(states > programs);
}

}  // namespace

TEST_CASE("Random programs 1. Two threads of three accesses show nothing that the memory model forbids") {
    compare(2, 3, 400, 600);
}

TEST_CASE("Random programs 2. Two threads of four accesses") {
    compare(2, 4, 200, 600);
}

TEST_CASE("Random programs 3. Three threads of two accesses") {
    compare(3, 2, 200, 600);
}

TEST_CASE("Random programs 4. What a mutant does with them is noticed") {
    LabRig rig(Mutant::release_without_order);
    bool noticed = false;
    for (unsigned seed = 0; seed < 400 && !noticed; ++seed) {
        const litmus::LitmusTest test = LabRig::herd(RandomProgram(seed, 2, 3).text());
        const auto allowed = reference::reachable_states(test);
        for (const StateCount& each : rig.run(test, 600, seed).states)
            noticed = noticed || allowed.count(each.state) == 0;
    }
    CHECK(noticed);
}
