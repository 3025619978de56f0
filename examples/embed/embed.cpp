// A foreign model with gicsim's GICv3 in it: a bus master programs an SPI, a device raises it, a PE takes it.
#include <gicsim/component/gic.h>
#include <tlm_utils/simple_initiator_socket.h>

#include <cstdio>

struct Master : sc_core::sc_module {
    tlm_utils::simple_initiator_socket<Master> gicd{"gicd"}, gicr{"gicr"};
    explicit Master(sc_core::sc_module_name) {}
    static void write(tlm_utils::simple_initiator_socket<Master>& bus, std::uint64_t address, std::uint32_t value) {
        tlm::tlm_generic_payload access;
        access.set_write();
        access.set_address(address);
        access.set_data_ptr(reinterpret_cast<unsigned char*>(&value));
        access.set_data_length(4);
        access.set_streaming_width(4);
        sc_core::sc_time delay;
        bus->b_transport(access, delay);
        sc_core::wait(delay);
    }
};

int sc_main(int, char*[]) {
    gicsim::GicSettings settings;
    settings.mpidrs = {0};
    settings.single_security = true;
    gicsim::Gic gic("gic", settings);
    Master master("master");
    sc_core::sc_signal<bool> device{"device"}, irq{"irq"};
    master.gicd.bind(gic.gicd);
    master.gicr.bind(gic.gicr[0]);
    gic.spi[8].bind(device);  // INTID 40
    gic.irq[0].bind(irq);
    sc_core::sc_spawn([&] {
        master.write(master.gicd, 0x000, 2);                              // GICD_CTLR.EnableGrp1
        master.write(master.gicd, 0x084, ~0U);                            // GICD_IGROUPR1
        master.write(master.gicd, 0x104, 1U << 8);                        // GICD_ISENABLER1: INTID 40
        master.write(master.gicr, 0x014, 0);                              // GICR_WAKER
        gic.icc[0]->write(gicsim::system_register(3, 0, 4, 6, 0), 0xF0);  // ICC_PMR_EL1
        gic.icc[0]->write(gicsim::system_register(3, 0, 12, 12, 7), 1);   // ICC_IGRPEN1_EL1
        sc_core::wait(1, sc_core::SC_US);
        device.write(true);
        const sc_core::sc_time raised = sc_core::sc_time_stamp();
        sc_core::wait(irq.posedge_event());
        const auto intid = gic.icc[0]->read(gicsim::system_register(3, 0, 12, 12, 0));  // ICC_IAR1_EL1
        std::printf("INTID %d, %g ns after the device\n", static_cast<int>(intid),
                    (sc_core::sc_time_stamp() - raised).to_seconds() * 1e9);
    });
    sc_core::sc_start();
    return 0;
}
