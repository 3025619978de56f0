// A foreign model with gicsim's GICv3 in it: a bus master that programs one SPI, a device that raises it, and a PE that
// takes it. Prints when each thing happened.
#include <gicsim/component/gic.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdio>

struct Board : sc_core::sc_module {
    gicsim::Gic gic;
    tlm_utils::simple_initiator_socket<Board> gicd{"gicd"}, gicr{"gicr"};
    sc_core::sc_signal<bool> device{"device"}, irq{"irq"};

    static gicsim::GicSettings settings() {
        gicsim::GicSettings s;
        s.mpidrs = {0x0};
        s.single_security = true;
        return s;
    }
    SC_HAS_PROCESS(Board);
    explicit Board(sc_core::sc_module_name) : gic("gic", settings()) {
        gicd.bind(gic.gicd);
        gicr.bind(gic.gicr[0]);
        gic.spi[8].bind(device);  // INTID 40
        gic.irq[0].bind(irq);
        SC_THREAD(run);
    }
    template <class Socket>
    void write(Socket& bus, std::uint64_t address, std::uint32_t value) {
        tlm::tlm_generic_payload access;
        access.set_write();
        access.set_address(address);
        access.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        access.set_data_length(4);
        access.set_streaming_width(4);
        sc_core::sc_time delay;
        bus->b_transport(access, delay);
        wait(delay);
    }
    void run() {
        write(gicd, 0x000, 2);        // GICD_CTLR.EnableGrp1
        write(gicd, 0x084, ~0U);      // GICD_IGROUPR1
        write(gicd, 0x104, 1U << 8);  // GICD_ISENABLER1: INTID 40
        write(gicr, 0x014, 0);        // GICR_WAKER
        wait(1, sc_core::SC_US);
        gic.icc[0]->write(gicsim::system_register(3, 0, 4, 6, 0), 0xF0);  // ICC_PMR_EL1
        gic.icc[0]->write(gicsim::system_register(3, 0, 12, 12, 7), 1);   // ICC_IGRPEN1_EL1
        wait(1, sc_core::SC_US);
        const sc_core::sc_time raised = sc_core::sc_time_stamp();
        device.write(true);
        wait(irq.posedge_event());
        const auto intid = gic.icc[0]->read(gicsim::system_register(3, 0, 12, 12, 0));  // ICC_IAR1_EL1
        std::printf("INTID %d, %g ns after the device\n", static_cast<int>(intid),
                    (sc_core::sc_time_stamp() - raised).to_seconds() * 1e9);
        sc_core::sc_stop();
    }
};

int sc_main(int, char*[]) {
    Board board("board");
    sc_core::sc_start();
    return 0;
}
