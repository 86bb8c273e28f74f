// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/zookeeper/reading/sessions.h"

#include "shared/stores/zookeeper/connection/four_letters.h"

#include <algorithm>

namespace lockkeeper::stores::zookeeper {

namespace {

constexpr qint64 kPauseMs = 5'000;

/** The text behind "KEY=" up to the next comma or bracket. */
QByteArray fieldOf(const QByteArray &line, QByteArrayView key)
{
    const qsizetype at = line.indexOf(key);
    if (at < 0)
        return {};
    const qsizetype from = at + key.size();
    qsizetype to = from;
    while (to < line.size() && line.at(to) != ',' && line.at(to) != ')')
        ++to;
    return line.sliced(from, to - from);
}

} // namespace

QByteArray sessionText(qint64 session)
{
    return "0x" + QByteArray::number(quint64(session), 16);
}

QHash<qint64, ReportedSession> clientsOf(const QByteArray &cons)
{
    QHash<qint64, ReportedSession> clients;
    for (const QByteArray &text : cons.split('\n')) {
        // " /10.0.0.7:46234[1](queued=0,…,sid=0x1000…,…,to=10000,…)"
        const QByteArray line = text.trimmed();
        const QByteArray id = fieldOf(line, ",sid=");
        const qsizetype end = line.indexOf('[', line.startsWith("/[") ? line.indexOf(']') : 0);
        if (!id.startsWith("0x") || end < 1)
            continue;
        clients.insert(qint64(id.sliced(2).toULongLong(nullptr, 16)),
                       {line.sliced(1, end - 1), fieldOf(line, ",to=").toLongLong()});
    }
    return clients;
}

void Sessions::want(const QList<qint64> &sessions)
{
    const bool known = std::all_of(sessions.cbegin(), sessions.cend(),
                                   [this](qint64 session) { return session == 0 || client(session); });
    if (known || (m_asked.isValid() && m_asked.elapsed() < kPauseMs))
        return;
    m_asked.start();
    for (const Host &server : std::as_const(m_ensemble.servers)) {
        if (!m_mute.contains(server.text()))
            ask(server);
    }
}

void Sessions::ask(const Host &server)
{
    askWord(this, server.name, quint16(server.port), "cons",
            [this, name = server.text()](const QByteArray &answer) {
                if (answer.isEmpty())
                    m_mute.append(name);
                else
                    m_clients.insert(name, clientsOf(answer));
            });
}

std::optional<ReportedSession> Sessions::client(qint64 session) const
{
    for (const auto &clients : m_clients) {
        const auto at = clients.constFind(session);
        if (at != clients.constEnd())
            return *at;
    }
    return std::nullopt;
}

void Sessions::clear()
{
    m_clients.clear();
    m_mute.clear();
    m_asked.invalidate();
}

} // namespace lockkeeper::stores::zookeeper
