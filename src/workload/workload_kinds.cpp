#include <stdexcept>

#include "gicsim/workload/ipi_broadcast.h"
#include "gicsim/workload/ipi_call.h"
#include "gicsim/workload/ipi_resched.h"
#include "gicsim/workload/latency_probe.h"
#include "gicsim/workload/message_passing.h"
#include "gicsim/workload/workload.h"

namespace gicsim {
namespace {

struct Kind {
    std::string_view name;
    std::unique_ptr<Workload> (*make)(Kernel& kernel);
};

template <class T>
std::unique_ptr<Workload> make(Kernel& kernel) {
    return std::make_unique<T>(kernel);
}

/// What the names of the configuration's workload table stand for.
constexpr Kind kinds[] = {
    {"ipi-call", &make<IpiCall>},
    {"ipi-broadcast", &make<IpiBroadcast>},
    {"ipi-resched", &make<IpiResched>},
    {"message-passing", &make<MessagePassing>},
    {"ping-pong", &make<PingPong>},
    {"memory-latency", &make<MemoryLatency>},
    {"register-latency", &make<RegisterLatency>},
};

}  // namespace

std::unique_ptr<Workload> make_workload(Kernel& kernel) {
    const std::string& name = kernel.description().options.workload;
    std::string known;
    for (const Kind& kind : kinds) {
        if (kind.name == name) return kind.make(kernel);
        known += (known.empty() ? "" : ", ") + std::string(kind.name);
    }
    throw std::invalid_argument("unknown workload '" + name + "'; known: " + known);
}

}  // namespace gicsim
