// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/lock_faults.h"

namespace lockkeeper::tests {

/** A scheme in a private store, and the faults of both. */
struct FaultCase
{
    const char *name;
    bool safe; ///< false: the scheme is known to let two hold a lock here, and that has to be found
    /** `scale`: the number of fighters, and the time. The case decides the locks. */
    std::function<FaultReport(FaultPlan scale)> run;
    const char *absent = nullptr; ///< why it can't run here
};

QList<FaultCase> faultCases();

} // namespace lockkeeper::tests
