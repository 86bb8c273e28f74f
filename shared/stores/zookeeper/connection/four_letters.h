// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>

#include <functional>
#include <optional>

namespace lockkeeper::stores::zookeeper {

/**
 * Sends a server one of ZooKeeper's four-letter words ("srvr", "cons") over a separate, short connection.
 * `done` is called once, later, in this thread, unless `context` is destroyed first. It gets the answer, or
 * nothing if none arrives within two seconds or the word isn't in the server's white list.
 */
void askWord(QObject *context, const QString &host, quint16 port, const char *word,
             std::function<void(const QByteArray &)> done);

/** The last transaction that a server has applied, from its answer to "srvr"; empty: it shows none. Pure. */
std::optional<quint64> transactionOf(const QByteArray &srvr);
/** "ZooKeeper 3.9.4" of an answer to "srvr"; without a version where there is none. Pure. */
QString productOf(const QByteArray &srvr);

} // namespace lockkeeper::stores::zookeeper
