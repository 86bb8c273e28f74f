// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/journal/audit/system_log.h"

#include "shared/base/text.h"

#include <cstring>
#include <sys/socket.h>
#include <sys/syslog.h>
#include <sys/un.h>
#include <unistd.h>

namespace lockkeeper::agent::journal {

namespace {

/** journald and syslog daemons truncate longer lines at arbitrary positions. */
constexpr qsizetype kMaxText = 512;

void add(QByteArray &line, const char *name, const QByteArray &value)
{
    if (value.isEmpty())
        return;
    QString shown = base::singleLine(base::textOf(value.first(std::min(value.size(), kMaxText))));
    shown.replace(QLatin1Char('"'), QLatin1Char('\''));
    line += ' ' + QByteArray(name) + "=\"" + shown.toUtf8() + '"';
}

} // namespace

QByteArray logLineOf(const AuditRecord &record)
{
    static constexpr const char *kKinds[] = {"intent", "outcome", "finding", "decision"};
    const domain::AuditEntry &entry = record.entry;
    QByteArray line = "audit " + QByteArray(kKinds[record.kind]) + " id=" + QByteArray::number(entry.id) +
                      " record=" + QByteArray::number(record.record);
    if (record.kind != AuditRecord::Intent)
        line += " outcome=" + domain::outcomeName(entry.outcome).toByteArray();
    add(line, "who", entry.who.toUtf8());
    add(line, "role", entry.role.toUtf8());
    add(line, "source", entry.key.source.toUtf8());
    add(line, "scheme", entry.key.scheme);
    add(line, "place", entry.key.place);
    add(line, "lock", entry.key.name);
    add(line, "holder", entry.holder);
    add(line, "approver", entry.approver.toUtf8());
    add(line, "reason", entry.reason.toUtf8());
    add(line, "detail", entry.detail.toUtf8());
    return line + " hash=" + record.hash.toHex();
}

QByteArray logLineOf(const domain::AuditSignature &head)
{
    return "audit head records=" + QByteArray::number(head.records) + " hash=" + head.hash.toHex() +
           " time_us=" + QByteArray::number(head.timeUs) + " key=" + head.keyId.toHex() +
           " signature=" + head.signature.toHex();
}

SystemLog::~SystemLog()
{
    if (m_fd >= 0)
        ::close(m_fd);
}

void SystemLog::send(const QByteArray &line)
{
    sockaddr_un address{};
    if (m_path.isEmpty() || size_t(m_path.size()) >= sizeof address.sun_path)
        return;
    if (m_fd < 0)
        m_fd = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, m_path.constData(), size_t(m_path.size()));
    const QByteArray datagram = '<' + QByteArray::number(LOG_AUTHPRIV | LOG_NOTICE) + ">lockkeeper-agent[" +
                                QByteArray::number(::getpid()) + "]: " + line;
    (void)::sendto(m_fd, datagram.constData(), size_t(datagram.size()), MSG_NOSIGNAL,
                   reinterpret_cast<const sockaddr *>(&address), sizeof address);
}

} // namespace lockkeeper::agent::journal
