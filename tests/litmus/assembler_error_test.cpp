// What the assembler refuses, and where it says the mistake is.
#include "litmus_fixture.h"

using namespace gicsim;
using namespace gicsim::litmus;
using Catch::Matchers::Contains;
using Catch::Matchers::StartsWith;

TEST_CASE("unknown instruction: file, line, column, text and a suggestion") {
    CHECK(assembler_error("NOP\n  LDRR X0, [X1]") ==
          "t:2:3: 'LDRR X0, [X1]': unknown instruction (did you mean 'ldar'?)");
}

TEST_CASE("what cannot be executed is refused by name") {
    const std::string text = GENERATE("BL f", "BR X0", "LDRSW X0,[X1]", "CASP X0,X1,X2,X3,[X4]", "CLREX", "ADR X0,l",
                                      "LDADDAX X0,X1,[X2]", "STADDA X0,[X1]", "PRFM X0", "TLBI VMALLE1", "WFET X0");
    CHECK_THAT(assembler_error(text), StartsWith("t:1:1: '" + text + "': unknown instruction"));
}

TEST_CASE("directives are refused") {
    CHECK(assembler_error(" .word 1") == "t:1:2: '.word 1': directives are not supported");
}

TEST_CASE("HVC and SMC: no such exception level") {
    CHECK_THAT(assembler_error("HVC #0"), Contains("'HVC #0': is not supported"));
}

TEST_CASE("barriers need a known option") {
    CHECK_THAT(assembler_error("DSB"), StartsWith("t:1:1: 'DSB': the option is missing (sy, st, ld, ish"));
    CHECK_THAT(assembler_error("DMB ISHT"), StartsWith("t:1:5: 'DMB ISHT': unknown barrier option 'isht'"));
    CHECK_THAT(assembler_error("DSB SYnXS"), Contains("unknown barrier option"));
    CHECK_THAT(assembler_error("ISB ST"), Contains("the only option of ISB is SY"));
}

TEST_CASE("registers: unknown, of the wrong width, stack pointer or zero register in the wrong place") {
    CHECK_THAT(assembler_error("MOV X31,X0"), StartsWith("t:1:5: 'MOV X31,X0': 'X31' is no register"));
    CHECK_THAT(assembler_error("ADD X0,X1,W2"), StartsWith("t:1:11: 'ADD X0,X1,W2': expected an X register"));
    CHECK_THAT(assembler_error("AND X0,SP,X1"), Contains("the stack pointer cannot stand here"));
    CHECK_THAT(assembler_error("LDR X0,[XZR]"), Contains("expected X0 to X30 or SP as the base"));
    CHECK_THAT(assembler_error("LDR X0,[W1]"), Contains("as the base"));
    CHECK_THAT(assembler_error("STXR X2,X0,[X1]"), Contains("expected a W register"));
    CHECK_THAT(assembler_error("LDR X0,[X1,W2]"), Contains("expected an X register"));
    CHECK_THAT(assembler_error("LDRB X0,[X1]"), Contains("expected a W register"));
}

TEST_CASE("immediates outside of their range") {
    CHECK_THAT(assembler_error("ADD X0,X1,#4097"), Contains("more than 12 bits"));
    CHECK_THAT(assembler_error("AND X0,X1,#5"), Contains("no immediate of a logical instruction"));
    CHECK_THAT(assembler_error("MOV X0,#0x12345"), Contains("no single MOV holds this value (use MOVZ and MOVK)"));
    CHECK_THAT(assembler_error("MOV W0,#0x100000000"), Contains("does not fit into 32 bits"));
    CHECK_THAT(assembler_error("LSL W0,W1,#32"), Contains("from 0 to 31"));
    CHECK_THAT(assembler_error("MOVZ W0,#1,LSL #32"), Contains("cannot be shifted by 32"));
    CHECK_THAT(assembler_error("TBZ W0,#32,l"), Contains("from 0 to 31"));
    CHECK_THAT(assembler_error("LDR X0,[X1,#32768]"), Contains("or a multiple of 8 to 32760"));
    CHECK_THAT(assembler_error("LDR X0,[X1],#256"), Contains("from -256 to 255"));
    CHECK_THAT(assembler_error("LDP X0,X1,[X2,#4]"), Contains("expected a multiple of 8 from -512 to 504"));
    CHECK_THAT(assembler_error("LDAR X0,[X1,#8]"), Contains("has no offset"));
    CHECK_THAT(assembler_error("MSR DAIFSet,#16"), Contains("from 0 to 15"));
    CHECK_THAT(assembler_error("ADD X0,X1,#99999999999999999999"), Contains("expected a number"));
}

