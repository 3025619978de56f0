#include "gicsim/config/ipi_sequence.h"

#include <fmt/format.h>

#include <array>

#include "gicsim/config/data_folder.h"
#include "gicsim/config/suggestion.h"
#include "gicsim/config/toml_reader.h"

namespace gicsim {
namespace {

constexpr std::array<std::string_view, 3> mechanisms = {"system-register", "mmio", "unknown"};
constexpr std::array<std::string_view, 3> publications = {"store", "no-return-atomic", "atomic"};

template <typename Enum>
Enum word(TableReader& table, std::string_view key, const std::array<std::string_view, 3>& known) {
    const std::string text = table.text(key);
    for (std::size_t i = 0; i < known.size(); ++i) {
        if (known[i] == text) return static_cast<Enum>(i);
    }
    table.fail(key, fmt::format("unknown word '{}'", text),
               did_you_mean_or_list(text, std::vector<std::string>(known.begin(), known.end())));
}

Barrier barrier(TableReader& table, std::string_view key) {
    const std::string text = table.text(key);
    const auto found = Barrier::parse(text);
    if (found) return *found;
    std::vector<std::string> known;
    for (const Barrier& each : Barrier::all()) known.push_back(each.name());
    table.fail(key, fmt::format("unknown barrier '{}'", text), did_you_mean_or_list(text, known));
}

bool truth(TableReader& table, std::string_view key) {
    const toml::node* node = table.find(key);
    if (node == nullptr) return false;
    if (!node->is_boolean()) table.fail(key, "expected true or false");
    return node->as_boolean()->get();
}

std::string filled(TableReader& table, std::string_view key) {
    std::string text = table.text(key);
    if (text.empty()) table.fail(key, "is empty");
    return text;
}

IpiSequence::Send read_send(TableReader table) {
    IpiSequence::Send send;
    send.mechanism = word<IpiSequence::Mechanism>(table, "mechanism", mechanisms);
    if (send.mechanism != IpiSequence::Mechanism::unknown) {
        send.before = barrier(table, "before");
        send.isb_before = truth(table, "isb_before");
        send.isb_after = truth(table, "isb_after");
        if (table.has("publish")) send.publish = word<IpiSequence::Publish>(table, "publish", publications);
    }
    table.finish();
    return send;
}

IpiSequence::Receive read_receive(TableReader table) {
    IpiSequence::Receive receive;
    if (table.has("after_iar")) receive.after_iar = barrier(table, "after_iar");
    receive.isb_after_acknowledge = truth(table, "isb_after_acknowledge");
    if (table.has("eoi_mode")) {
        const std::int64_t mode = table.integer("eoi_mode");
        if (mode != 0 && mode != 1) table.fail("eoi_mode", "expected 0 or 1");
        receive.eoi_mode = static_cast<unsigned>(mode);
    }
    receive.isb_after_eoi = truth(table, "isb_after_eoi");
    table.finish();
    return receive;
}

}  // namespace

std::string_view name_of(IpiSequence::Mechanism mechanism) {
    return mechanisms[static_cast<std::size_t>(mechanism)];
}

std::string_view name_of(IpiSequence::Publish publish) {
    return publications[static_cast<std::size_t>(publish)];
}

std::string IpiSequence::sender_text() const {
    if (send.mechanism == Mechanism::unknown) return "unknown";
    std::string text;
    if (send.before.kind() != Barrier::Kind::none) text += send.before.name() + ", ";
    if (send.isb_before) text += "isb, ";
    text += send.mechanism == Mechanism::mmio ? "doorbell store" : "sgi";
    if (send.isb_after) text += ", isb";
    return text;
}

IpiSequence read_ipi_sequence_file(const std::filesystem::path& file) {
    TomlFile toml(file, "ipi-sequence");
    TableReader& root = toml.root();
    IpiSequence sequence;
    sequence.name = filled(root, "name");
    sequence.description = filled(root, "description");
    sequence.version = filled(root, "version");
    sequence.path = filled(root, "path");
    sequence.source = filled(root, "source");
    sequence.send = read_send(root.table("send"));
    if (auto receive = root.table_if_there("receive")) sequence.receive = read_receive(std::move(*receive));
    root.finish();
    return sequence;
}

IpiSequence load_ipi_sequence(const std::string& name_or_path) {
    return read_ipi_sequence_file(find_config(ConfigKind::ipi_sequence, name_or_path, {}, {}));
}

}  // namespace gicsim
