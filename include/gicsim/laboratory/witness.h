#ifndef GICSIM_LABORATORY_WITNESS_H
#define GICSIM_LABORATORY_WITNESS_H

#include <string>
#include <vector>

#include "gicsim/record/probe.h"

namespace gicsim {

/// The timeline of one execution: what happened on each thread's core, and when.
class Witness {
public:
    struct Entry {
        Time at;
        unsigned thread;
        std::string what;
    };
    void clear() { entries_.clear(); }
    void add(Time at, unsigned thread, std::string what) { entries_.push_back({at, thread, std::move(what)}); }
    /// In order of time; what came at the same time, in the order of its coming.
    [[nodiscard]] std::vector<Entry> sorted() const;

private:
    std::vector<Entry> entries_;
};

/// A column a thread, a row a moment; times in ns from the first entry.
std::string witness_as_text(const Witness& witness, unsigned threads);
/// The same as lines "<ns from the first> P<thread> <what>".
std::vector<std::string> witness_as_lines(const Witness& witness);

}  // namespace gicsim

#endif
