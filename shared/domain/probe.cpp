// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/probe.h"

#include <array>

namespace lockkeeper::domain {

QByteArrayView probeEndName(ProbeEnd end)
{
    static constexpr std::array<const char *, 4> kNames{"time", "commands", "bytes", "behind"};
    return kNames.at(size_t(end));
}

} // namespace lockkeeper::domain
