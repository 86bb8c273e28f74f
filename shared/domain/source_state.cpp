// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/domain/source_state.h"

namespace lockkeeper::domain {

QByteArrayView linkName(Link link)
{
    switch (link) {
    case Link::Connecting:
        return "connecting";
    case Link::Up:
        return "up";
    case Link::Down:
        return "down";
    case Link::Standby:
        return "standby";
    }
    return "unknown";
}

} // namespace lockkeeper::domain
