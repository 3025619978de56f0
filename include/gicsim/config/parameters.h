#ifndef GICSIM_CONFIG_PARAMETERS_H
#define GICSIM_CONFIG_PARAMETERS_H

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "gicsim/config/machine.h"
#include "gicsim/config/quantity.h"
#include "gicsim/config/software.h"

namespace gicsim {

/// A machine while its file is read: what the description holds only after the rings are laid out.
struct MachineDraft {
    MachineDescription machine;
    Time hop;           ///< one way between neighbouring ring stops
    Time hop_per_byte;  ///< how long one byte keeps a ring segment busy
};

/// One physical quantity or option of a machine or of a software. The table of all of them drives the reading of
/// files, `gicsim list parameters` and docs/timing-model.md.
struct Parameter {
    std::string_view path;  ///< "core.dsb"; "<link>" in it stands for the name of each kind of link
    ValueRule rule;
    std::string_view meaning;
    std::variant<void (*)(MachineDraft&, const Quantity&), void (*)(LinkDescription&, const Quantity&),
                 void (*)(SoftwareDescription&, const Quantity&)>
        set;

    [[nodiscard]] bool of_machine() const { return set.index() == 0; }
    [[nodiscard]] bool of_link() const { return set.index() == 1; }
    [[nodiscard]] bool of_software() const { return set.index() == 2; }
    /// "core" of "core.dsb": the TOML table that holds it.
    [[nodiscard]] std::string_view table() const { return path.substr(0, path.find('.')); }
    /// "dsb" of "core.dsb", "latency" of "fabric.link.<link>.latency".
    [[nodiscard]] std::string_view key() const { return path.substr(path.rfind('.') + 1); }
};

/// Every parameter, in the order of the documentation.
const std::vector<Parameter>& parameters();

/// The path of a link parameter for one kind of link: "fabric.link.die.latency".
std::string link_path(const Parameter& parameter, std::string_view link);

}  // namespace gicsim

#endif
