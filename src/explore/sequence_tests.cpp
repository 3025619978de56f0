// Litmus tests made from IPI sequences.
#include <fmt/format.h>

#include "gicsim/arch/gic.h"
#include "gicsim/explore/software_survey.h"
#include "gicsim/litmus/isla_reader.h"
#include "gicsim/workload/kernel.h"

namespace gicsim {
namespace {

using Question = SequenceTest::Question;

struct Owner {
    std::string name;
    std::size_t thread;
};

/// Threads whose cache can hold the line at the start, nearest to the sender first.
std::vector<Owner> owners(const MachineDescription& machine) {
    std::vector<Owner> found{{"sender", 0}};
    const CpuPlace& sender = machine.cpus[0];
    const auto add = [&](const char* name, auto&& fits) {
        for (std::size_t n = 2; n < std::min(machine.cpus.size(), litmus::most_threads); ++n) {
            if (!fits(machine.cpus[n])) continue;
            found.push_back({name, n});
            return;
        }
    };
    add("other die", [&](const CpuPlace& cpu) { return cpu.socket == sender.socket && cpu.die != sender.die; });
    add("other socket", [&](const CpuPlace& cpu) { return cpu.socket != sender.socket; });
    return found;
}

std::string instruction(const Barrier& barrier) {
    return barrier.kind() == Barrier::Kind::none ? std::string() : "    " + barrier.name() + "\n";
}

std::string isb(bool there) {
    return there ? "    isb\n" : "";
}

std::string publication(const IpiSequence& sequence, Question question) {
    if (question == Question::stale_payload) return "    str x0, [x1]\n";
    switch (sequence.send.publish) {
        case IpiSequence::Publish::store: return "    str x0, [x1]\n";
        case IpiSequence::Publish::no_return_atomic: return "    stset x0, [x1]\n";
        case IpiSequence::Publish::atomic: return "    swpal x0, x3, [x1]\n";
    }
    return {};
}

std::string handler(const IpiSequence::Receive& receive) {
    std::string code = "    mrs x4, iar\n" + instruction(receive.after_iar);
    const bool split = receive.eoi_mode == 1;
    if (split) code += "    msr eoir, x4\n";
    code += isb(receive.isb_after_acknowledge);
    code += "    ldr x5, [x1]\n    mov x6, #1\n";
    code += split ? "    msr dir, x4\n" : "    msr eoir, x4\n";
    return code + isb(receive.isb_after_eoi) + "    eret\n";
}

SequenceTest make_test(const IpiSequence& sequence, Question question, const Owner& owner,
                       const MachineDescription& machine) {
    const bool forbidden = sequence.send.before.kind() == Barrier::Kind::dsb && sequence.send.before.covers_stores();
    const std::string name = fmt::format(
        "{}+{}+{}", sequence.name, question == Question::stale_payload ? "stale-payload" : "lost-wake-up", owner.name);
    std::string text = fmt::format("arch = \"AArch64\"\nname = \"{}\"\nsymbolic = [\"x\"]\n", name);
    const std::size_t threads = std::max<std::size_t>(owner.thread + 1, 2);
    for (std::size_t n = 0; n < threads; ++n) {
        std::string code = "    nop\n";
        if (n == 0) {
            code = publication(sequence, question) + instruction(sequence.send.before) + isb(sequence.send.isb_before) +
                   "    msr icc_sgi1r_el1, x2\n" + isb(sequence.send.isb_after);
        }
        text += fmt::format("\n[thread.{}]\ncode = \"\"\"\n{}\"\"\"\n", n, code);
    }
    text += fmt::format("\n[thread.0.reset]\nX0 = \"1\"\nX1 = \"x\"\nX2 = \"{:#x}\"\n",
                        sgi1r_for(machine.cpus[1].affinity, intid(0)));
    text += "\n[thread.1.reset]\nX1 = \"x\"\nVBAR_EL1 = \"0x2000\"\n";
    text += fmt::format("\n[section.thread1_el1_irq]\naddress = \"0x2280\"\ncode = \"\"\"\n{}\"\"\"\n",
                        handler(sequence.receive));
    text += fmt::format("\n[owner]\nx = {}\n", owner.thread);
    text += fmt::format("\n[expected]\nverdict = \"{}\"\nsource = \"{}\"\n", forbidden ? "forbidden" : "allowed",
                        forbidden ? "DDI 0487, Data Synchronization Barrier (DSB): no later instruction alters system "
                                    "state before earlier stores are complete"
                                  : "DDI 0487 B2.3: but for a DSB that covers stores, nothing orders a write of "
                                    "ICC_SGI1R_EL1 after an earlier store");
    text += "\n[final]\nassertion = \"1:X6 = 1 & 1:X5 = 0\"\n";
    return {question, litmus::read_isla(text, "test of " + sequence.name)};
}

}  // namespace

std::vector<SequenceTest> sequence_tests(const IpiSequence& sequence, const MachineDescription& machine) {
    std::vector<SequenceTest> tests;
    if (sequence.send.mechanism != IpiSequence::Mechanism::system_register) return tests;
    if (machine.cpus.size() < 2) {
        throw ConfigError({}, {}, fmt::format("the machine '{}' has one CPU: nobody to interrupt", machine.name));
    }
    for (const Question question : {Question::stale_payload, Question::lost_wake_up}) {
        for (const Owner& owner : owners(machine)) tests.push_back(make_test(sequence, question, owner, machine));
    }
    return tests;
}

}  // namespace gicsim
