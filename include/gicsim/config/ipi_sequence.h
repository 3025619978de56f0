#ifndef GICSIM_CONFIG_IPI_SEQUENCE_H
#define GICSIM_CONFIG_IPI_SEQUENCE_H

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "gicsim/arch/barrier.h"

namespace gicsim {

/// The instructions around the SGI in one version of an operating system, hypervisor or firmware.
struct IpiSequence {
    enum class Mechanism : std::uint8_t {
        system_register,  ///< a write of ICC_SGI1R_EL1 or the like: no memory access
        mmio,             ///< a store to a device, GICD_SGIR or another doorbell
        unknown,          ///< nothing is known of its sender
    };
    /// What makes the work visible that the interrupt announces.
    enum class Publish : std::uint8_t {
        store,             ///< STR
        no_return_atomic,  ///< STSET: an atomic whose old value nobody waits for
        atomic,            ///< SWPAL, CASAL: its old value is waited for
    };
    struct Send {
        Mechanism mechanism = Mechanism::system_register;
        Barrier before;
        bool isb_before = false;
        bool isb_after = false;
        Publish publish = Publish::no_return_atomic;
    };
    struct Receive {
        Barrier after_iar;
        bool isb_after_acknowledge = false;  ///< before the handler
        unsigned eoi_mode = 0;               ///< 1: priority drop before the handler, ICC_DIR_EL1 after it
        bool isb_after_eoi = false;          ///< after the last write of the two
    };

    std::string name;
    std::string description;
    std::string version;
    std::string path;    ///< of the source file, in the repository of that software
    std::string source;  ///< commit, review or Message-ID
    Send send;
    Receive receive;

    /// "dsb ishst, sgi, isb"
    [[nodiscard]] std::string sender_text() const;
};

std::string_view name_of(IpiSequence::Mechanism mechanism);  ///< "system-register", "mmio", "unknown"
std::string_view name_of(IpiSequence::Publish publish);      ///< "store", "no-return-atomic", "atomic"

/// Reads a file of kind "ipi-sequence". Throws ConfigError with file, line and column.
IpiSequence read_ipi_sequence_file(const std::filesystem::path& file);
/// By name ("linux-5.18", looked up in software/ipi/ of the data folder) or by path.
IpiSequence load_ipi_sequence(const std::string& name_or_path);

}  // namespace gicsim

#endif
