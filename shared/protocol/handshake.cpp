// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/protocol/handshake.h"

#include "shared/protocol/messages.h"

#include <algorithm>

namespace lockkeeper::protocol {

base::Result<int> negotiate(int newest, int oldest)
{
    const int version = std::min(newest, kVersion);
    if (oldest <= newest && version >= kOldestVersion && version >= oldest)
        return version;
    return base::failure(
        base::ErrorCode::Unsupported,
        QStringLiteral("the peer speaks versions %1 to %2 of the protocol, this program %3 to %4")
            .arg(oldest)
            .arg(newest)
            .arg(kOldestVersion)
            .arg(kVersion),
        newest < kOldestVersion ? QStringLiteral("Update the peer") : QStringLiteral("Update this program"));
}

} // namespace lockkeeper::protocol
