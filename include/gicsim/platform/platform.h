#ifndef GICSIM_PLATFORM_PLATFORM_H
#define GICSIM_PLATFORM_PLATFORM_H

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "gicsim/config/machine.h"
#include "gicsim/core/core.h"
#include "gicsim/memory/directory.h"
#include "gicsim/platform/interrupt_controller.h"
#include "gicsim/record/mark_board.h"

namespace gicsim {

/// How far two CPUs are apart; for reports only.
enum class DistanceClass : std::uint8_t { self, same_cluster, same_die, same_socket, other_socket };
constexpr std::size_t distance_class_count = 5;
const char* distance_class_name(DistanceClass distance);

/// A machine built from its description: every module made, bound and reset. SystemC allows one elaboration a process;
/// all runs of an experiment share it, each after a reset() that leaves nothing of the one before.
class Platform {
public:
    /// Why run() returned.
    enum class End : std::uint8_t {
        done,  ///< a program said so (Timeline::halt)
        idle,  ///< nothing can happen any more
        time_limit,
        interrupted,  ///< the monitor asked for it
    };
    /// Asked now and then, in host time; false stops the run.
    using Monitor = std::function<bool()>;

    explicit Platform(const MachineDescription& machine);
    ~Platform();
    Platform(const Platform&) = delete;
    Platform& operator=(const Platform&) = delete;

    /// Puts every module back to its initial state, with the figures of `machine`, which has the same CPUs, dies and
    /// nodes as the one the platform was built from. Throws std::invalid_argument otherwise.
    void reset(const MachineDescription& machine);

    /// Runs until a program halts the Timeline, nothing is left to do, or `limit` has passed. Rethrows what a program
    /// or a model threw.
    End run(Time limit, const Monitor& monitor);

    [[nodiscard]] const MachineDescription& machine() const { return machine_; }
    [[nodiscard]] std::size_t cpu_count() const { return cores_.size(); }
    [[nodiscard]] Timeline& timeline() { return timeline_; }
    [[nodiscard]] AddressMap& memory() { return map_; }
    [[nodiscard]] MarkBoard& marks() { return marks_; }
    [[nodiscard]] Core& core(CpuId cpu) { return *cores_[index(cpu)]; }
    [[nodiscard]] PrivateCache& cache(CpuId cpu) { return *caches_[index(cpu)]; }
    [[nodiscard]] InterruptController& gic() { return *gic_; }
    [[nodiscard]] const CpuPlace& place(CpuId cpu) const { return machine_.cpus[index(cpu)]; }
    [[nodiscard]] DistanceClass distance(CpuId a, CpuId b) const;

    /// Where a line is when a piece of work begins: in memory only, dirty in one cache, or shared by several.
    struct LinePlace {
        std::optional<CpuId> owner;
        std::vector<CpuId> sharers;  ///< when there is no owner
    };
    /// Puts a line there, in no time; nothing of it is under way.
    void preset(LineId line, const LineData& data, const LinePlace& place);
    /// Lets the stores leave all store buffers that only wait for their turn; nothing else is under way.
    void settle_stores();
    /// The value that the next load would read; nothing of its line is under way.
    [[nodiscard]] Word value(Location location) const;
    /// Tells `observer` what all cores' load/store units do; null for none.
    void observe(LoadStoreObserver* observer);
    [[nodiscard]] Variation& variation() { return variation_; }

    /// Messages that crossed the fabric since the reset.
    [[nodiscard]] std::uint64_t messages() const;

private:
    void build_memory();
    void build_cores();
    void reset_memory();
    void reset_cores();

    MachineDescription machine_;
    Timeline timeline_{"timeline"};
    Fabric fabric_{"fabric"};
    CoherenceTransport coherence_{"coherence", Traffic::coherent};
    MmioTransport mmio_{"mmio", Traffic::device};
    Variation variation_{"variation"};
    AddressMap map_{"map"};
    MarkBoard marks_{"marks"};
    std::unique_ptr<InterruptController> gic_;
    std::vector<std::unique_ptr<PrivateCache>> caches_;
    std::vector<std::unique_ptr<LoadStoreUnit>> lsus_;
    std::vector<std::unique_ptr<Core>> cores_;
    std::vector<std::unique_ptr<Directory>> slices_;
    std::vector<std::unique_ptr<Directory>> homes_;
    std::vector<Directory*> directory_at_;    ///< by endpoint of the coherence transport; null for a cache
    std::vector<EndpointId> cache_endpoint_;  ///< by CpuId
    std::vector<EndpointId> first_cache_;     ///< by die
    std::vector<EndpointId> mmio_endpoint_;   ///< by CpuId
    std::vector<AddressMap::Die> die_endpoints_;
    std::vector<unsigned> die_of_endpoint_;
};

}  // namespace gicsim

#endif