TEST_CASE("what the architecture leaves unpredictable is refused") {
    CHECK_THAT(assembler_error("LDP X0,X0,[X1]"), Contains("CONSTRAINED UNPREDICTABLE"));
    CHECK_THAT(assembler_error("LDR X1,[X1],#8"), Contains("CONSTRAINED UNPREDICTABLE"));
    CHECK_THAT(assembler_error("STXR W0,W0,[X1]"), Contains("CONSTRAINED UNPREDICTABLE"));
}

TEST_CASE("system registers: unknown, or read or written in the wrong direction") {
    CHECK(assembler_error("MSR ICC_SGI1_EL1,X0") ==
          "t:1:5: 'MSR ICC_SGI1_EL1,X0': unknown system register 'ICC_SGI1_EL1' (did you mean 'ICC_SGI1R_EL1'?)");
    CHECK_THAT(assembler_error("MRS X0,ICC_SGI1R_EL1"), Contains("is write-only"));
    CHECK_THAT(assembler_error("MSR ICC_IAR1_EL1,X0"), Contains("is read-only"));
    CHECK_THAT(assembler_error("MRS X0,S3_0_C12_C12_9"), Contains("unknown system register"));
    CHECK_THAT(assembler_error("MRS X0,S3_0_C15_C0_0"), Contains("unknown system register"));
}

TEST_CASE("labels: unknown, twice, missing") {
    CHECK(assembler_error("loop: NOP\n  B lop") == "t:2:5: 'B lop': unknown label 'lop' (did you mean 'loop'?)");
    CHECK(assembler_error("a: NOP\na: NOP") == "t:2:1: label 'a' is there twice");
    CHECK_THAT(assembler_error("CBZ X0"), Contains("t:1:7: 'CBZ X0': ',' is missing"));
    CHECK_THAT(assembler_error("CBZ X0,"), Contains("a label is missing"));
    CHECK_THAT(assembler_error("B 1f\nB 1b"), Contains("unknown label '1f'"));
}

TEST_CASE("something missing or left over") {
    CHECK_THAT(assembler_error("ADD X0"), StartsWith("t:1:7: 'ADD X0': ',' is missing"));
    CHECK_THAT(assembler_error("LDR X0,[X1"), Contains("']' is missing"));
    CHECK_THAT(assembler_error("NOP X0"), StartsWith("t:1:5: 'NOP X0': too much behind the operands"));
    CHECK_THAT(assembler_error("LDR X0,=x"), Contains("expected '['"));
    CHECK_THAT(assembler_error("STR X0,[X1,X2]!"), Contains("only an immediate offset can be written back"));
}

TEST_CASE("a comment without an end") {
    CHECK(assembler_error("NOP\n /* a") == "t:2:2: comment without an end");
    CHECK(assembler_error("(* (* a *)") == "t:1:1: comment without an end");
}

TEST_CASE("too many instructions and too many labels") {
    std::string code;
    for (std::size_t i = 0; i <= most_instructions; ++i) code += "NOP\n";
    CHECK(assembler_error(code) == "t:4097:1: more than 4096 instructions");
    std::string labels;
    for (std::size_t i = 0; i < 3 * most_instructions; ++i) labels += "0: ";
    CHECK_THAT(assembler_error(labels), Contains("more than 8192 labels"));
}
