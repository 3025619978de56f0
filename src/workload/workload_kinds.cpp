#include "gicsim/workload/ipi_call.h"
#include "gicsim/workload/workload.h"

namespace gicsim {
namespace {

template <class T>
std::unique_ptr<Workload> make(Kernel& kernel) {
    return std::make_unique<T>(kernel);
}

}  // namespace

const std::vector<WorkloadKind>& workload_kinds() {
    static const std::vector<WorkloadKind> kinds = {
        {"ipi-call", "smp_call_function_single from one sender to each target in turn, as the IPI benchmark does",
         &make<IpiCall>},
    };
    return kinds;
}

}  // namespace gicsim
