// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/access/identity.h"

namespace lockkeeper::agent::access {

QString wayName(Identity::LoginWay way)
{
    switch (way) {
    case Identity::LoginWay::Local:
        return QStringLiteral("local");
    case Identity::LoginWay::Certificate:
        return QStringLiteral("certificate");
    case Identity::LoginWay::Password:
    case Identity::LoginWay::Pam:
        return QStringLiteral("password");
    }
    return {};
}

} // namespace lockkeeper::agent::access
