#ifndef GICSIM_WORKLOAD_MESSAGE_PASSING_H
#define GICSIM_WORKLOAD_MESSAGE_PASSING_H

#include "gicsim/workload/signal.h"

namespace gicsim {

/// "message-passing": plain stores, then an SGI; the handler reads what was stored. The test MPviaSGI of Simner et al.,
/// "Precise exceptions in relaxed architectures", ISCA 2025, doi 10.1145/3695053.3731102, repeated. The target holds a
/// shared copy of the payload when the message is written, so an old value is at hand for its handler.
class MessagePassing : public Signal {
public:
    explicit MessagePassing(Kernel& kernel);
    void finish(RunResult& result) override;

protected:
    Task<> get_ready(Core& cpu) override;
    Task<> publish(Core& cpu, CpuId target, Word number) override;
    Task<> look(Core& cpu) override;

private:
    std::vector<Location> payload_;
    std::vector<Word> position_;  ///< by CPU: its place among the receivers, from 1
    std::uint64_t stale_ = 0;
    std::uint64_t ok_ = 0;
};

}  // namespace gicsim

#endif
