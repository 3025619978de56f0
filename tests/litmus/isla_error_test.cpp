// What is wrong with an isla test, and where.
#include "litmus_fixture.h"

using namespace gicsim;
using namespace gicsim::litmus;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

namespace {

const std::string head = "arch = \"AArch64\"\nname = \"T\"\nsymbolic = [\"x\", \"y\"]\n";
const std::string thread = "[thread.0]\ncode = \"NOP\"\n";
const std::string final_table = "[final]\nassertion = \"true\"\n";

/// Lines between the head (three lines), which end in front of the final condition.
std::string error_with(const std::string& middle) {
    return isla_error(head + middle + thread + final_table);
}
std::string reset_error(const std::string& line) {
    return isla_error(head + thread + "[thread.0.reset]\n" + line + "\n" + final_table);
}
std::string page_error(const std::string& setup) {
    return error_with("page_table_setup = \"\"\"\n" + setup + "\n\"\"\"\n");
}
std::string assertion_error(const std::string& assertion) {
    return isla_error(head + thread + "[final]\nassertion = \"" + assertion + "\"\n");
}

}  // namespace

TEST_CASE("isla: the smallest test is read") {
    CHECK(error_with("") == "no error");
}

TEST_CASE("isla: no TOML, nothing, another architecture") {
    CHECK_THAT(isla_error("arch = "), StartsWith("t.litmus.toml:1:8:"));
    CHECK_THAT(isla_error(""), Contains("is empty"));
    CHECK(isla_error("arch = \"RISCV\"") == "t.litmus.toml:1:1: arch: architecture 'RISCV' is not supported (AArch64)");
}

TEST_CASE("isla: keys that are missing or unknown") {
    CHECK_THAT(isla_error("arch = \"AArch64\""), Contains("name: is missing"));
    CHECK_THAT(isla_error(head + final_table), Contains("thread: is missing"));
    CHECK_THAT(isla_error(head + thread), Contains("final: is missing"));
    CHECK_THAT(isla_error(head + thread + "[final]"), Contains("final.assertion: is missing"));
    CHECK(error_with("symbols = []\n") == "t.litmus.toml:4:1: symbols: unknown key (did you mean 'symbolic'?)");
    CHECK_THAT(isla_error(head + thread + "call = \"f\"\n" + final_table),
               StartsWith("t.litmus.toml:6:1: thread.0.call: unknown key"));
}

TEST_CASE("isla: threads are numbered without a gap") {
    CHECK_THAT(isla_error(head + "[thread.1]\ncode=\"NOP\"\n" + final_table),
               Contains("numbered from 0 without a gap"));
    CHECK_THAT(isla_error(head + "[thread.a]\ncode=\"NOP\"\n" + final_table),
               Contains("numbered from 0 without a gap"));
}

TEST_CASE("isla: a mistake in code is reported where it is in the file") {
    CHECK(isla_error(head + "[thread.0]\ncode = \"\"\"\n  NOP\n   FOO X1\n\"\"\"\n" + final_table) ==
          "t.litmus.toml:7:4: 'FOO X1': unknown instruction");
    CHECK_THAT(isla_error(head + "[thread.0]\ncode = \"FOO\"\n" + final_table),
               StartsWith("t.litmus.toml:5:9: 'FOO': unknown instruction"));
}

TEST_CASE("isla: registers and their values") {
    CHECK_THAT(reset_error("R31 = \"0\""), StartsWith("t.litmus.toml:7:1: thread.0.reset.R31: unknown register"));
    CHECK_THAT(reset_error("TTBR0_EL1 = \"0\""), Contains("unknown register"));
    CHECK_THAT(reset_error("ICC_PMR_EL1 = \"0\""), Contains("cannot be set from outside"));
    CHECK_THAT(reset_error("R1 = 1"), Contains("thread.0.reset.R1: expected a string"));
    CHECK_THAT(reset_error("R1 = \"z\""), StartsWith("t.litmus.toml:7:7: unknown location 'z'"));
    CHECK_THAT(reset_error("R1 = \"pte3(x, page_table_base)\""), Contains("unknown location 'page_table_base'"));
    CHECK_THAT(reset_error("R1 = \"mkdesc3(x)\""), Contains("function 'mkdesc3' with 1 argument(s) is not supported"));
    CHECK_THAT(reset_error("R1 = \"bvor(x, 1)\""), Contains("cannot be computed with an address"));
    CHECK_THAT(reset_error("R1 = \"nowhere:\""), Contains("the thread has no label 'nowhere'"));
    CHECK_THAT(reset_error("R1 = \"1 2\""), Contains("expected the end of the value, found '2'"));
    CHECK_THAT(reset_error("R1 = \"1\"\nX1 = \"1\""), Contains("the register is set twice"));
    CHECK_THAT(reset_error("\"PSTATE.EL\" = \"0b10\""), Contains("expected a number from 0 to 1"));
    CHECK_THAT(reset_error("\"PSTATE.Q\" = \"0b1\""), Contains("unknown field of PSTATE"));
}

