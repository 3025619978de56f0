#include "gicsim/config/ipi_sequence.h"

#include "config_fixture.h"

using namespace gicsim;
using Catch::Matchers::Contains;

namespace {

const std::string file = "software/ipi/linux-5.18.toml";

std::string error_after(const std::string& old, const std::string& fresh) {
    const ConfigCopy configs;
    configs.replace(file, old, fresh);
    std::string error = error_of([] { load_ipi_sequence("linux-5.18"); });
    // The folder has a name of its own in each process.
    const std::string folder = (configs / "").string();
    for (auto at = error.find(folder); at != std::string::npos; at = error.find(folder)) error.erase(at, folder.size());
    return error;
}

}  // namespace

TEST_CASE("every shipped IPI sequence loads, says where it is from, and is named as its file") {
    const ConfigCopy configs;
    const auto names = known_configs(ConfigKind::ipi_sequence);
    CHECK(names.size() >= 30);
    for (const std::string& name : names) {
        INFO(name);
        const IpiSequence sequence = load_ipi_sequence(name);
        CHECK(sequence.name == name);
        CHECK_FALSE(sequence.source.empty());
        CHECK(resolve_file(name).kind == ConfigKind::ipi_sequence);
    }
}

TEST_CASE("the sequences of Linux are those of its commits") {
    const ConfigCopy configs;
    const IpiSequence now = load_ipi_sequence("linux-5.18");
    CHECK(now.sender_text() == "dsb ishst, sgi, isb");
    CHECK(now.receive.after_iar.name() == "dsb sy");
    CHECK(now.receive.eoi_mode == 1);
    CHECK(load_ipi_sequence("linux-4.16").sender_text() == "dsb st, sgi, isb");
    CHECK(load_ipi_sequence("linux-4.15").sender_text() == "dmb ishst, sgi");
    CHECK(load_ipi_sequence("linux-gicv2").sender_text() == "dmb ishst, doorbell store");
    CHECK(load_ipi_sequence("op-tee").sender_text() == "sgi");
    CHECK(load_ipi_sequence("windows").sender_text() == "unknown");
}

TEST_CASE("a mistake in an IPI sequence is an error with its position") {
    CHECK_THAT(error_after("dsb ishst", "dsb ishts"),
               Contains("linux-5.18.toml:14:") && Contains("unknown barrier 'dsb ishts'") && Contains("dsb ishst"));
    CHECK_THAT(error_after("isb_before", "isb_befor"), Contains("isb_befor"));
    CHECK_THAT(error_after("isb_before = false", "isb_before = 0"), Contains("expected true or false"));
    CHECK_THAT(error_after("system-register", "sysreg"), Contains("unknown word 'sysreg'"));
    CHECK_THAT(error_after("eoi_mode = 1", "eoi_mode = 2"), Contains("expected 0 or 1"));
    CHECK_THAT(error_after("version = \"5.18 and later\"", "version = \"\""), Contains("is empty"));
    CHECK_THAT(error_after("kind = \"ipi-sequence\"", "kind = \"software\""), Contains("this is a software file"));
    CHECK_THAT(error_after("[send]", "[sent]"), Contains("send"));
    CHECK_THAT(error_after("publish = \"no-return-atomic\"", "publish = \"message\""),
               Contains("unknown word 'message'"));
}

TEST_CASE("an IPI sequence has no parameters that could be changed") {
    const ConfigCopy configs;
    CHECK_THAT(error_of([] {
                   resolve_file("linux-5.18", {{"core.dsb", "1 ns", "--set"}});
               }),
               Contains("no parameters"));
}
