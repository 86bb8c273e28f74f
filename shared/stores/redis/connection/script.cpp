// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/script.h"

#include <QCryptographicHash>
#include <QFile>

namespace lockkeeper::stores::redis {

namespace {

QByteArray load(const QString &name)
{
    QFile file(QStringLiteral(":/lockkeeper/lua/redis_%1.lua").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("the program was built without %s", qPrintable(name));
    return file.readAll();
}

/** A force-release: what all begin with, then the scheme's own. */
Script guarded(const QString &name)
{
    return Script(load(QStringLiteral("guard")) + load(name));
}

} // namespace

Script::Script(QByteArray source)
    : text(std::move(source)), sha(QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex())
{
}

Script releaseScript()
{
    return guarded(QStringLiteral("token_release"));
}

Script redissonReleaseScript()
{
    return guarded(QStringLiteral("redisson_release"));
}

Script semaphoreReleaseScript()
{
    return guarded(QStringLiteral("semaphore_release"));
}

Script fieldReleaseScript()
{
    return guarded(QStringLiteral("field_release"));
}

Script probeScript()
{
    return Script(load(QStringLiteral("probe")));
}

Script clientScript(const char *name)
{
    return Script(load(QLatin1String(name)));
}

Script renewScript()
{
    return clientScript("token_renew");
}

Script unlockScript()
{
    return clientScript("token_unlock");
}

} // namespace lockkeeper::stores::redis