TEST_CASE("isla: functions within each other have a limit") {
    std::string deep;
    for (int i = 0; i < 10'000; ++i) deep += "bvnot(";
    CHECK_THAT(reset_error("R1 = \"" + deep + "\""), Contains("without end"));
}

TEST_CASE("isla: page tables that make translations matter are not supported") {
    CHECK(page_error("physical pa1 pa2; x |-> pa1; y |-> pa2;") == "no error");
    CHECK_THAT(page_error("physical pa1;\n x |-> pa1;\n y |-> pa1;"),
               StartsWith("t.litmus.toml:7:8: two names of one page are not supported: 'x' has it already"));
    CHECK_THAT(page_error("physical pa1; x |-> invalid;"), Contains("'invalid' is not supported"));
    CHECK_THAT(page_error("physical pa1; x ?-> pa1;"), Contains("a mapping that may change is not supported"));
    CHECK_THAT(page_error("physical pa1; x |-> pa1 at level 2;"), Contains("only plain mappings are supported"));
    CHECK_THAT(page_error("physical pa1; x |-> pa1;"), Contains("expected a mapping of 'y'"));
    CHECK_THAT(page_error("intermediate ipa1;"), Contains("no statement that is supported"));
    CHECK_THAT(page_error("identity 0x1000 with data;"), Contains("expected 'with code'"));
    CHECK_THAT(page_error("*pa3 = 1;"), Contains("no location is mapped to 'pa3'"));
}

TEST_CASE("isla: sections") {
    const auto section_error = [](const std::string& name, const std::string& address) {
        return isla_error(head + thread + "[section." + name + "]\naddress = \"" + address +
                          "\"\ncode = \"NOP\"\n[section.other]\naddress = \"0x1400\"\ncode = \"NOP\"\n" + final_table);
    };
    CHECK(section_error("thread0_handler", "0x1480") == "no error");
    CHECK_THAT(section_error("thread0_handler", "0x1400"), Contains("overlaps section 'other'"));
    CHECK_THAT(section_error("thread1_handler", "0x1480"), Contains("there is no thread 1"));
    CHECK_THAT(section_error("thread0_handler", "0x1482"), Contains("expected a multiple of 4"));
    CHECK_THAT(section_error("thread0_handler", "0x40000000"), Contains("expected an address below 0x40000000"));
    CHECK_THAT(section_error("thread0_handler", "here"), Contains("expected a multiple of 4"));
}

TEST_CASE("isla: interrupts") {
    const auto interrupt_error = [](const std::string& lines) {
        return isla_error(head + "[thread.0]\ncode = \"here: NOP\"\n[[thread.0.interrupt]]\n" + lines + "\n" +
                          final_table);
    };
    CHECK(interrupt_error("at = \"here\"") == "no error");
    CHECK_THAT(interrupt_error("at = \"there\""),
               StartsWith("t.litmus.toml:7:1: thread.0.interrupt.at: the thread has no label 'there'"));
    CHECK_THAT(interrupt_error("at = \"here\"\nintid = 1020"), Contains("expected an INTID from 0 to 1019"));
    CHECK_THAT(interrupt_error("at = \"here\"\nreset = {}"), Contains("thread.0.interrupt.reset: unknown key"));
}

TEST_CASE("isla: locations, types, owners and verdicts") {
    CHECK_THAT(error_with("[types]\nz = \"uint8_t\"\n"), StartsWith("t.litmus.toml:5:1: types.z: unknown location"));
    CHECK_THAT(error_with("[types]\nx = \"int\"\n"), Contains("unknown type"));
    CHECK_THAT(error_with("[types]\nx = \"uint8_t\"\n[locations]\nx = \"256\"\n"),
               Contains("does not fit into its 8 bits"));
    CHECK_THAT(error_with("[owner]\nx = 1\n"), Contains("owner.x: there is no thread 1"));
    CHECK_THAT(error_with("[expected]\nverdict = \"perhaps\"\nsource = \"s\"\n"),
               Contains("unknown verdict 'perhaps'"));
    CHECK_THAT(error_with("[expected]\nverdict = \"allowed\"\n"), Contains("expected.source: is missing"));
    CHECK_THAT(isla_error("arch=\"AArch64\"\nname=\"T\"\nsymbolic=[\"x\",\"x\"]"),
               Contains("symbolic: is there twice"));
    CHECK_THAT(isla_error("arch=\"AArch64\"\nname=\"T\"\nsymbolic=[\"a b\"]"),
               StartsWith("t.litmus.toml:3:11: symbolic:"));
}

TEST_CASE("isla: assertions") {
    CHECK(assertion_error("0:X0 = 1 & !(*x = 1)") == "no error");
    CHECK_THAT(assertion_error("0:X0 = 1 &"), Contains("found the end of the condition"));
    CHECK_THAT(assertion_error("1:X0 = 1"), StartsWith("t.litmus.toml:7:14: there is no thread 1"));
    CHECK_THAT(assertion_error("*z = 1"), StartsWith("t.litmus.toml:7:15: unknown location 'z'"));
    CHECK_THAT(assertion_error("0:X0 = desc3(y)"), Contains("function 'desc3'"));
}
