// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/filter/completion.h"
#include "app/filter/history_filter.h"
#include "app/filter/query.h"
#include "shared/base/text.h"
#include "tests/support/test_program.h"

#include <QtTest>

namespace tst_query {

using namespace lockkeeper;
using namespace lockkeeper::app::filter;
using lockkeeper::app::replica::Badge;
using lockkeeper::app::replica::LockContext;
using lockkeeper::app::replica::PackedLock;
using lockkeeper::app::replica::PackedLockTable;

namespace {

constexpr qint64 kNow = 1'795'000'000'000'000;
constexpr qint64 kSecond = 1'000'000;

/** The lock that most rows match against. */
domain::LockState subject()
{
    domain::LockState state;
    state.key = {QStringLiteral("orders-redis"), "redis.token", "db0", "lock:Orders:42"};
    state.phase = domain::Phase::Held;
    state.owner = "worker-3@10.0.0.7";
    state.acquiredUs = kNow - 600 * kSecond;
    state.expiry = domain::ExpiryKind::At;
    state.expiresUs = kNow + 25 * kSecond;
    state.ttlMs = 30'000;
    state.waitersVisible = true;
    state.waiters = {{"w9", kNow - 12 * kSecond, {}}, {"w10", kNow - 3 * kSecond, {}}};
    state.release = {domain::ReleaseSafety::Guarded, domain::ReleaseOff::None};
    return state;
}

LockContext context()
{
    LockContext context;
    context.nowUs = kNow;
    context.agent = QStringLiteral("dc1");
    return context;
}

} // namespace

class TestQuery : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void matchesLock_data();
    void matchesLock();
    void states_data();
    void states();
    void errors_data();
    void errors();
    void history_data();
    void history();
    void queuesWithoutNames();
    void pastedNames();
    void times_data();
    void times();
    void agentFilter_data();
    void agentFilter();
    void completion_data();
    void completion();
    void quoting_data();
    void quoting();
    void aLocksOwnFilter();
    void leavesFieldsOut_data();
    void leavesFieldsOut();
    void hostileNames();
};

void TestQuery::matchesLock_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("fits");
    const auto row = [](const char *text, bool fits) {
        QTest::newRow(text) << QString::fromUtf8(text) << fits;
    };
    row("", true);
    row("   ", true);
    row("orders", true);
    row("ORDERS", true);
    row("worker", true);
    row("payments", false);
    row("-payments", true);
    row("-orders", false);
    row("orders worker", true);
    row("orders payments", false);
    row("orders,payments", true);
    row("payments , orders", true);
    row("payments,invoices", false);
    row("-payments,invoices", true);
    row("-payments,orders", false);
    row("\"lock:orders\"", true);
    row("\"lock: orders\"", false);
    row("lock:orders", true);
    row("name:lock:*", true);
    row("name:lock:*:42", true);
    row("name:lock:*:43", false);
    row("name:orders*", false);
    row("name:*orders*", true);
    row("name:lock?orders?4?", true);
    row("name:lock?orders?4", false);
    row("name:\"*orders*\"", false);
    row("name:=lock:Orders:42", true);
    row("name:=lock:Orders:4", false);
    row("name:=lock:orders:42", false); // another lock
    row("name:=lock:Orders:4,lock:Orders:42", true);
    row("-name:=lock:Orders:4", true);
    row("source:=orders", false);
    row("source:=orders-redis", true);
    row("source:orders", true);
    row("source:orders,payments", true);
    row("source:payments", false);
    row("-source:payments", true);
    row("scheme:redis.token", true);
    row("place:db1", false);
    row("agent:dc1", true);
    row("holder:worker-3", true);
    row("owner:worker-3", true); // as in JSON
    row("waiter:w9", true);
    row("waiter:w11", false);
    row("waiters：2", true); // as input methods for Chinese write it
    row("source：orders，payments", true);
    row("source：payments", false);
    row("waiters＞2", false);
    row("waiters＞=2", true);
    row("payments，orders", true);
    row("name:“*orders*”", false);
    row("“lock:orders”", true);
    row("锁：orders", false); // a name: no field is spelled so
    row("waiters:2", true);
    row("waiters>2", false);
    row("waiters>=2", true);
    row("waiters<3", true);
    row("waiters<=1", false);
    row("wait>10s", true);
    row("wait>0s", true);
    row("wait>12s", false);
    row("wait>=12s", true);
    row("wait:none", false);
    row("held>9m", true);
    row("held<10m", false);
    row("held<=10m", true);
    row("ttl<30s", true);
    row("ttl<25s", false);
    row("ttl:none", false);
    row("-ttl:none", true);
    row("ttl>0", true);
    row("alive:unknown", true);
    row("alive:renewed,silent", false);
    row("release:guarded", true);
    row("release:unsafe", false);
    row("source:orders wait>0s", true);
    row("source:orders -state:contended", false);
    row("source:payments,waiters>1", true);
    row("State:Contended", true);
}

