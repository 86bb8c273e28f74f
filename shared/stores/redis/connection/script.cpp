// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/redis/connection/script.h"

#include <QCryptographicHash>
#include <QFile>

namespace lockkeeper::stores::redis {

namespace {

QByteArray load(const char *name)
{
    QFile file(QStringLiteral(":/lockkeeper/lua/redis_%1.lua").arg(QLatin1String(name)));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("the program was built without %s", name);
    return file.readAll();
}

} // namespace

Script::Script(QByteArray source)
    : text(std::move(source)), sha(QCryptographicHash::hash(text, QCryptographicHash::Sha1).toHex())
{
}

Script guardedScript(const char *name)
{
    return Script(load("guard") + load(name));
}

Script clientScript(const char *name, const char *before)
{
    return Script((before != nullptr ? load(before) : QByteArray()) + load(name));
}

} // namespace lockkeeper::stores::redis
