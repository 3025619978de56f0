#ifndef GICSIM_MEMORY_COHERENCE_MESSAGE_H
#define GICSIM_MEMORY_COHERENCE_MESSAGE_H

#include <cstdint>

#include "gicsim/fabric/transport.h"
#include "gicsim/memory/line.h"

namespace gicsim {

enum class CoherenceKind : std::uint8_t {
    get_shared,        ///< upwards: a copy to read
    get_exclusive,     ///< upwards: the only copy, to write
    snoop_share,       ///< downwards: keep a shared copy at most, answer
    snoop_invalidate,  ///< downwards: drop the copy, answer
    snoop_answer,      ///< upwards
    grant_shared,      ///< downwards: answers get_shared
    grant_exclusive,   ///< downwards: answers either
    confirm,           ///< upwards: has the point of coherence seen all earlier writes to this line?
    confirm_answer,    ///< downwards
};

struct CoherenceMessage {
    CoherenceKind kind{};
    bool has_data = false;
    bool fetch = false;  ///< of a snoop: answer with data even from a shared copy
    LineId line{};
    LineData data{};

    /// Length on the wire: a 16-byte header, and the line when it is carried.
    [[nodiscard]] unsigned bytes() const { return has_data ? 16 + 64 : 16; }
};

using CoherenceTransport = Transport<CoherenceMessage>;
using CoherenceSink = MessageSink<CoherenceMessage>;

}  // namespace gicsim

#endif
