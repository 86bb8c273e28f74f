// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/lock_client.h"

namespace lockkeeper::locks {

void LockClient::announce(const QByteArray &, const QList<AnnouncedWaiter> &, qint64, Done done)
{
    const base::Error error{base::ErrorCode::Unsupported, QStringLiteral("this scheme has no register"), {}};
    QMetaObject::invokeMethod(
        this, [done = std::move(done), error] { done({.error = error}); }, Qt::QueuedConnection);
}

} // namespace lockkeeper::locks
