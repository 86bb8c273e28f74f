// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/probe.h"

namespace lockkeeper::domain {

QByteArrayView probeEndName(ProbeEnd end)
{
    switch (end) {
    case ProbeEnd::Time:
        return "time";
    case ProbeEnd::Commands:
        return "commands";
    case ProbeEnd::Bytes:
        return "bytes";
    case ProbeEnd::Behind:
        return "behind";
    }
    return "time";
}

} // namespace lockkeeper::domain
