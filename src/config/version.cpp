#include "gicsim/config/version.h"

namespace gicsim {

std::string_view version() {
    return GICSIM_VERSION;
}

}  // namespace gicsim
