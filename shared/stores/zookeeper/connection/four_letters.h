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
 * Asks a server one of ZooKeeper's four-letter words ("srvr", "cons") over a short connection of its own.
 * `done` is called once, later, in this thread, unless `context` is destroyed first: with the answer, or
 * empty where there is none within two seconds or the word isn't in the server's white list.
 */
void askWord(QObject *context, const QString &host, quint16 port, const char *word,
             std::function<void(const QByteArray &)> done);

/** The last transaction that the server which answered "srvr" has applied; empty: it shows none. Pure. */
std::optional<quint64> transactionOf(const QByteArray &srvr);
/** "ZooKeeper 3.9.4" of an answer to "srvr"; without a version where there is none. Pure. */
QString productOf(const QByteArray &srvr);

} // namespace lockkeeper::stores::zookeeper