void TestQuery::matchesLock()
{
    QFETCH(QString, text);
    QFETCH(bool, fits);
    const auto query = parseQuery(text);
    QVERIFY2(query.has_value(), qPrintable(query ? QString() : query.error().word));
    QCOMPARE(matches(*query, subject(), context()), fits);
}

void TestQuery::states_data()
{
    QTest::addColumn<int>("kind");
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("fits");
    const auto row = [](int kind, const char *text, bool fits) {
        QTest::addRow("%d %s", kind, text) << kind << QString::fromLatin1(text) << fits;
    };
    row(0, "state:contended", true);
    row(0, "state:held", false);
    row(1, "state:stuck", true); // stuck, and with waiters
    row(1, "state:contended", true);
    row(1, "state:stuck,free", true);
    row(2, "state:free", true);
    row(2, "ttl:none", false);
    row(2, "held>0s", false);
    row(2, "holder:worker", false); // the last holder doesn't hold it
    row(3, "state:unknown", true);
    row(3, "state:held", false);
    row(4, "state:releasing", true);
    row(5, "ttl:none", true);
    row(5, "state:held", true);
    row(5, "wait:none", true);
    row(6, "state:expiring", true);
    row(7, "state:expired", true);
    row(7, "ttl<0", true);
}

void TestQuery::states()
{
    QFETCH(int, kind);
    QFETCH(QString, text);
    QFETCH(bool, fits);
    domain::LockState state = subject();
    LockContext now = context();
    if (kind == 1)
        state.stuck = domain::StuckReason::NoSignOfLife;
    if (kind >= 2)
        state.waiters.clear();
    if (kind == 2)
        state.phase = domain::Phase::Free;
    now.stale = kind == 3;
    now.releasing = kind == 4;
    if (kind == 5) {
        state.expiry = domain::ExpiryKind::None;
        state.expiresUs.reset();
    }
    if (kind == 6)
        state.expiresUs = kNow + kSecond;
    if (kind == 7) {
        state.phase = domain::Phase::Expired;
        state.expiresUs = kNow - kSecond;
    }
    QCOMPARE(matches(*parseQuery(text), state, now), fits);
}

void TestQuery::errors_data()
{
    using K = QueryError::Mistake;
    QTest::addColumn<QString>("text");
    QTest::addColumn<int>("kind");
    QTest::addColumn<int>("position");
    QTest::addColumn<int>("length");
    QTest::addColumn<QString>("word");
    QTest::addColumn<QString>("suggestion");
    const auto row = [](const char *text, K kind, int position, int length, const char *word,
                        const char *near) {
        QTest::newRow(text) << QString::fromUtf8(text) << int(kind) << position << length
                            << QString::fromUtf8(word) << QString::fromLatin1(near);
    };
    row("sorce:orders", K::UnknownField, 0, 5, "sorce", "source");
    row("a sorce:orders", K::UnknownField, 2, 5, "sorce", "source");
    row("a -hodler:x", K::UnknownField, 3, 6, "hodler", "holder");
    row("wai>1s", K::UnknownField, 0, 3, "wai", "waiter");
    row("zzzzz:1", K::UnknownField, 0, 5, "zzzzz", "");
    row("http://x", K::UnknownField, 0, 4, "http", "");
    row("event:stuck", K::UnknownField, 0, 5, "event", "");
    row("state:stuk", K::UnknownValue, 6, 4, "stuk", "stuck");
    row("state:held,expird", K::UnknownValue, 11, 6, "expird", "expired");
    row("release:save", K::UnknownValue, 8, 4, "save", "");
    row("alive:conected", K::UnknownValue, 6, 8, "conected", "connected");
    row("source:", K::MissingValue, 0, 7, "", "");
    row("x wait>", K::MissingValue, 2, 5, "", "");
    row("waiters>two", K::BadNumber, 8, 3, "two", "");
    row("waiters:-1", K::BadNumber, 8, 2, "-1", "");
    row("wait>10", K::BadDuration, 5, 2, "10", "");
    row("ttl<5parsecs", K::BadDuration, 4, 8, "5parsecs", "");
    row("held:10m", K::WrongOperator, 5, 3, "10m", "");
    row("source>orders", K::WrongOperator, 7, 6, "orders", "");
    row("ttl>none", K::WrongOperator, 4, 4, "none", "");
    row("a \"b c", K::OpenQuote, 2, 4, "\"b c", "");
    row("锁 sorce:x", K::UnknownField, 2, 5, "sorce", "source");
}

