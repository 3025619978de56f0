#ifndef GICSIM_SRC_LITMUS_HERD_INIT_H
#define GICSIM_SRC_LITMUS_HERD_INIT_H

#include <vector>

#include "gicsim/litmus/litmus_test.h"
#include "text.h"

namespace gicsim::litmus {

/// Reads what stands between the braces of a herd test into locations and initial registers.
class HerdInit {
public:
    /// @param source without the braces, comments blank
    HerdInit(const SourceText& source, LitmusTest& test);

    /// Hands the initial registers to the threads, and gives locations without a type a size; to be called when the
    /// programs are known.
    void finish();

private:
    struct RegisterItem {
        std::uint64_t thread;
        InitialRegister initial;
        std::size_t at;
    };
    struct LocationState {
        bool declared = false;
        bool typed = false;
    };
    class Parser;

    void size_untyped_locations();
    void cut_initial_values();

    const SourceText& source_;
    LitmusTest& test_;
    std::vector<RegisterItem> registers_;
    std::vector<LocationState> states_;  ///< one for each location
    std::vector<std::size_t> places_;    ///< where each location is named first
};

}  // namespace gicsim::litmus

#endif
