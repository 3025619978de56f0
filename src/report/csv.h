#ifndef GICSIM_SRC_REPORT_CSV_H
#define GICSIM_SRC_REPORT_CSV_H

#include <string>

namespace gicsim {

/// A CSV field in quotes (RFC 4180).
inline std::string csv_quoted(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"') quoted += '"';
        quoted += c;
    }
    return quoted + "\"";
}

}  // namespace gicsim

#endif
