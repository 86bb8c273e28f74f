// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QByteArrayView>
#include <QList>

#include <initializer_list>
#include <optional>
#include <span>

struct redisReply;

namespace lockkeeper::stores::redis {

/**
 * Commands in the wire format of Redis (RESP, arrays of bulk strings), to be sent together. Arguments are
 * bytes with their length before them, so that no key or value can pose as a command.
 */
class CommandBatch
{
public:
    void add(std::initializer_list<QByteArrayView> arguments);
    void add(const QList<QByteArray> &arguments);
    void add(std::span<const QByteArrayView> arguments);
    /** Empties the batch, but keeps its memory. */
    void clear();
    void reserve(qsizetype commands, qsizetype bytes);

    qsizetype size() const { return m_ends.size(); }
    bool isEmpty() const { return m_ends.isEmpty(); }
    /** The bytes of the command `index`; valid while the batch lives unchanged. */
    QByteArrayView command(qsizetype index) const;
    /** The bytes of all of them. */
    QByteArrayView wire() const { return m_wire; }
    /** The last command is MONITOR: its answer is followed by lines that answer nothing. */
    bool endsInMonitor() const { return m_monitor; }
    /** From now on ASKING goes before each command: a cluster node that takes a slot over then answers for
     * the keys of the slot that it already has. The answer to ASKING comes before the command's. */
    void setAsking(bool asking) { m_asking = asking; }

private:
    template <typename Arguments> void addAll(const Arguments &arguments);

    QByteArray m_wire;
    QList<qsizetype> m_ends;
    bool m_monitor = false;
    bool m_asking = false;
};

/** The bytes of a string, status or error reply; empty for others. Valid while the reply lives. */
QByteArrayView bytesOf(const redisReply *reply);

bool isError(const redisReply *reply);
/** True where the reply is an error that begins with `code` ("NOPERM"). */
bool isError(const redisReply *reply, QByteArrayView code);

/** The reply of TIME in microseconds since the epoch; empty where it is none. */
std::optional<qint64> timeOf(const redisReply *reply);

/** Seconds and microseconds as two strings, which TIME and the scripts answer. */
std::optional<qint64> timeOf(const redisReply *seconds, const redisReply *microseconds);

} // namespace lockkeeper::stores::redis
