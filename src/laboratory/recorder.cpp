#include "gicsim/laboratory/recorder.h"

#include <fmt/format.h>

namespace gicsim {

Arena::Recorder::Recorder(Platform& platform, Witness& witness, const AddressBook& addresses,
                          const litmus::LitmusTest& test)
    : platform_(platform), witness_(witness), threads_(test.threads.size()) {
    for (std::size_t i = 0; i < test.locations.size(); ++i) {
        for (const LineId line : addresses.lines(i)) names_.emplace_back(line, test.locations[i].name);
    }
    platform_.marks().set_listener(this);
    platform_.observe(this);
}

Arena::Recorder::~Recorder() {
    platform_.marks().set_listener(nullptr);
    platform_.observe(nullptr);
}

std::string Arena::Recorder::name(LineId line) const {
    for (const auto& [id, text] : names_) {
        if (id == line) return text;
    }
    return fmt::format("line {}", index(line));
}

void Arena::Recorder::mark(Point point, CpuId cpu, Time at) {
    if (!shown(cpu)) return;
    const char* what = nullptr;
    switch (point) {
        case Point::sgi_routed: what = "(SGI for this PE at the Distributor)"; break;
        case Point::sgi_pending: what = "(SGI pending at the Redistributor)"; break;
        case Point::irq_asserted: what = "(interrupt signalled to the PE)"; break;
        default: return;
    }
    witness_.add(at, index(cpu), what);
}

void Arena::Recorder::store_visible(CpuId cpu, Location location, Word value, Time at) {
    if (shown(cpu)) witness_.add(at, index(cpu), fmt::format("{} = {:#x} visible", name(location.line), value));
}

void Arena::Recorder::load_bound(CpuId cpu, const PendingLoad& load, Time at) {
    if (shown(cpu)) witness_.add(at, index(cpu), fmt::format("reads {} = {:#x}", name(load.location.line), load.value));
}

void Arena::Recorder::line_arrived(CpuId cpu, LineId line, bool exclusive, Time at) {
    if (!shown(cpu)) return;
    witness_.add(at, index(cpu),
                 fmt::format("(line of {} arrives, {})", name(line), exclusive ? "exclusive" : "shared"));
}

void Arena::Recorder::line_snooped(CpuId cpu, LineId line, bool invalidated, Time at) {
    if (!shown(cpu)) return;
    witness_.add(at, index(cpu),
                 fmt::format("(line of {} {})", name(line), invalidated ? "given up" : "shared from now on"));
}

}  // namespace gicsim
