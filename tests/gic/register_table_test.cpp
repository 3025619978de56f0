#include "gicsim/gic/register_table.h"

#include "support/catch.h"

using namespace gicsim;

namespace {

/// A frame of one 64-bit register, two byte-accessible ones, one write-only, one not built.
struct Owner {
    struct Effects {};

    std::uint64_t read_wide(unsigned, Security) const { return wide; }
    void write_wide(unsigned, const RegisterWrite& write, Effects&) { wide = write.merged(wide); }
    std::uint64_t read_bytes(unsigned n, Security) const { return bytes[n]; }
    void write_bytes(unsigned n, const RegisterWrite& write, Effects&) { bytes[n] = write.merged(bytes[n]); }

    std::uint64_t wide = 0x1111'2222'3333'4444;
    std::uint64_t bytes[2] = {0xA0B0C0D0, 0x01020304};
};

RegisterFrame<Owner> make_frame(std::uint32_t second_offset = 0x20) {
    using Sizes = AccessSizes;
    constexpr auto rw = RegisterAccess::read_write;
    return RegisterFrame<Owner>("FRAME", 0x100,
                                {
                                    {0x00, 1, "WIDE", 64, Sizes::word_or_double, rw, RegisterSecurity::any, 0,
                                     &Owner::read_wide, &Owner::write_wide},
                                    {second_offset, 2, "BYTES", 32, Sizes::byte_or_word, rw, RegisterSecurity::secure,
                                     0, &Owner::read_bytes, &Owner::write_bytes},
                                    {0x40, 1, "TRIGGER", 32, Sizes::word, RegisterAccess::write_only,
                                     RegisterSecurity::any, 0, &Owner::read_bytes, &Owner::write_bytes},
                                    {0x50, 1, "LATER", 32, Sizes::word, rw, RegisterSecurity::any, 0},
                                });
}

struct Access {
    RegisterFrame<Owner> frame = make_frame();
    Owner owner;
    Owner::Effects effects;

    AccessResult read(std::uint32_t offset, unsigned size, Security security = Security::secure, bool ds = false) {
        return frame.read(owner, offset, size, security, ds);
    }
    AccessResult write(std::uint32_t offset, std::uint64_t value, unsigned size, Security security = Security::secure) {
        return frame.write(owner, offset, value, size, security, false, effects);
    }
};

}  // namespace

TEST_CASE("Register table 1. A 64-bit register is read and written whole or by halves, the other half kept") {
    Access access;
    CHECK(access.read(0, 8).value == 0x1111'2222'3333'4444);
    CHECK(access.read(4, 4).value == 0x1111'2222);
    access.write(4, 0xFFFF'FFFF'AAAA'BBBB, 4);
    CHECK(access.owner.wide == 0xAAAA'BBBB'3333'4444);
    access.write(0, 0x5555'6666, 4);
    CHECK(access.owner.wide == 0xAAAA'BBBB'5555'6666);
    CHECK(access.read(0, 1).status == AccessStatus::bad_size);
}

TEST_CASE("Register table 2. Each byte of a byte-accessible register is its own, in each register of the row") {
    Access access;
    CHECK(access.read(0x21, 1).value == 0xC0);
    CHECK(access.read(0x27, 1).value == 0x01);
    access.write(0x26, 0xEE, 1);
    CHECK(access.owner.bytes[1] == 0x01EE0304);
    CHECK(access.owner.bytes[0] == 0xA0B0C0D0);
}

TEST_CASE("Register table 3. A Secure register is RAZ/WI to Non-secure accesses unless there is one Security state") {
    Access access;
    CHECK(access.read(0x20, 4, Security::non_secure).value == 0);
    CHECK(access.read(0x20, 4, Security::non_secure).built);
    access.write(0x20, 0, 4, Security::non_secure);
    CHECK(access.owner.bytes[0] == 0xA0B0C0D0);
    CHECK(access.read(0x20, 4, Security::non_secure, true).value == 0xA0B0C0D0);
}

TEST_CASE("Register table 4. A write-only register reads zero, and what is not built says so and is no error") {
    Access access;
    CHECK(access.read(0x40, 4).value == 0);
    CHECK(access.read(0x40, 4).built);
    for (const std::uint32_t offset : {0x50U, 0x60U, 0xFCU}) {
        CHECK_FALSE(access.read(offset, 4).built);
        CHECK_FALSE(access.write(offset, 1, 4).built);
        CHECK(access.read(offset, 4).status == AccessStatus::ok);
    }
}

TEST_CASE("Register table 5. Rows that overlap are a mistake of the table's author and are refused") {
    CHECK_THROWS_AS(make_frame(0x4), std::logic_error);
    CHECK_THROWS_AS(make_frame(0x3C), std::logic_error);
}
