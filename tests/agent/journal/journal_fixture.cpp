// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/journal/journal_fixture.h"

#include <QSqlError>
#include <QSqlQuery>

namespace lockkeeper::tests {

using agent::journal::Journal;
using agent::journal::Queries;

domain::LockState heldState(const QByteArray &name, const QByteArray &owner, qint64 acquiredUs)
{
    domain::LockState state;
    state.key = {QStringLiteral("orders"), "redis.token", "db0", name};
    state.phase = domain::Phase::Held;
    state.owner = owner;
    state.token = owner;
    state.acquiredUs = acquiredUs;
    state.acquiredBy = domain::Evidence::Observation;
    state.expiry = domain::ExpiryKind::At;
    state.expiresUs = acquiredUs + 30'000'000;
    state.ttlMs = 30'000;
    state.guard = QByteArray(64, 'a');
    state.seenUs = acquiredUs + 5;
    return state;
}

events::LockEvent lockEvent(events::EventKind kind, const QByteArray &name, const QByteArray &owner,
                            qint64 timeUs)
{
    events::LockEvent event;
    event.key = {QStringLiteral("orders"), "redis.token", "db0", name};
    event.store = "redis";
    event.kind = kind;
    event.owner = owner;
    event.timeUs = timeUs;
    event.observedUs = timeUs + 5;
    if (kind == events::EventKind::Acquired || kind == events::EventKind::TakenOver ||
        kind == events::EventKind::Stuck) {
        event.after = heldState(name, owner, timeUs);
        event.ttlMs = 30'000;
        event.expiresUs = timeUs + 30'000'000;
    }
    return event;
}

events::LockEvent waitEvent(events::EventKind kind, const QByteArray &name, const QByteArray &waiter,
                            qint64 timeUs, std::optional<qint64> sinceUs)
{
    events::LockEvent event = lockEvent(kind, name, "w1", timeUs);
    event.waiter = waiter;
    event.after = heldState(name, "w1", 100);
    event.after->waitersVisible = true;
    if (sinceUs)
        event.detail.sinceUs = *sinceUs;
    return event;
}

events::LockEvent sourceEvent(events::EventKind kind, qint64 timeUs, const QString &source)
{
    events::LockEvent event;
    event.key.source = source;
    event.store = "redis";
    event.kind = kind;
    event.timeUs = timeUs;
    event.observedUs = timeUs;
    event.ownerKnown = false;
    return event;
}

QStringList textOf(const QList<events::LockEvent> &events)
{
    QStringList lines;
    for (const events::LockEvent &event : events) {
        lines += QStringLiteral("%1 %2 %3/%4 @%5")
                     .arg(event.seq)
                     .arg(QString::fromLatin1(events::kindName(event.kind).toByteArray()),
                          QString::fromUtf8(event.key.name), QString::fromUtf8(event.owner))
                     .arg(event.timeUs);
    }
    return lines;
}

QStringList textOf(const QList<protocol::Hold> &holds)
{
    QStringList lines;
    for (const protocol::Hold &hold : holds) {
        lines += QStringLiteral("%1 %2 %3-%4 %5")
                     .arg(QString::fromUtf8(hold.key.name), QString::fromUtf8(hold.owner))
                     .arg(hold.fromUs)
                     .arg(hold.toUs ? QString::number(*hold.toUs) : QString(), QString::fromLatin1(hold.end));
    }
    return lines;
}

domain::AuditEntry intentOf(const QByteArray &command)
{
    domain::AuditEntry intent;
    intent.timeUs = 1'000;
    intent.who = QStringLiteral("ada");
    intent.role = QStringLiteral("operator");
    intent.key = {QStringLiteral("orders"), "redis.token", "db0", "lock:a"};
    intent.holder = "w1";
    intent.reason = QStringLiteral("the worker is gone");
    intent.guard = QByteArray(64, 'b');
    intent.command = command;
    return intent;
}

JournalFixture::JournalFixture()
{
    options.path = path();
}

base::Result<agent::journal::Opened> JournalFixture::open()
{
    journal.reset();
    committed.clear();
    journal = std::make_unique<Journal>(clock);
    QObject::connect(journal.get(), &Journal::committed, journal.get(),
                     [this](const QList<events::LockEvent> &events) { committed += events; });
    QObject::connect(journal.get(), &Journal::failed, journal.get(),
                     [this](const base::Error &error) { failures += error; });
    QObject::connect(journal.get(), &Journal::recovered, journal.get(), [this] { ++recoveries; });
    return journal->open(options);
}

void JournalFixture::commit(const QList<events::LockEvent> &events,
                            const QList<agent::journal::Progress> &progress)
{
    const qsizetype before = committed.size();
    journal->append(events, progress);
    const qsizetype after = before + events.size();
    QVERIFY(QTest::qWaitFor([this, after] { return committed.size() >= after; }, 20'000));
    QCOMPARE(committed.size(), after);
}

QVariant JournalFixture::sqlIn(const QString &file, const QString &statement)
{
    const QString name = QStringLiteral("journal-test");
    QVariant value;
    {
        QSqlDatabase db = QSqlDatabase::addDatabase(QStringLiteral("QSQLITE"), name);
        db.setDatabaseName(file);
        QSqlQuery query;
        if (db.open()) {
            query = QSqlQuery(db);
            if (!query.exec(statement))
                qWarning() << statement << query.lastError().text();
            else if (query.next())
                value = query.value(0);
        }
    }
    QSqlDatabase::removeDatabase(name);
    return value;
}

void JournalFixture::roll()
{
    (void)history({}); // all is filed
    const quint64 seq = journal->lastSeq();
    const qint64 untilUs =
        sql(QStringLiteral("SELECT max(t) FROM (SELECT max(to_us) AS t FROM holds UNION ALL "
                           "SELECT max(to_us) FROM waits)"))
            .toLongLong();
    journal->setRetention(options.keepDays, ++options.keepMib,
                          options.keepRollupsDays); // a changed setting begins a round
    const auto has = [this](const char *key, qint64 value) {
        return sql(QStringLiteral("SELECT CAST(value AS TEXT) FROM meta WHERE CAST(key AS TEXT) = '%1'")
                       .arg(QLatin1String(key)))
                   .toLongLong() >= value;
    };
    QVERIFY(QTest::qWaitFor(
        [&] {
            return has("rollup_seq", qint64(seq)) &&
                   has("rollup_until_us", std::min(untilUs, clock.wallUs()) + 1);
        },
        60'000));
}

protocol::EventPage JournalFixture::history(const protocol::HistoryQuery &query)
{
    return ask([query](Queries &queries) { return queries.events.history(query); });
}

protocol::EventPage JournalFixture::replay(quint64 after, int limit)
{
    return ask([after, limit](Queries &queries) { return queries.events.replay(after, limit); });
}

QList<protocol::Hold> JournalFixture::holds(const protocol::HoldsQuery &query)
{
    return ask([query](Queries &queries) { return queries.holds.holds(query); }).holds;
}

protocol::AuditPage JournalFixture::audit(const protocol::AuditQuery &query)
{
    return ask([query](Queries &queries) { return queries.audit.audit(query); });
}

base::Result<agent::journal::ReleaseIntent> JournalFixture::begin(const domain::AuditEntry &intent)
{
    std::optional<base::Result<agent::journal::ReleaseIntent>> answer;
    journal->writeIntent(
        intent, [&](base::Result<agent::journal::ReleaseIntent> result) { answer = std::move(result); });
    await(answer);
    return answer.value_or(base::failure(base::ErrorCode::Timeout, QStringLiteral("no answer")));
}

base::Result<void> JournalFixture::decide(qint64 id, const QString &approver, domain::Outcome outcome)
{
    std::optional<base::Result<void>> answer;
    journal->writeDecision(id, approver, outcome, QStringLiteral("word"),
                           [&](base::Result<void> result) { answer = result; });
    await(answer);
    return answer.value_or(base::failure(base::ErrorCode::Timeout, QStringLiteral("no answer")));
}

base::Result<void> JournalFixture::end(qint64 id, domain::Outcome outcome)
{
    std::optional<base::Result<void>> answer;
    journal->writeOutcome(id, outcome, QStringLiteral("detail"),
                          [&](base::Result<void> result) { answer = result; });
    await(answer);
    return answer.value_or(base::failure(base::ErrorCode::Timeout, QStringLiteral("no answer")));
}

} // namespace lockkeeper::tests