void TestQuery::errors()
{
    QFETCH(QString, text);
    const auto query = parseQuery(text);
    QVERIFY(!query.has_value());
    QTEST(int(query.error().kind), "kind");
    QTEST(int(query.error().position), "position");
    QTEST(int(query.error().length), "length");
    QTEST(query.error().word, "word");
    if (query.error().kind != QueryError::Mistake::UnknownValue ||
        query.error().word != QStringLiteral("save"))
        QTEST(query.error().suggestion, "suggestion");
}

void TestQuery::history_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<bool>("fits");
    const auto row = [](const char *text, bool fits) {
        QTest::newRow(text) << QString::fromLatin1(text) << fits;
    };
    row("event:taken_over", true);
    row("event:acquired,taken_over", true);
    row("-event:acquired", true);
    row("event:released", false);
    row("orders", true);
    row("holder:w2", true);
    row("waiter:w3", true);
    row("command:abc", true);
    row("ttl>20s", true);
    row("ttl:none", false);
    row("from:-15m", true);
    row("from:-1m", false);
    row("to:-1m", true);
    row("from:-10m to:-1m", true);
    row("agent:dc1 source:s", true);
}

void TestQuery::history()
{
    QFETCH(QString, text);
    QFETCH(bool, fits);
    events::LockEvent event;
    event.key = {QStringLiteral("s"), "redis.token", "db0", "lock:orders"};
    event.kind = events::EventKind::TakenOver;
    event.owner = "w2";
    event.waiter = QByteArray("w3");
    event.command = "abcdef";
    event.ttlMs = 30'000;
    event.timeUs = kNow - 5 * 60 * kSecond;
    const auto query = parseQuery(text, QueryScope::History, {kNow, QTimeZone::utc()});
    QVERIFY2(query.has_value(), qPrintable(query ? QString() : query.error().word));
    QCOMPARE(matches(*query, event, QStringLiteral("dc1")), fits);
    const auto wider = historyFilter(*query).query;
    if (fits) { // The filter that the agent receives is never narrower.
        if (!wider.lockGlob.isEmpty())
            QVERIFY(base::globMatches(wider.lockGlob, event.key.name));
        if (!wider.holderGlob.isEmpty())
            QVERIFY(base::globMatches(wider.holderGlob, event.owner));
        if (!wider.kinds.isEmpty())
            QVERIFY(wider.kinds.contains(event.kind));
        QVERIFY(event.timeUs >= wider.fromUs.value_or(0) && event.timeUs <= wider.toUs.value_or(kNow));
    }
}

/** For a long queue, the store reports only its length. */
void TestQuery::queuesWithoutNames()
{
    domain::LockState state;
    state.phase = domain::Phase::Held;
    state.waiting = 250;
    for (const char *text : {"state:contended", "waiters:250", "waiters>200"})
        QVERIFY2(app::filter::matches(*parseQuery(QString::fromLatin1(text)), state, {}), text);
    QVERIFY(!app::filter::matches(*parseQuery(QStringLiteral("waiters:0")), state, {}));
}

/** A colon within a name needs no quotes. */
void TestQuery::pastedNames()
{
    const domain::LockState lock = [] {
        domain::LockState state;
        state.key.name = "shop/payment:70310";
        return state;
    }();
    app::replica::PackedLockTable table;
    table.insert(app::replica::PackedLock(lock));
    const auto names = app::filter::beginsNameOf(table);
    for (const char *text : {"payment:70310", "Payment:7", "payment:*0", "payment:"}) {
        const auto query = parseQuery(QString::fromLatin1(text), QueryScope::Locks, {}, names);
        QVERIFY2(query.has_value(), text);
        QCOMPARE(query->clauses.first().first().field, app::filter::QueryField::Any);
        QCOMPARE(app::filter::matches(*query, lock, {}), QByteArray(text) != "payment:*0");
    }
    const auto none = parseQuery(QStringLiteral("-payment:70310"), QueryScope::Locks, {}, names);
    QVERIFY(none && !app::filter::matches(*none, lock, {}));
    for (const char *text : {"sorce:x", "ment:70310", "payment>7"}) // no word of a name begins so
        QVERIFY2(!parseQuery(QString::fromLatin1(text), QueryScope::Locks, {}, names), text);
}

