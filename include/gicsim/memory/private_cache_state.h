#ifndef GICSIM_MEMORY_PRIVATE_CACHE_STATE_H
#define GICSIM_MEMORY_PRIVATE_CACHE_STATE_H

#include "gicsim/memory/line.h"

namespace gicsim {

/// The MESI states and the contents of one core's private caches. Pure.
class PrivateCacheState {
public:
    enum class Mesi : std::uint8_t { invalid, shared, exclusive, modified };

    void reset() { lines_.clear(); }

    [[nodiscard]] Mesi mesi(LineId line) const {
        const Line* entry = lines_.find(line);
        return entry == nullptr ? Mesi::invalid : entry->mesi;
    }
    [[nodiscard]] bool readable(LineId line) const { return mesi(line) != Mesi::invalid; }
    [[nodiscard]] bool writable(LineId line) const { return mesi(line) >= Mesi::exclusive; }
    [[nodiscard]] bool requested(LineId line) const {
        const Line* entry = lines_.find(line);
        return entry != nullptr && entry->requested;
    }
    [[nodiscard]] Word read(Location location) const { return lines_.find(location.line)->data[location.word]; }
    void write(Location location, Word value) {
        Line* entry = lines_.find(location.line);
        entry->data[location.word] = value;
        entry->mesi = Mesi::modified;
    }

    /// Puts a copy there, or takes it away, as if it had always been so.
    void preset(LineId line, Mesi mesi, const LineData& data) {
        if (mesi == Mesi::invalid && lines_.find(line) == nullptr) return;
        lines_[line] = {data, mesi, false};
    }

    void note_request(LineId line) { lines_[line].requested = true; }

    /// @param data null when the copy at hand stays valid (an upgrade).
    void fill(LineId line, bool exclusive, const LineData* data) {
        Line& entry = lines_[line];
        if (data != nullptr) entry.data = *data;
        entry.mesi = exclusive ? Mesi::exclusive : Mesi::shared;
        entry.requested = false;
    }

    /// The answer to a snoop: the data, or null when there is nothing to hand over.
    /// @param fetch hand over even from a shared copy.
    const LineData* snoop(LineId line, bool invalidate, bool fetch) {
        Line& entry = lines_[line];
        const bool owned = entry.mesi >= Mesi::exclusive;
        const LineData* answer = owned || (fetch && entry.mesi == Mesi::shared) ? &entry.data : nullptr;
        if (invalidate) {
            entry.mesi = Mesi::invalid;
        } else if (owned) {
            entry.mesi = Mesi::shared;
        }
        return answer;
    }

private:
    struct Line {
        LineData data{};
        Mesi mesi = Mesi::invalid;
        bool requested = false;
    };
    LineTable<Line> lines_;
};

}  // namespace gicsim

#endif
