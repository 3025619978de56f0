#include "gicsim/laboratory/arena.h"

#include <fmt/format.h>

#include <algorithm>

#include "gicsim/config/error.h"
#include "gicsim/laboratory/recorder.h"
#include "gicsim/workload/kernel.h"

namespace gicsim {
namespace {

/// Between two executions: whatever a part is still busy with ends, so that each begins as if it were the first.
constexpr Time gap = Time::ns(200);

bool writes_sgis(const litmus::Program& program) {
    return std::any_of(program.instructions.begin(), program.instructions.end(), [](const litmus::Instruction& i) {
        return i.opcode == litmus::Opcode::write_system &&
               (i.system_register == litmus::SystemRegister::ICC_SGI1R_EL1 ||
                i.system_register == litmus::SystemRegister::ICC_SGI0R_EL1 ||
                i.system_register == litmus::SystemRegister::ICC_ASGI1R_EL1);
    });
}

bool deactivates(const litmus::Program& program) {
    return std::any_of(program.instructions.begin(), program.instructions.end(), [](const litmus::Instruction& i) {
        return i.opcode == litmus::Opcode::write_system && i.system_register == litmus::SystemRegister::ICC_DIR_EL1;
    });
}

template <class Predicate>
bool any_program(const litmus::Thread& thread, Predicate&& predicate) {
    return predicate(thread.program) ||
           std::any_of(thread.handlers.begin(), thread.handlers.end(),
                       [&](const litmus::Handler& handler) { return predicate(handler.program); });
}

std::string text_of(const Affinity& affinity) {
    return fmt::format("{}.{}.{}.{}", affinity.aff3, affinity.aff2, affinity.aff1, affinity.aff0);
}

}  // namespace

Arena::Arena(Platform& platform, const SoftwareDescription& software) : platform_(platform), software_(software) {}

Arena::~Arena() {
    record(nullptr);
    platform_.timeline().set_idle_handler(nullptr);
    platform_.variation().set_source(nullptr);
    for (std::size_t n = 0; n < platform_.cpu_count(); ++n) platform_.core(cpu_id(n)).abandon();
}

void Arena::load(const litmus::LitmusTest& test) {
    if (test.threads.size() > platform_.cpu_count()) {
        throw ConfigError(Origin::in_file(test.file), "",
                          fmt::format("the test has {} threads, and the machine '{}' {} CPUs", test.threads.size(),
                                      platform_.machine().name, platform_.cpu_count()),
                          "another machine: --machine");
    }
    threads_.clear();
    platform_.variation().set_source(nullptr);
    platform_.timeline().set_idle_handler(nullptr);
    platform_.reset(platform_.machine());
    SoftwareDescription software = software_;
    software.eoi_mode_1 = false;
    boot(platform_, software);
    split_end_of_interrupt(test);
    platform_.gic().save();
    addresses_.place(test, platform_.memory(), static_cast<unsigned>(platform_.machine().dies.size()));

    shared_ = {&test, &addresses_, nullptr, shared_.witness, {}, {}, false, {}};
    for (unsigned n = 0; n < test.threads.size(); ++n) {
        shared_.affinities.push_back(platform_.machine().cpus[n].affinity);
        shared_.sends_sgis = shared_.sends_sgis || any_program(test.threads[n], writes_sgis);
    }
    uses_interrupts_ = shared_.sends_sgis;
    for (unsigned n = 0; n < test.threads.size(); ++n) {
        shared_.cores.push_back(&platform_.core(cpu_id(n)));
        threads_.push_back(std::make_unique<Interpreter>(shared_, n));
        uses_interrupts_ = uses_interrupts_ || !test.threads[n].interrupts.empty();
    }
    initial_.assign(test.locations.size(), {});
    for (std::size_t i = 0; i < test.locations.size(); ++i) {
        for (std::size_t line = 0; line < addresses_.lines(i).size(); ++line) {
            initial_[i].push_back(initial_data(i, line));
        }
    }
    owners_.clear();
    for (std::size_t n = 0; n < platform_.cpu_count(); ++n) owners_.push_back({cpu_id(n), {}});
    for (const litmus::Location& location : test.locations) {
        if (location.owner && *location.owner >= owners_.size()) {
            throw ConfigError(Origin::in_file(test.file), "",
                              fmt::format("'{}' is owned by CPU {}, and the machine '{}' has {}", location.name,
                                          *location.owner, platform_.machine().name, owners_.size()));
        }
    }
    // In memory, dirty at any thread, shared by all threads, or dirty in a cache that takes no part.
    places_.assign(1, {});
    for (unsigned n = 0; n < test.threads.size(); ++n) places_.push_back({cpu_id(n), {}});
    places_.push_back({});
    for (unsigned n = 0; n < test.threads.size(); ++n) places_.back().sharers.push_back(cpu_id(n));
    if (test.threads.size() < platform_.cpu_count()) places_.push_back({cpu_id(platform_.cpu_count() - 1), {}});
}

/// ICC_DIR_EL1 means something only where ICC_EOIR1_EL1 does not deactivate (IHI 0069, 4.1.3): a thread that writes it
/// runs with EOImode 1, the others with 0.
void Arena::split_end_of_interrupt(const litmus::LitmusTest& test) {
    const Core::Program split = [](Core& cpu) -> Task<> {
        co_await write(cpu, IccRegister::ICC_CTLR_EL1, 2);
        co_await isb(cpu);
    };
    bool any = false;
    for (unsigned n = 0; n < test.threads.size(); ++n) {
        if (!any_program(test.threads[n], deactivates)) continue;
        platform_.core(cpu_id(n)).run(split);
        any = true;
    }
    if (any) platform_.run(Time::us(100), {});
}

std::string Arena::explain(const Interpreter::LostSgi& sgi) const {
    const SgiRequest request = SgiRequest::decode(SgiRegister::sgi1r, Security::non_secure, sgi.value);
    std::string targets;
    for (unsigned n = 0; n < 16; ++n) {
        if ((request.target_list >> n & 1) == 0) continue;
        if (!targets.empty()) targets += ", ";
        const auto aff0 = static_cast<std::uint8_t>(16 * request.rs + n);
        targets += text_of({request.aff3, request.aff2, request.aff1, aff0});
    }
    if (request.irm) targets = "every PE but its own";
    std::string threads;
    for (std::size_t n = 0; n < shared_.affinities.size(); ++n) {
        threads += fmt::format("{}P{} {}", n == 0 ? "" : ", ", n, text_of(shared_.affinities[n]));
    }
    return fmt::format("P{} sends an SGI to {} ('{}' of {:#x}), and no thread of the test is there: on '{}' {}",
                       sgi.thread, targets.empty() ? "nobody" : targets, sgi.instruction, sgi.value,
                       platform_.machine().name, threads);
}

LineData Arena::initial_data(std::size_t location, std::size_t line) const {
    LineData data{};
    const litmus::Location& what = shared_.test->locations[location];
    for (std::size_t e = 0; e < what.initial.size(); ++e) {
        const std::uint64_t address = addresses_.address_of(location) + e * what.element_size;
        const auto access = addresses_.find(address, what.element_size);
        if (!access || access->word.line != addresses_.lines(location)[line]) continue;
        Word& word = data[access->word.word];
        word = (word & ~access->mask) | (addresses_.value_of(what.initial[e]) << access->shift & access->mask);
    }
    return data;
}

Platform::End Arena::run(Director& director, const Platform::Monitor& monitor) {
    director_ = &director;
    under_way_ = false;
    Timeline& timeline = platform_.timeline();
    timeline.proceed();
    timeline.set_idle_handler(this);
    // The first idle moment comes when this has run.
    timeline.catch_up();
    timeline.post<&Arena::nudge>(timeline.now() + gap, this);
    const Platform::End end = platform_.run(Time::max() - timeline.now() - Time::ms(1), monitor);
    timeline.set_idle_handler(nullptr);
    platform_.variation().set_source(nullptr);
    return end;
}

void Arena::record(Witness* witness) {
    shared_.witness = witness;
    recorder_.reset();
    if (witness != nullptr) recorder_ = std::make_unique<Recorder>(platform_, *witness, addresses_, *shared_.test);
}

void Arena::idle() {
    if (under_way_) finish();
    Strategy* const strategy = director_->next();
    if (strategy == nullptr) {
        platform_.timeline().halt();
        return;
    }
    start(*strategy);
}

void Arena::start(Strategy& strategy) {
    Timeline& timeline = platform_.timeline();
    under_way_ = true;
    shared_.strategy = &strategy;
    shared_.lost_sgi.reset();
    platform_.variation().set_source(&strategy);
    if (uses_interrupts_) platform_.gic().restore();
    place_lines(strategy);
    events_before_ = timeline.events_run();
    started_ = timeline.now() + gap;
    for (const auto& thread : threads_) thread->begin(gap + strategy.delay(Varying::instruction));
}

void Arena::place_lines(Strategy& strategy) {
    for (std::size_t i = 0; i < initial_.size(); ++i) {
        const auto& owner = shared_.test->locations[i].owner;
        const Platform::LinePlace& place =
            owner ? owners_[*owner] : places_[strategy.choose(static_cast<unsigned>(places_.size()))];
        const auto& lines = addresses_.lines(i);
        for (std::size_t line = 0; line < lines.size(); ++line) {
            platform_.preset(lines[line], initial_[i][line], place);
        }
    }
}

void Arena::finish() {
    under_way_ = false;
    platform_.settle_stores();
    execution_.end = End::complete;
    execution_.lost_sgi = shared_.lost_sgi;
    for (const auto& thread : threads_) {
        if (thread->exhausted()) {
            execution_.end = End::exhausted;
            break;
        }
        if (!thread->finished()) execution_.end = End::stuck;
    }
    execution_.events = platform_.timeline().events_run() - events_before_;
    execution_.length = platform_.timeline().now() - started_;
    const litmus::LitmusTest& test = *shared_.test;
    execution_.state.values.clear();
    for (const litmus::Observable& observable : test.observables) {
        Word raw = 0;
        if (observable.kind == litmus::Observable::Kind::reg) {
            raw = threads_[observable.thread]->value(observable.reg);
            if (observable.bits == 32) raw &= 0xFFFF'FFFF;
        } else {
            const unsigned size = test.locations[observable.location].element_size;
            const auto access =
                addresses_.find(addresses_.address_of(observable.location) + observable.element * size, size);
            raw = (platform_.value(access->word) & access->mask) >> access->shift;
        }
        execution_.state.values.push_back(litmus::symbolic_value(test, addresses_.addresses(), raw));
    }
    director_->ended(execution_);
}

}  // namespace gicsim
