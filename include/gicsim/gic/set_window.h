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
        Intid intid{};
        Priority priority{};
        Group group{};
        bool recalled = false;  ///< a Clear has been sent after it

        [[nodiscard]] bool same_as(const Entry& other) const {
            return intid == other.intid && priority == other.priority && group == other.group;
        }
    };
    static constexpr std::size_t capacity = 2;

    [[nodiscard]] bool empty() const { return entries_.empty(); }
    [[nodiscard]] bool full() const { return entries_.size() == capacity; }
    [[nodiscard]] std::size_t size() const { return entries_.size(); }
    [[nodiscard]] std::uint32_t intids() const {
        std::uint32_t bits = 0;
        for (const Entry& entry : entries_) bits |= 1U << index(entry.intid);
        return bits;
    }
    /// Whether a Set of this priority would be held: better than every one that is not recalled.
    [[nodiscard]] bool would_displace(Priority priority) const {
        for (const Entry& entry : entries_) {
            if (!entry.recalled && entry.priority <= priority) return false;
        }
        return true;
    }

    void add(const Entry& entry) { entries_.push_back(entry); }
    /// False when no Set of that INTID is outstanding.
    bool remove(Intid id) {
        for (auto at = entries_.begin(); at != entries_.end(); ++at) {
            if (at->intid == id) {
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
