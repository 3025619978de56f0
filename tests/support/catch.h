#ifndef GICSIM_TESTS_SUPPORT_CATCH_H
#define GICSIM_TESTS_SUPPORT_CATCH_H

// The one place that names Catch2's header, so that a move to version 3 is one edit.
#include <catch2/catch.hpp>

#endif
