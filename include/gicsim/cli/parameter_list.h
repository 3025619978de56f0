#ifndef GICSIM_CLI_PARAMETER_LIST_H
#define GICSIM_CLI_PARAMETER_LIST_H

#include <string>
#include <vector>

#include "gicsim/config/load.h"

namespace gicsim {

/// The table of parameters as text: path, unit, bounds, meaning. With files, also what each says: value, status,
/// source.
std::string list_parameters_as_table(const std::vector<ResolvedFile>& files);
/// The same as a section of docs/timing-model.md.
std::string list_parameters_as_markdown(const std::vector<ResolvedFile>& files);

}  // namespace gicsim

#endif
