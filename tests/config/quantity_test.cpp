#include "gicsim/config/quantity.h"

#include "config_fixture.h"
#include "gicsim/config/suggestion.h"

using namespace gicsim;

namespace {

constexpr std::int64_t us_in_fs = 1'000'000'000;
const ValueRule time_rule{UnitKind::time, {}, 0, 10 * us_in_fs, {}};
const ValueRule entries_rule{UnitKind::count, "entries", 1, 64, {}};
const ValueRule width_rule{UnitKind::bandwidth, {}, 1, INT64_MAX, {}};

Quantity read(const std::string& text, const ValueRule& rule, RawValue::Type type = RawValue::Type::text) {
    return read_quantity({type, text, Origin::in_file("m.toml", 3, 7)}, rule, "core.dsb", ClockDomain(2'600'000'000));
}
std::string error(const std::string& text, const ValueRule& rule, RawValue::Type type = RawValue::Type::text) {
    return error_of([&] { read(text, rule, type); });
}

}  // namespace

TEST_CASE("times are read exactly in every unit") {
    CHECK(read("45 ns", time_rule).time() == Time::ns(45));
    CHECK(read("0.4ns", time_rule).time() == Time::ps(400));
    CHECK(read("  1.5   us ", time_rule).time() == Time::ns(1500));
    CHECK(read("0.000001 ns", time_rule).time() == Time::fs(1));
    CHECK(read("17 fs", time_rule).time() == Time::fs(17));
    CHECK(read("78 cycles", time_rule).time() == Time::ns(30));
    CHECK(read("1 cycle", time_rule).time() == Time::fs(384'615));
}

TEST_CASE("a quantity is shown as it was written, and comes to one canonical text a meaning") {
    CHECK(read("045.00   ns", time_rule).text == "45 ns");
    CHECK(read("45 ns", time_rule).canonical == read("0.045 us", time_rule).canonical);
    CHECK(read("45 ns", time_rule).canonical == "45000000 fs");
}

TEST_CASE("counts, bandwidths, switches and addresses") {
    CHECK(read("47 entries", entries_rule).count() == 47);
    CHECK(read("1 entry", entries_rule).count() == 1);
    CHECK(read("64 B/ns", width_rule).time_per_byte() == Time::fs(15'625));
    CHECK(read("30 GB/s", width_rule).time_per_byte() == Time::fs(33'333));
    CHECK(read("true", {UnitKind::toggle, {}, 0, 1, {}}, RawValue::Type::boolean).on());
    CHECK(read("0xae000000", {UnitKind::address, {}, 0, INT64_MAX, {}}).amount == 0xae000000);
}

TEST_CASE("a value without unit is refused with the units that fit") {
    CHECK(error("45", time_rule) ==
          "m.toml:3:7: core.dsb: '45' has no unit (expected fs, ps, ns, us, ms, s or cycles)");
    CHECK(error("45", time_rule, RawValue::Type::integer) ==
          "m.toml:3:7: core.dsb: '45' has no unit (write it as a string with fs, ps, ns, us, ms, s or cycles)");
    CHECK(error("47", entries_rule).find("has no unit (expected entries)") != std::string::npos);
}

TEST_CASE("an unknown unit, a wrong type and no number at all are refused") {
    CHECK(error("45 parsec", time_rule).find("unknown unit 'parsec'") != std::string::npos);
    CHECK(error("47 lines", entries_rule).find("unknown unit 'lines'") != std::string::npos);
    CHECK(error("true", time_rule, RawValue::Type::boolean).find("found a boolean 'true'") != std::string::npos);
    CHECK(error("soon", time_rule).find("'soon' is no number with a unit") != std::string::npos);
    CHECK(error("", time_rule).find("is no number with a unit") != std::string::npos);
    CHECK(error("1", {UnitKind::toggle, {}, 0, 1, {}}, RawValue::Type::integer).find("expected true or false") !=
          std::string::npos);
}

TEST_CASE("negative and absurd values are refused with the bounds, never clamped") {
    CHECK(error("-1 ns", time_rule) == "m.toml:3:7: core.dsb: '-1 ns' is out of bounds (allowed: 0 fs to 10 us)");
    CHECK(error("11 us", time_rule).find("out of bounds (allowed: 0 fs to 10 us)") != std::string::npos);
    CHECK(error("99999999999999999999999 s", time_rule).find("out of bounds") != std::string::npos);
    CHECK(error("-3 cycles", time_rule).find("out of bounds") != std::string::npos);
    CHECK(error("0 entries", entries_rule).find("allowed: 1 to 64 entries") != std::string::npos);
}

TEST_CASE("what is finer than the smallest unit is refused, not rounded") {
    CHECK(error("0.0000001 ns", time_rule).find("is no whole number of fs") != std::string::npos);
    CHECK(error("2.5 cycles", time_rule).find("is no whole number of cycles") != std::string::npos);
    CHECK(error("1.5 entries", entries_rule).find("is no whole number of entries") != std::string::npos);
}

TEST_CASE("suggestions name what was probably meant, or nothing") {
    const std::vector<std::string> known = {"core.dsb", "core.isb", "memory.dram"};
    CHECK(did_you_mean("memory.darm", known) == "did you mean 'memory.dram'?");
    CHECK(did_you_mean("core.dbs", known) == "did you mean 'core.dsb'?");
    CHECK(did_you_mean("zebra", known).empty());
    CHECK(did_you_mean_or_list("zebra", {"a", "b"}) == "known: a, b");
    CHECK(edit_distance("kitten", "sitting") == 3);
    CHECK(edit_distance("", "abc") == 3);
}
