#ifndef GICSIM_GIC_SGI_ROUTING_H
#define GICSIM_GIC_SGI_ROUTING_H

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace gicsim {

/// Which Distributors an SGI passes on its way. Distributor i belongs to chip i; Distributor 0 also holds the
/// registers and is the home.
class SgiRouting {
public:
    virtual ~SgiRouting() = default;
    /// The Distributor that the Redistributor of a PE on this chip hands its SGIs to.
    [[nodiscard]] virtual unsigned entry(unsigned source_chip) const = 0;
    /// The Distributor that hands an SGI to the Redistributor of a PE on this chip.
    [[nodiscard]] virtual unsigned exit(unsigned target_chip) const = 0;
};

/// "home": every SGI goes to the home Distributor and from there to its targets.
/// "chip-to-chip": the source chip's Distributor sends to the target chips' directly.
/// Throws std::invalid_argument, with the known names, for any other.
std::unique_ptr<SgiRouting> make_sgi_routing(std::string_view name);
std::vector<std::string> sgi_routing_names();

}  // namespace gicsim

#endif
