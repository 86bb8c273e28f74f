// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/hub/hub_rig.h"

#include "agent/hub/hub_schema.h"
#include "shared/base/clock.h"

#include <QFile>

#include <cstdio>
#include <signal.h>

namespace lockkeeper::tests {

using namespace agent::hub;
using events::EventKind;

namespace {
constexpr qint64 kStepUs = 1'000;
} // namespace

MadeJournal::MadeJournal(QByteArray id, QString name)
    : agent{std::move(name), std::move(id), 0},
      nowUs(base::SystemClock().wallUs()),
      m_hash(agent::journal::emptyAuditHead().hash)
{
}

qint64 MadeJournal::lockOf(const QByteArray &name)
{
    if (m_batch.sources.isEmpty())
        m_batch.sources = {{1, "orders-redis", "redis"}};
    qint64 &number = m_locks[name];
    if (number == 0) {
        number = m_locks.size();
        agent::journal::StoredLockRow row;
        row.lockId = number;
        row.sourceId = 1;
        row.key = {QString(), "redis.token", "db0", name};
        m_batch.locks.append(row);
    }
    return number;
}

MadeJournal &MadeJournal::event(const QByteArray &lock, EventKind kind, const QByteArray &owner)
{
    agent::journal::EventRow row;
    row.sourceId = 1;
    if (!lock.isEmpty())
        row.lockId = lockOf(lock);
    else if (m_batch.sources.isEmpty())
        m_batch.sources = {{1, "orders-redis", "redis"}};
    row.event.seq = quint64(++m_seq);
    row.event.kind = kind;
    row.event.owner = owner;
    row.event.ownerKnown = !lock.isEmpty();
    row.event.timeUs = nowUs;
    row.event.observedUs = nowUs + 1'102;
    if (kind == EventKind::Acquired) {
        row.event.ttlMs = 30'000;
        row.event.expiresUs = nowUs + 30'000'000;
    }
    if (!lock.isEmpty()) {
        domain::LockState after;
        after.phase = kind == EventKind::Acquired ? domain::Phase::Held : domain::Phase::Free;
        after.owner = owner;
        row.event.after = after;
    }
    m_batch.events.append(row);
    nowUs += kStepUs;
    return *this;
}

MadeJournal &MadeJournal::hold(const QByteArray &lock, const QByteArray &owner)
{
    agent::journal::HoldRow row;
    row.holdId = m_seq + 1;
    row.hold.fromUs = nowUs;
    event(lock, EventKind::Acquired, owner);
    row.hold.toUs = nowUs;
    event(lock, EventKind::Released, owner);
    row.lockId = lockOf(lock);
    row.hold.owner = owner;
    row.hold.end = "released";
    row.endSeq = m_seq;
    m_batch.holds.append(row);
    return *this;
}

MadeJournal &MadeJournal::hole(int numbers)
{
    if (numbers == 0)
        return *this;
    m_batch.holes.append({m_seq + 1, m_seq + numbers, HubHole::Deleted, nowUs, nowUs + kStepUs});
    m_seq += numbers;
    nowUs += kStepUs;
    return *this;
}

MadeJournal &MadeJournal::record(const QString &who)
{
    agent::journal::AuditRecord record;
    record.record = ++m_record;
    record.entry.id = m_record;
    record.entry.timeUs = nowUs;
    record.entry.who = who;
    record.entry.key = {QStringLiteral("orders-redis"), "redis.token", "db0", QByteArray("lock\xff\0x", 7)};
    record.previous = m_hash;
    record.hash = m_hash = record.expectedHash();
    m_batch.records.append(record);
    return *this;
}

HubBatch MadeJournal::take()
{
    m_batch.toSeq = m_seq;
    HubBatch batch = std::exchange(m_batch, {});
    m_batch.fromSeq = m_seq + 1;
    return batch;
}

HubRig::HubRig() = default;

bool HubRig::start(bool install)
{
    if (!m_server.isRunning() && !m_server.start())
        return false;
    m_database = QStringLiteral("hub%1").arg(++m_databases);
    m_server.exec(QStringLiteral("CREATE DATABASE %1").arg(m_database));
    if (!install)
        return true;
    const base::Interrupt interrupt;
    PgConnection connection(interrupt);
    const auto done = connection.open(target(QStringLiteral("root"))).and_then([&] {
        return installHubSchema(connection);
    });
    if (!done) {
        std::fprintf(stderr, "%s\n", qPrintable(done.error().line()));
        return false;
    }
    for (const QByteArray name : {"dc1", "dc2"}) {
        ask("CREATE ROLE " + name + " LOGIN IN ROLE lockkeeper_agent"); // unless an earlier test has made it
        ask("SELECT lockkeeper.add_agent('" + name + "', '" + name + "')");
    }
    return true;
}

HubTarget HubRig::target(const QString &user) const
{
    return {m_server.url(m_database, user).toString(QUrl::FullyEncoded), {}};
}

void HubRig::killServer()
{
    QFile file(m_server.socketFolder() + QStringLiteral("/data/postmaster.pid"));
    if (!file.open(QIODevice::ReadOnly))
        return;
    if (const int pid = file.readLine().trimmed().toInt(); pid > 1)
        ::kill(pid, SIGKILL);
}

QByteArray HubRig::ask(const QByteArray &sql, const QString &user) const
{
    const base::Interrupt interrupt;
    PgConnection connection(interrupt);
    const auto rows = connection.open(target(user)).and_then([&] { return connection.run(sql.constData()); });
    if (!rows)
        return "ERROR " + rows.error().cause.toUtf8();
    QByteArrayList values;
    for (int i = 0; i < rows->size(); ++i)
        values.append(rows->text(i, 0));
    return values.join(',');
}

} // namespace lockkeeper::tests
