#ifndef GICSIM_TESTS_CLI_PROGRAM_H
#define GICSIM_TESTS_CLI_PROGRAM_H

#include <sys/wait.h>

#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>

struct Answer {
    int code = -1;
    std::string out;
};

/// Runs the program in a shell; stderr is dropped unless `arguments` redirect it.
inline Answer program(const std::string& arguments) {
    const std::string command = std::string(GICSIM_PROGRAM) + " " + arguments;
    FILE* pipe = popen(("(" + command + ") 2>/dev/null").c_str(), "r");
    if (pipe == nullptr) throw std::runtime_error("no shell");
    Answer answer;
    std::array<char, 4096> buffer{};
    for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe)) > 0;)
        answer.out.append(buffer.data(), n);
    const int status = pclose(pipe);
    answer.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    return answer;
}

#endif
