// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArrayView>
#include <QtGlobal>

namespace lockkeeper::stores::redis::push {

/** What INFO tells of the server's databases. */
struct Databases
{
    /** Nobody has ever used another one than database 0: no key of one is loaded, and since the server's
     * start no command was run that leads there; or it is a cluster's node, which has no other. Such a
     * message is about database 0, then. */
    bool onlyFirst = false;
    qint64 swaps = 0; ///< how often SWAPDB was run
};

/** Reads `INFO everything`, or of it the sections keyspace, commandstats and, of a cluster's node, server. (A
 * slot that moves to a node has SELECT run there; several databases a cluster has from Valkey 9 on.) Pure. */
Databases databasesOf(QByteArrayView info);

} // namespace lockkeeper::stores::redis::push
