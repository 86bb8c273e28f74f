// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_client.h"

#include "agent/release/permissions.h"

#include <QTest>

#include <algorithm>

namespace lockkeeper::tests {

TestClient::TestClient(QObject *parent) : QObject(parent), client(QStringLiteral("test"))
{
    connect(&client, &transport::Client::connected, this, [this](const protocol::Welcome &w) {
        welcome = w;
        connected = true;
    });
    connect(&client, &transport::Client::received, this, &TestClient::received);
    connect(&client, &transport::Client::disconnected, this, [this](const base::Error &error) {
        connected = false;
        end = error;
    });
}

bool TestClient::open(const QString &socketPath, int timeoutMs)
{
    return open(transport::Address{socketPath}, timeoutMs);
}

bool TestClient::open(const transport::Address &address, int timeoutMs)
{
    end.reset();
    client.open(address);
    return QTest::qWaitFor([this] { return connected || end; }, timeoutMs) && connected;
}

bool TestClient::watch(const QString &socketPath, bool withRenewals, int timeoutMs)
{
    if (!open(socketPath))
        return false;
    subscribe(0, true, withRenewals);
    return saw(events::EventKind::SourceUp, {}, timeoutMs);
}

void TestClient::close()
{
    client.close();
}

void TestClient::subscribe(std::optional<quint64> since, bool snapshot, bool withRenewals)
{
    m_withTable = snapshot;
    m_subscription = ++m_id;
    client.send(protocol::Subscribe{m_subscription, since, welcome.journal, snapshot, withRenewals});
}

std::optional<protocol::Message> TestClient::wait(quint64 id, int timeoutMs)
{
    if (!QTest::qWaitFor([this, id] { return m_answers.contains(id) || end; }, timeoutMs) ||
        !m_answers.contains(id))
        return std::nullopt;
    return m_answers.take(id);
}

std::optional<QHash<domain::LockKey, domain::LockState>> TestClient::list(int timeoutMs,
                                                                          std::optional<qint64> atUs)
{
    m_list.clear();
    m_listed = false;
    m_listing = ++m_id;
    protocol::LocksQuery query;
    query.id = m_listing;
    query.atUs = atUs;
    client.send(query);
    if (!QTest::qWaitFor([this] { return m_listed || end; }, timeoutMs) || !m_listed)
        return std::nullopt;
    return m_list;
}

bool TestClient::waitForEvent(const std::function<bool(const events::LockEvent &)> &fits, int timeoutMs)
{
    return QTest::qWaitFor([&] { return std::any_of(events.cbegin(), events.cend(), fits); }, timeoutMs);
}

bool TestClient::saw(events::EventKind kind, const QByteArray &name, int timeoutMs)
{
    return QTest::qWaitFor([&] { return count(kind, name) > 0; }, timeoutMs);
}

qsizetype TestClient::count(events::EventKind kind, const QByteArray &name) const
{
    return std::count_if(events.cbegin(), events.cend(), [&](const events::LockEvent &e) {
        return e.kind == kind && (name.isEmpty() || e.key.name == name);
    });
}

events::LockEvent TestClient::last(events::EventKind kind) const
{
    const auto found = std::find_if(events.crbegin(), events.crend(),
                                    [kind](const events::LockEvent &e) { return e.kind == kind; });
    return found == events.crend() ? events::LockEvent() : *found;
}

domain::Outcome TestClient::breakLock(const domain::LockKey &key)
{
    protocol::Inspect inspect;
    inspect.key = key;
    const auto read = ask<protocol::Inspected>(inspect);
    if (!read || !read->present)
        return domain::Outcome::Unknown;
    protocol::ForceRelease release;
    release.ticket = read->ticket;
    return order(release, key);
}

domain::Outcome TestClient::breakHeldBy(const domain::LockKey &key, const QByteArray &holder)
{
    protocol::ForceRelease release;
    release.holder = holder;
    return order(release, key);
}

domain::Outcome TestClient::order(protocol::ForceRelease order, const domain::LockKey &key)
{
    order.command = QByteArray::number(++m_commands).rightJustified(32, 'b');
    order.key = key;
    order.because = domain::Because::Operator;
    order.reason = QStringLiteral("test");
    const auto result = ask<protocol::ReleaseResult>(order);
    return result ? result->outcome : domain::Outcome::Unknown;
}

void TestClient::received(const protocol::Message &message)
{
    if (const auto *page = std::get_if<protocol::SnapshotPage>(&message)) {
        take(*page);
    } else if (const auto *batch = std::get_if<protocol::EventBatch>(&message)) {
        take(*batch);
    } else if (const auto *states = std::get_if<protocol::StateBatch>(&message)) {
        take(*states);
    } else if (const auto *start = std::get_if<protocol::Subscribed>(&message)) {
        ++subscribed;
        if (start->fresh) {
            ++fresh;
            table = {};
            tableWhole = !m_withTable;
        } else if (table.seq != 0 && table.seq != start->fromSeq) {
            faults.append(QStringLiteral("resumed at another number than asked"));
        }
        table.seq = start->fromSeq;
    } else if (const quint64 id = agent::release::requestId(message)) {
        m_answers.insert(id, message);
    }
}

void TestClient::take(const protocol::SnapshotPage &page)
{
    for (const domain::LockState &state : page.locks)
        (page.id == m_subscription ? table.locks : m_list).insert(state.key, state);
    if (page.id == m_listing) {
        m_listed = page.last;
        return;
    }
    if (page.atSeq != table.seq)
        faults.append(QStringLiteral("a page of another number"));
    tableWhole = page.last;
    for (const domain::SourceState &source : page.sources)
        sources.insert(source.name, source);
}

void TestClient::take(const protocol::EventBatch &batch)
{
    for (const events::LockEvent &event : batch.events) {
        if (event.seq == 0) {
            renewals.append(event);
            continue;
        }
        if (!tableWhole && m_withTable && fresh > 0)
            faults.append(QStringLiteral("event %1 before its snapshot was whole").arg(event.seq));
        const events::Applied applied = events::apply(event, table);
        if (applied == events::Applied::Gap || applied == events::Applied::Duplicate)
            faults.append(QStringLiteral("event %1 at %2").arg(event.seq).arg(table.seq));
        events.append(event);
    }
}

void TestClient::take(const protocol::StateBatch &batch)
{
    unjournalled += batch.unjournalled;
    for (const domain::LockState &state : batch.locks) {
        if (batch.unjournalled)
            table.locks.insert(state.key, state);
        else
            events::applyUpdate(state, table);
    }
    for (const domain::LockKey &key : batch.removed)
        table.locks.remove(key);
    for (const domain::SourceState &source : batch.sources)
        sources.insert(source.name, source);
}

} // namespace lockkeeper::tests
