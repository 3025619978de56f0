#include "support/reference_trace.h"

#include "support/reference_model.h"

namespace gicsim::reference {
namespace {

using litmus::Instruction;
using litmus::Opcode;

constexpr std::size_t most_paths = 4096;
constexpr std::size_t most_events = 60;

bool is_branch(Opcode opcode) {
    return opcode >= Opcode::branch && opcode <= Opcode::branch_bit_set;
}

bool is_guessed(const Instruction& instruction) {
    return (is_branch(instruction.opcode) && instruction.opcode != Opcode::branch) ||
           instruction.opcode == Opcode::store_exclusive || instruction.opcode == Opcode::compare_and_swap;
}

void refuse_unknown(const Instruction& instruction) {
    const bool known = instruction.opcode <= Opcode::isb;
    if (!known) throw Unsupported("reference model: " + instruction.text);
}

class PathFinder {
public:
    explicit PathFinder(const litmus::Program& program) : program_(program) {}

    std::vector<std::vector<Step>> find() {
        follow(0, {});
        return std::move(paths_);
    }

private:
    void follow(std::size_t at, std::vector<Step> path) {
        while (at < program_.instructions.size()) {
            const Instruction& instruction = program_.instructions[at];
            refuse_unknown(instruction);
            if (is_branch(instruction.opcode) && instruction.target <= at) throw Unsupported("reference model: a loop");
            Step step;
            step.instruction = &instruction;
            const bool jumps = is_branch(instruction.opcode);
            if (is_guessed(instruction)) {
                path.push_back(step);
                follow(at + 1, path);
                path.back().guess = true;
            } else {
                step.guess = jumps;
                path.push_back(step);
            }
            at = jumps ? instruction.target : at + 1;
        }
        paths_.push_back(std::move(path));
        if (paths_.size() > most_paths) throw Unsupported("reference model: too many paths");
    }

    const litmus::Program& program_;
    std::vector<std::vector<Step>> paths_;
};

class TraceBuilder {
public:
    explicit TraceBuilder(std::vector<Step> steps) { trace_.steps = std::move(steps); }

    Trace build() {
        for (std::size_t i = 0; i < trace_.steps.size(); ++i) add_events(i);
        if (trace_.events.size() > most_events) throw Unsupported("reference model: too many accesses");
        for (std::size_t later = 0; later < trace_.events.size(); ++later) order(later);
        return std::move(trace_);
    }

private:
    int add(std::size_t step, bool is_write) {
        const Instruction& instruction = *trace_.steps[step].instruction;
        Event event;
        event.step = step;
        event.is_write = is_write;
        if (is_write) {
            event.release = instruction.release;
            // The write of an atomic with acquire and release comes before all that follows.
            const bool is_atomic =
                instruction.opcode == Opcode::atomic || instruction.opcode == Opcode::compare_and_swap;
            event.acquire = is_atomic && event.release && instruction.acquire == litmus::Acquire::acquire;
        } else {
            event.acquire = instruction.acquire != litmus::Acquire::none;
            event.acquire_rcsc = instruction.acquire == litmus::Acquire::acquire;
            event.returns_nothing = instruction.opcode == Opcode::atomic && instruction.rt.is_zero();
        }
        trace_.events.push_back(event);
        return static_cast<int>(trace_.events.size()) - 1;
    }

    int add_update(std::size_t step, int read) {
        const int write = add(step, true);
        trace_.events.back().read = read;
        return write;
    }

    void add_events(std::size_t i) {
        Step& step = trace_.steps[i];
        switch (step.instruction->opcode) {
            case Opcode::load_exclusive: last_exclusive_ = step.first_event = add(i, false); break;
            case Opcode::load: step.first_event = add(i, false); break;
            case Opcode::store: step.first_event = add(i, true); break;
            case Opcode::load_pair:
            case Opcode::store_pair: {
                const bool is_write = step.instruction->opcode == Opcode::store_pair;
                step.first_event = add(i, is_write);
                step.second_event = add(i, is_write);
                break;
            }
            case Opcode::store_exclusive:
                // Without a load-exclusive before it, it never stores.
                if (step.guess && last_exclusive_ < 0) trace_.is_possible = false;
                if (step.guess) step.first_event = add_update(i, last_exclusive_);
                last_exclusive_ = -1;
                break;
            case Opcode::compare_and_swap:
            case Opcode::atomic:
                step.first_event = add(i, false);
                if (step.instruction->opcode == Opcode::atomic || step.guess) {
                    step.second_event = add_update(i, step.first_event);
                }
                break;
            default: break;
        }
    }

    /// Barrier-ordered-before (DDI 0487 B2.3) between an earlier access and a later one.
    [[nodiscard]] bool is_ordered(const Event& before, const Event& after) const {
        if (before.acquire || after.release) return true;
        if (before.release && after.acquire_rcsc) return true;
        for (std::size_t i = before.step + 1; i < after.step; ++i) {
            if (step_orders(i, before, after)) return true;
        }
        return false;
    }

    [[nodiscard]] bool step_orders(std::size_t i, const Event& before, const Event& after) const {
        const Instruction& instruction = *trace_.steps[i].instruction;
        if (instruction.opcode != Opcode::barrier) return false;
        const Barrier& barrier = instruction.barrier;
        switch (barrier.type()) {
            case Barrier::Type::all: return true;
            case Barrier::Type::loads: return !before.is_write && !before.returns_nothing;
            case Barrier::Type::stores:
                return before.is_write && (after.is_write || barrier.kind() == Barrier::Kind::dsb);
        }
        return false;
    }

    void order(std::size_t later) {
        Event& event = trace_.events[later];
        for (std::size_t earlier = 0; earlier < later; ++earlier) {
            const Event& other = trace_.events[earlier];
            const bool same_update = event.read == static_cast<int>(earlier);
            if (same_update || (other.step != event.step && is_ordered(other, event))) {
                event.after |= std::uint64_t{1} << earlier;
            }
        }
        for (std::size_t i = 0; i < event.step; ++i) {
            if (trace_.steps[i].instruction->opcode == Opcode::isb) event.synchronised_with.push_back(i);
        }
    }

    Trace trace_;
    int last_exclusive_ = -1;
};

}  // namespace

std::vector<Trace> traces_of(const litmus::Program& program) {
    std::vector<Trace> traces;
    for (auto& path : PathFinder(program).find()) {
        Trace trace = TraceBuilder(std::move(path)).build();
        if (trace.is_possible) traces.push_back(std::move(trace));
    }
    return traces;
}

}  // namespace gicsim::reference
