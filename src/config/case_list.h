#ifndef GICSIM_SRC_CONFIG_CASE_LIST_H
#define GICSIM_SRC_CONFIG_CASE_LIST_H

#include <vector>

#include "gicsim/config/experiment.h"

namespace gicsim {

/// The cases of an experiment, some of them changed from the command line. Those that a change made equal to another
/// are dropped, and the others get names of what they are now.
class CaseList {
public:
    /// A case that is as its file has it.
    void add(CaseDescription as_written) { entries_.push_back({std::move(as_written), {}, false}); }
    void add_changed(const CaseDescription& as_written, CaseDescription now) {
        entries_.push_back({std::move(now), as_written.settings, true});
    }
    /// All that are left, in their order.
    std::vector<CaseDescription> take();

private:
    struct Entry {
        CaseDescription now;
        std::vector<Setting> before;  ///< of a changed case
        bool changed = false;
    };
    void drop_equal();
    void name_changed();

    std::vector<Entry> entries_;
};

}  // namespace gicsim

#endif
