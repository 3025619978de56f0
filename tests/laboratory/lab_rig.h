#ifndef GICSIM_TESTS_LABORATORY_LAB_RIG_H
#define GICSIM_TESTS_LABORATORY_LAB_RIG_H

#include <optional>
#include <string>

#include "gicsim/config/load.h"
#include "gicsim/laboratory/campaign.h"
#include "gicsim/laboratory/variants.h"
#include "gicsim/litmus/herd_reader.h"
#include "gicsim/litmus/isla_reader.h"
#include "gicsim/litmus/litmus_file.h"
#include "support/catch.h"

/// The litmus machine, and tests on it.
class LabRig {
public:
    explicit LabRig(gicsim::Mutant mutant = gicsim::Mutant::none, const std::string& machine = "litmus-8")
        : machine_(with(machine, mutant)), platform_(machine_), arena_(platform_, software_) {}

    /// The one of this process, which SystemC lets elaborate once, for tests whose helpers run programs. Never
    /// destroyed: SystemC's own statics may be gone before.
    static LabRig& shared() {
        static auto* const rig = new LabRig;
        return *rig;
    }
    gicsim::CampaignResult run(const gicsim::litmus::LitmusTest& test, std::uint64_t iterations = 4000,
                               std::uint64_t seed = 1) {
        options.iterations = iterations;
        options.systematic = iterations / 2;
        options.seed = seed;
        test_ = test;
        arena_.load(test_);
        return gicsim::run_campaign(arena_, options);
    }
    static gicsim::litmus::LitmusTest herd(const std::string& text) {
        return gicsim::litmus::read_herd(text, "test.litmus");
    }
    static gicsim::litmus::LitmusTest isla(const std::string& text) {
        return gicsim::litmus::read_isla("arch = \"AArch64\"\nname = \"T\"\n" + text, "test.litmus.toml");
    }
    /// A test of the built-in suite: "classic/MP.litmus".
    static gicsim::litmus::LitmusTest shipped(const std::string& name) {
        return gicsim::litmus::read_litmus_file(std::string(GICSIM_SOURCE_DIR) + "/configs/litmus/" + name);
    }
    static gicsim::litmus::LitmusTest payload_behind(const std::string& order) {
        return gicsim::with_sender_order(shipped("matrix/payload.litmus.toml"), *gicsim::SenderOrder::parse(order));
    }
    gicsim::Arena& arena() { return arena_; }

    gicsim::CampaignOptions options;

private:
    static gicsim::MachineDescription with(const std::string& name, gicsim::Mutant mutant) {
        gicsim::MachineDescription machine = gicsim::load_machine(name);
        machine.core.mutant = machine.memory.mutant = machine.gic.mutant = mutant;
        return machine;
    }
    gicsim::MachineDescription machine_;
    gicsim::SoftwareDescription software_ = gicsim::load_software("linux-5.17");
    gicsim::litmus::LitmusTest test_;  ///< the arena looks at it while it is loaded
    gicsim::Platform platform_;
    gicsim::Arena arena_;
};

#endif