void TestQuery::times_data()
{
    // kNow is 2026-11-18T10:26:40Z.
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("utc");
    const auto row = [](const char *text, const char *utc) {
        QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(utc);
    };
    row("-90s", "2026-11-18T11:05:10Z");
    row("02:40", "2026-11-18T00:40:00Z");
    row("23:59:30", "2026-11-17T21:59:30Z");
    row("2026-11-01", "2026-10-31T22:00:00Z");
    row("\"yesterday 22:00\"", "2026-11-17T20:00:00Z");
    row("yesterday", "2026-11-16T22:00:00Z");
    row("\"2026-11-01 08:00\"", "2026-11-01T06:00:00Z");
    row("\"yesterday noon\"", "");
    row("2026-11-01T08:00", "2026-11-01T06:00:00Z");
    row("2026-11-01T08:00:00Z", "2026-11-01T08:00:00Z");
    row("2026-11-01T08:00:00+01:00", "2026-11-01T07:00:00Z");
    row("25:00", "");
    row("soon", "");
    row("-soon", "");
}

void TestQuery::times()
{
    QFETCH(QString, text);
    QFETCH(QString, utc);
    const QueryClock clock{kNow, QTimeZone(2 * 3600)};
    const auto query = parseQuery(QStringLiteral("from:") + text, QueryScope::History, clock);
    QCOMPARE(query.has_value(), !utc.isEmpty());
    if (!query) {
        QCOMPARE(query.error().kind, QueryError::Mistake::BadTime);
        return;
    }
    const qint64 us = query->clauses.first().first().values.first().number;
    if (text != QStringLiteral("-90s"))
        QCOMPARE(QDateTime::fromMSecsSinceEpoch(us / 1000, Qt::UTC).toString(Qt::ISODate), utc);
    else
        QCOMPARE(us, kNow - 90 * kSecond);
}

void TestQuery::agentFilter_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QByteArray>("glob");
    QTest::addColumn<bool>("exact");
    QTest::newRow("name") << QStringLiteral("name:a1") << QByteArray("*[aA]1*") << true;
    QTest::newRow("pattern") << QStringLiteral("name:a*b") << QByteArray("[aA]*[bB]") << true;
    QTest::newRow("literal star") << QStringLiteral("name:\"*\"") << QByteArray("*[*]*") << true;
    QTest::newRow("exact pattern") << QStringLiteral("name:=a*1") << QByteArray("[aA]*1") << true;
    QTest::newRow("exact") << QStringLiteral("name:=\"a*1\"") << QByteArray("a[*]1") << true;
    QTest::newRow("one character") << QStringLiteral("name:a?") << QByteArray() << false;
    QTest::newRow("not") << QStringLiteral("-name:a") << QByteArray() << false;
    QTest::newRow("either") << QStringLiteral("name:a,b") << QByteArray() << false;
    QTest::newRow("bare") << QStringLiteral("a") << QByteArray() << false;
    QTest::newRow("brackets") << QStringLiteral("name:[x]") << QByteArray() << false;
}

void TestQuery::agentFilter()
{
    QFETCH(QString, text);
    const HistoryFilter filter = historyFilter(*parseQuery(text, QueryScope::History));
    QTEST(filter.query.lockGlob, "glob");
    QTEST(filter.exact, "exact");
}

void TestQuery::completion_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("first");
    QTest::addColumn<int>("count");
    QTest::addColumn<int>("position");
    QTest::newRow("field") << QStringLiteral("so") << QStringLiteral("source:") << -1 << 0;
    QTest::newRow("field after a word") << QStringLiteral("x so") << QStringLiteral("source:") << -1 << 2;
    QTest::newRow("negated field") << QStringLiteral("-so") << QStringLiteral("source:") << -1 << 1;
    QTest::newRow("values by frequency") << QStringLiteral("source:") << QStringLiteral("big") << 2 << 7;
    QTest::newRow("begun value") << QStringLiteral("source:sm") << QStringLiteral("\"small one\"") << 1 << 7;
    QTest::newRow("exact value") << QStringLiteral("source:=sm") << QStringLiteral("\"small one\"") << 1 << 8;
    QTest::newRow("after a comma") << QStringLiteral("source:big,") << QStringLiteral("big") << 2 << 11;
    QTest::newRow("state") << QStringLiteral("state:") << QStringLiteral("contended") << 3 << 6;
    QTest::newRow("name") << QStringLiteral("ord") << QStringLiteral("\"lock:Orders:42\"") << 3 << 0;
}

