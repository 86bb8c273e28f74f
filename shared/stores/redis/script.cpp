// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/script.h"

#include <QCryptographicHash>
#include <QFile>

namespace lockkeeper::stores::redis {

namespace {

Script load(const QString &name)
{
    QFile file(QStringLiteral(":/lockkeeper/lua/") + name);
    if (!file.open(QIODevice::ReadOnly))
        qFatal("the program was built without %s", qPrintable(name));
    return Script(file.readAll());
}

} // namespace

Script::Script(QByteArray source)
    : text(std::move(source)), sha(QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex())
{
}

Script releaseScript()
{
    return load(QStringLiteral("redis_token_release.lua"));
}

Script probeScript()
{
    return load(QStringLiteral("redis_probe.lua"));
}

Script renewScript()
{
    return load(QStringLiteral("redis_token_renew.lua"));
}

Script unlockScript()
{
    return load(QStringLiteral("redis_token_unlock.lua"));
}

} // namespace lockkeeper::stores::redis
