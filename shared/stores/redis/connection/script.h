// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>

namespace lockkeeper::stores::redis {

/** A Lua script and the name by which EVALSHA calls it. A plain value. */
struct Script
{
    explicit Script(QByteArray source);

    QByteArray text;
    QByteArray sha; ///< SHA-1 of the text, 40 hex digits
};

// The scripts of resources/lua; each script documents its arguments and its answer.

/** A force-release: the beginning that all share, then redis_NAME.lua, the scheme's own part. */
Script guardedScript(const char *name);
/** redis_NAME.lua, of the lock library's side; after redis_BEFORE.lua where that is named. */
Script clientScript(const char *name, const char *before = nullptr);

} // namespace lockkeeper::stores::redis