void TestQuery::completion()
{
    QFETCH(QString, text);
    app::replica::PackedLockTable table;
    for (const QString &source :
         {QStringLiteral("big"), QStringLiteral("big"), QStringLiteral("small one")}) {
        domain::LockState state = subject();
        state.key.source = source;
        state.key.place = QByteArray::number(table.size());
        table.insert(app::replica::PackedLock(state));
    }
    const auto found =
        complete(text, text.size(), QueryScope::Locks, table, [](const auto &) { return context(); });
    QVERIFY(!found.isEmpty());
    QTEST(found.first().text, "first");
    QTEST(int(found.first().count), "count");
    QTEST(int(found.first().position), "position");
    QCOMPARE(found.first().position + found.first().length, text.size());
}

void TestQuery::quoting_data()
{
    QTest::addColumn<QByteArray>("name");
    for (const char *name :
         {"plain", "lock:a", "a b", "a,b", "-x", "a*b", "a>b", "a\"b", "\"", "锁", "\"a\" b"})
        QTest::newRow(name) << QByteArray(name);
}

void TestQuery::quoting()
{
    QFETCH(QByteArray, name);
    domain::LockState state = subject();
    state.key.name = name;
    const auto query = parseQuery(QStringLiteral("name:") + quoteWord(QString::fromUtf8(name)));
    QVERIFY(query.has_value());
    QCOMPARE(query->clauses.size(), 1);
    QVERIFY(matches(*query, state, context()));
}

/** "Only this lock" excludes locks whose names contain this name, and locks of the same name elsewhere. */
void TestQuery::aLocksOwnFilter()
{
    for (const char *name : {"a", "lock:a", "a b", "A*b", "a\"b", "\\x", "\xff", "锁"}) {
        domain::LockState state = subject();
        state.key.name = name;
        const auto own = parseQuery(filterFor(state.key), QueryScope::History);
        QVERIFY2(own, name);
        QVERIFY2(matches(*own, state.key), name);
        for (const auto &change : {+[](domain::LockKey &key) { key.name += 'b'; },
                                   +[](domain::LockKey &key) { key.name.prepend('b'); },
                                   +[](domain::LockKey &key) { key.place += '0'; },
                                   +[](domain::LockKey &key) { key.source += QLatin1String("-2"); }}) {
            domain::LockKey other = state.key;
            change(other);
            QVERIFY2(!matches(*own, other), name);
        }
    }
}

void TestQuery::hostileNames()
{
    domain::LockState state = subject();
    state.key.name = QByteArray("\xff\xfe*\0", 4) + "evil";
    QVERIFY(matches(*parseQuery(QStringLiteral("evil")), state, context()));
    QVERIFY(matches(*parseQuery(QStringLiteral("\\xff")), state, context()));
    QVERIFY(matches(*parseQuery(QStringLiteral("name:???*evil")), state, context()));
    state.key.name = QByteArray(100'000, 'a');
    QVERIFY(!matches(*parseQuery(QStringLiteral("name:*a*a*a*a*b")), state, context()));
    const auto terms = parseQuery(QStringLiteral("name:a ").repeated(5'000));
    QVERIFY(terms.has_value());
}

void TestQuery::leavesFieldsOut_data()
{
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("rest");
    const auto row = [](const char *text, const char *rest) {
        QTest::newRow(text) << QString::fromLatin1(text) << QString::fromLatin1(rest);
    };
    row("from:-6h to:-5h", "");
    row("lock:a  FROM:-6h -to:-5h source:x", "lock:a source:x");
    row("from:-6h,-5h b", "b");
    row("name:\"from:x\" \"from:-1h\"", "name:\"from:x\" \"from:-1h\"");
    row("a,from:-6h", "a,from:-6h"); // an alternative isn't a range
    row("from:\"2026-11-20 02:40\" a, b", "a, b");
}

void TestQuery::leavesFieldsOut()
{
    QFETCH(QString, text);
    QTEST(withoutFields(text, QueryScope::Ranking, {QueryField::From, QueryField::To}), "rest");
}

LOCKKEEPER_TEST(TestQuery)

} // namespace tst_query

#include "tst_query.moc"
