#ifndef GICSIM_GIC_SET_WINDOW_H
#define GICSIM_GIC_SET_WINDOW_H

#include <boost/container/static_vector.hpp>
#include <cstdint>

#include "gicsim/arch/gic.h"

namespace gicsim {

/// The Sets a Redistributor has sent that have not ended yet, oldest first. Each ends exactly once, by Activate or by
/// Release. There are at most two: one that the CPU interface holds and one on its way (IHI 0069, Appendix A).
class SetWindow {
public:
    struct Entry {
        Candidate set;
        bool recalled = false;  ///< a Clear has been sent after it
    };
    static constexpr std::size_t capacity = 2;

    [[nodiscard]] bool empty() const { return entries_.empty(); }
    [[nodiscard]] bool full() const { return entries_.size() == capacity; }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    /// Bit n says that `first` + n is outstanding.
    [[nodiscard]] std::uint32_t intids_from(std::uint32_t first) const {
        std::uint32_t bits = 0;
        for (const Entry& entry : entries_) {
            const std::uint32_t n = index(entry.set.intid) - first;
            if (n < 32) bits |= 1U << n;
        }
        return bits;
    }
    [[nodiscard]] bool contains(Intid id) const {
        for (const Entry& entry : entries_) {
            if (entry.set.intid == id) return true;
        }
        return false;
    }
    /// Whether a Set would be held: better than every one that is not recalled.
    [[nodiscard]] bool would_displace(const Candidate& candidate) const {
        for (const Entry& entry : entries_) {
            if (!entry.recalled && entry.set.rank() <= candidate.rank()) return false;
        }
        return true;
    }

    void add(const Candidate& set) { entries_.push_back(Entry{set, false}); }
    /// False when no Set of that INTID is outstanding.
    bool remove(Intid id) {
        for (auto at = entries_.begin(); at != entries_.end(); ++at) {
            if (at->set.intid == id) {
                entries_.erase(at);
                return true;
            }
        }
        return false;
    }
    void clear() { entries_.clear(); }

    auto begin() { return entries_.begin(); }
    auto end() { return entries_.end(); }
    [[nodiscard]] auto begin() const { return entries_.begin(); }
    [[nodiscard]] auto end() const { return entries_.end(); }

private:
    boost::container::static_vector<Entry, capacity> entries_;
};

}  // namespace gicsim

#endif
