// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/access/identity.h"

namespace lockkeeper::agent::access {

QString wayName(Identity::Way way)
{
    switch (way) {
    case Identity::Way::Local:
        return QStringLiteral("local");
    case Identity::Way::Certificate:
        return QStringLiteral("certificate");
    case Identity::Way::Password:
    case Identity::Way::Pam:
        return QStringLiteral("password");
    }
    return {};
}

} // namespace lockkeeper::agent::access
