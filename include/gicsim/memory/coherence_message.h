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
    CoherenceKind kind;
    bool has_data;
    bool fetch;  ///< of a snoop: answer with data even from a shared copy
    LineId line;
    LineData data;

    /// Length on the wire, in bytes: a header, and the line when it is carried.
    static constexpr unsigned header_bytes = 16;
    static constexpr unsigned line_bytes = 64;
};

using CoherenceTransport = Transport<CoherenceMessage>;
using CoherenceSink = MessageSink<CoherenceMessage>;

/// Composes a message where it will travel, so that a line is copied once and only when there is one. Returns the
/// latency of its way.
/// @param data null when the message carries none.
inline Time send_message(CoherenceTransport& transport, EndpointId from, EndpointId to, Time departure,
                         CoherenceKind kind, LineId line, const LineData* data = nullptr, bool fetch = false,
                         bool ahead = false) {
    const unsigned bytes = CoherenceMessage::header_bytes + (data != nullptr ? CoherenceMessage::line_bytes : 0);
    return transport.send(from, to, departure, bytes, ahead, [=](CoherenceMessage& message) {
        message.kind = kind;
        message.has_data = data != nullptr;
        message.fetch = fetch;
        message.line = line;
        if (data != nullptr) message.data = *data;
    });
}

}  // namespace gicsim

#endif
