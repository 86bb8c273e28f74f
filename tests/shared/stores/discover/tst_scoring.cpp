// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/roles.h"
#include "shared/stores/discover/scoring.h"
#include "shared/stores/discover/text_flags.h"
#include "shared/stores/discover/words.h"
#include "tests/shared/stores/discover/corpus.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_scoring {

using namespace lockkeeper;
using namespace lockkeeper::stores::discover;

namespace {

QString s(const char *text)
{
    return QString::fromLatin1(text);
}

QString reasonsOf(const Candidate &candidate)
{
    QStringList lines;
    for (const Reason &reason : candidate.reasons)
        lines.append(QStringLiteral("%1 %2 %3")
                         .arg(QString::fromLatin1(reasonName(reason.code).toByteArray()), reason.column,
                              QString::number(reason.points)));
    for (const Missing missing : candidate.missing)
        lines.append(QStringLiteral("missing ") + QString::fromLatin1(missingName(missing).toByteArray()));
    return QStringLiteral("%1 %2: ").arg(candidate.table).arg(candidate.score) +
           lines.join(QLatin1String("; "));
}

} // namespace

class TestScoring : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void words_data();
    void words();
    void corpusIsTold_data();
    void corpusIsTold();
    void corpusAsAWhole();
    void mapsAnyTable();
    void readsUnits_data();
    void readsUnits();
    void tellsWhatNothingTold();
    void seesZones();
    void seesRowsThatStay();
    void mapsSignsOfLife();
    void seesRowsGivenBack();
    void seesClocksOfClients();
    void tellsWhatHasNoIdentity();
    void theLongestTimeIsNoBeginning();
    void namesAloneNeedEvidence_data();
    void namesAloneNeedEvidence();
    void rowsThatNameNobodyStay();
    void brokersThatLockTheirRow();
    void defaultLeaseIsWritten();
    void wordsOfTextFlags_data();
    void wordsOfTextFlags();
    void sortsTheSameEachTime();
};

void TestScoring::words_data()
{
    QTest::addColumn<QString>("identifier");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *identifier, const char *expected) {
        QTest::newRow(identifier) << s(identifier) << s(expected);
    };
    row("locked_until", "locked until");
    row("lockedBy", "locked by");
    row("DATABASECHANGELOGLOCK", "database change log lock");
    row("LOCKGRANTED", "lock granted");
    row("methodLock", "method lock");
    row("IDOwner", "id owner");
    row("blocks", "blocks");
    row("padlock", "padlock");
    row("clock2", "clock");
    row("lock-key.2x", "lock key x");
    row("____", "");
    row("is_locked", "is locked");
}

void TestScoring::words()
{
    QFETCH(QString, identifier);
    QFETCH(QString, expected);
    QCOMPARE(wordsOf(identifier).join(QLatin1Char(' ')), expected);
}

void TestScoring::corpusIsTold_data()
{
    QTest::addColumn<int>("index");
    const auto tables = tests::corpus();
    for (int i = 0; i < tables.size(); ++i)
        QTest::addRow("%s %s", tables.at(i).isLock ? "+" : "-", qPrintable(tables.at(i).facts.name)) << i;
}

void TestScoring::corpusIsTold()
{
    QFETCH(int, index);
    const tests::CorpusTable table = tests::corpus().at(index);
    const Candidate candidate = judge(table.facts, layoutsAmong(knownLayouts(), {table.facts.name}));
    QVERIFY2(candidate.isProposed() == table.isLock, qPrintable(reasonsOf(candidate)));
    QVERIFY(candidate.reasons.size() + candidate.missing.size() > 0);
    if (!table.isLock)
        return;
    if (!table.scheme.isEmpty())
        QVERIFY2(candidate.scheme == table.scheme, candidate.scheme.constData());
    if (!table.preset.isEmpty())
        QCOMPARE(candidate.preset, table.preset);
    for (const MappedColumn &mapped : mappedColumns(candidate.mapping))
        QVERIFY2(table.facts.column(mapped.column), qPrintable(mapped.column));
}

/** Precision and recall over the corpus, under the presets and with renamed tables. */
void TestScoring::corpusAsAWhole()
{
    int found = 0, right = 0, locks = 0;
    const auto tables = tests::corpus();
    for (const tests::CorpusTable &table : tables) {
        const bool proposed =
            judge(table.facts, layoutsAmong(knownLayouts(), {table.facts.name})).isProposed();
        found += proposed;
        right += proposed && table.isLock;
        locks += table.isLock;
    }
    QVERIFY(tables.size() >= 80);
    qInfo("%lld tables, %d of locks: precision %.3f, recall %.3f", qint64(tables.size()), locks,
          double(right) / found, double(right) / locks);
    QCOMPARE(right, found);
    QCOMPARE(right, locks);
}

void TestScoring::mapsAnyTable()
{
    TableFacts table;
    table.name = s("job_locks");
    table.columns = {{s("resource"), s("varchar(190)"), ValueKind::Text, false, false},
                     {s("owner"), s("varchar(190)"), ValueKind::Text, false, false},
                     {s("locked_until"), s("datetime"), ValueKind::Calendar, false, false}};
    table.keys = {{s("resource")}};
    const Candidate candidate = judge(table, {});
    QVERIFY(candidate.isProposed());
    QCOMPARE(candidate.scheme, QByteArray("sql.insert"));
    QCOMPARE(candidate.mapping.name, QStringList{s("resource")});
    QCOMPARE(candidate.mapping.holder, s("owner"));
    QCOMPARE(candidate.mapping.expiresAt, s("locked_until"));
    QCOMPARE(columnsToSample(table, candidate), QStringList{s("locked_until")});
    table.keys.clear();
    const Candidate without = judge(table, {});
    QVERIFY(!without.isProposed());
    QCOMPARE(without.missing, QList<Missing>{Missing::UniqueName});
    QVERIFY(without.score >= kNear);
}

namespace {
constexpr qint64 kNowUs = 1'795'000'000'000'000;

TableFacts epochTable(ValueKind kind = ValueKind::Integer)
{
    TableFacts table;
    table.name = s("job_locks");
    table.columns = {{s("lock_name"), s("varchar(190)"), ValueKind::Text, false, false},
                     {s("owner"), s("varchar(190)"), ValueKind::Text, true, false},
                     {s("locked_at"), s("bigint"), kind, true, false},
                     {s("expires_at"), s("bigint"), kind, true, false}};
    table.keys = {{s("lock_name")}};
    return table;
}

bool has(const Candidate &candidate, ReasonCode code, const QString &value)
{
    for (const Reason &reason : candidate.reasons) {
        if (reason.code == code && reason.value == value)
            return true;
    }
    return false;
}
} // namespace

void TestScoring::readsUnits_data()
{
    QTest::addColumn<qint64>("value");
    QTest::addColumn<QString>("unit");
    QTest::newRow("seconds") << qint64(1'795'000'100) << s("epoch_s");
    QTest::newRow("milliseconds") << qint64(1'795'000'100'000) << s("epoch_ms");
    QTest::newRow("microseconds") << qint64(1'795'000'100'000'000) << s("epoch_us");
}

void TestScoring::readsUnits()
{
    QFETCH(qint64, value);
    QFETCH(QString, unit);
    const TableFacts table = epochTable();
    Candidate candidate = judge(table, {});
    TableSample sample;
    sample.nowUs = kNowUs;
    sample.rows = 3;
    sample.numbers.insert(s("expires_at"), {value, value + 5, 0});
    refine(candidate, table, sample);
    QVERIFY(has(candidate, ReasonCode::UnitSeen, unit));
    // Seconds are what an integer is taken for anyhow.
    QCOMPARE(candidate.mapping.units.value(s("expires_at"), s("epoch_s")), unit);
    QVERIFY(has(candidate, ReasonCode::UnitAssumed, s("epoch_s"))); // of locked_at, without values
}

void TestScoring::tellsWhatNothingTold()
{
    const TableFacts table = epochTable();
    Candidate candidate = judge(table, {});
    TableSample mixed;
    mixed.nowUs = kNowUs;
    mixed.rows = 2;
    mixed.numbers.insert(s("expires_at"), {1'795'000'100, 1'795'000'100'000});
    refine(candidate, table, mixed);
    QVERIFY(candidate.mapping.units.isEmpty());
    QVERIFY(has(candidate, ReasonCode::UnitAssumed, s("epoch_s")));
}

void TestScoring::seesZones()
{
    const TableFacts table = epochTable(ValueKind::Calendar);
    Candidate candidate = judge(table, {});
    TableSample sample;
    sample.nowUs = kNowUs;
    sample.rows = 1;
    refine(candidate, table, sample);
    QVERIFY(has(candidate, ReasonCode::ZoneAssumed, {}));
    candidate = judge(table, {});
    sample.timesUs.insert(s("locked_at"), {kNowUs + 8 * 3'600'000'000LL - 4'000'000});
    refine(candidate, table, sample);
    QVERIFY(has(candidate, ReasonCode::ZoneAhead, s("+08:00")));
}

void TestScoring::seesRowsThatStay()
{
    const TableFacts table = epochTable(ValueKind::Instant);
    TableSample sample;
    sample.nowUs = kNowUs;
    sample.rows = 3;
    sample.timesUs.insert(s("expires_at"), {kNowUs - 86'400'000'000LL, kNowUs - 7'200'000'000LL, kNowUs + 9});
    Candidate candidate = judge(table, {});
    QVERIFY(has(candidate, ReasonCode::RowsGo, {}));
    refine(candidate, table, sample);
    QVERIFY(has(candidate, ReasonCode::RowsStay, {}));
    QVERIFY(!has(candidate, ReasonCode::RowsGo, {}));
}

namespace {
TableFacts tableNamed(const char *name)
{
    for (const tests::CorpusTable &table : tests::corpus()) {
        if (table.facts.name == s(name))
            return table.facts;
    }
    qFatal("no table %s", name);
}
} // namespace

/** A version that grows is written into the configuration: by it a lock without an expiry isn't stuck. */
void TestScoring::mapsSignsOfLife()
{
    QCOMPARE(judge(tableNamed("worker_locks"), {}).config.version, s("record_version"));
    TableFacts flags = tableNamed("import_lock");
    flags.columns.append({s("version"), s("bigint"), ValueKind::Integer, false, false});
    const Candidate lease = judge(flags, {});
    QCOMPARE(lease.scheme, QByteArray("sql.lease"));
    QCOMPARE(lease.config.version, s("version"));
    QVERIFY(judge(tableNamed("job_locks"), {}).config.version.isEmpty());
}

/** Only the rows distinguish an inserted row from a lease: a row that was set back to 1970 is a lease. */
void TestScoring::seesRowsGivenBack()
{
    const TableFacts table = tableNamed("distribute_lock");
    Candidate candidate = judge(table, knownLayouts());
    QCOMPARE(candidate.preset, s("distribute-lock"));
    QVERIFY(has(candidate, ReasonCode::AlsoPreset, s("distribute-lock-lease")));
    TableSample sample;
    sample.nowUs = kNowUs;
    sample.rows = 2;
    sample.timesUs.insert(s("create_time"), {kNowUs - 9'000'000});
    refine(candidate, table, sample);
    QCOMPARE(candidate.preset, s("distribute-lock"));
    sample.timesUs.insert(s("create_time"), {kNowUs - 9'000'000, 1'000'000});
    refine(candidate, table, sample);
    QCOMPARE(candidate.preset, s("distribute-lock-lease"));
    QCOMPARE(candidate.scheme, QByteArray("sql.lease"));
    QVERIFY(!has(candidate, ReasonCode::AlsoPreset, s("distribute-lock-lease")));
    // An application's own table.
    const TableFacts own = epochTable(ValueKind::Instant);
    candidate = judge(own, {});
    QCOMPARE(candidate.scheme, QByteArray("sql.insert"));
    TableSample free;
    free.nowUs = kNowUs;
    free.rows = 1;
    free.timesUs.insert(s("locked_at"), {1'000'000});
    refine(candidate, own, free);
    QCOMPARE(candidate.scheme, QByteArray("sql.lease"));
    QVERIFY(has(candidate, ReasonCode::GivenBack, {}));
}

void TestScoring::seesClocksOfClients()
{
    for (const ValueKind kind : {ValueKind::Instant, ValueKind::Calendar}) {
        const TableFacts table = epochTable(kind);
        Candidate candidate = judge(table, {});
        TableSample sample;
        sample.nowUs = kNowUs;
        sample.rows = 1;
        sample.timesUs.insert(s("locked_at"), {kNowUs + 1'000'000});
        refine(candidate, table, sample);
        QVERIFY2(!has(candidate, ReasonCode::ClientClock, s("1s")), qPrintable(reasonsOf(candidate)));
        sample.timesUs.insert(s("locked_at"), {kNowUs + 40'500'000});
        refine(candidate, table, sample);
        QVERIFY2(has(candidate, ReasonCode::ClientClock, s("40s")), qPrintable(reasonsOf(candidate)));
    }
}

void TestScoring::tellsWhatHasNoIdentity()
{
    for (const char *table : {"knex_migrations_lock", "t_lock", "oc_file_locks"})
        QVERIFY2(has(judge(tableNamed(table), knownLayouts()), ReasonCode::NoIdentity, {}), table);
    const Candidate shedlock = judge(tableNamed("shedlock"), knownLayouts());
    QVERIFY(!has(shedlock, ReasonCode::NoIdentity, {}));
    QVERIFY(has(shedlock, ReasonCode::NotTold, s("waiters")));
}

void TestScoring::theLongestTimeIsNoBeginning()
{
    TableFacts table;
    table.name = s("sched_lock");
    table.columns = {{s("lock_name"), s("varchar(190)"), ValueKind::Text, false, false},
                     {s("ownerip"), s("varchar(190)"), ValueKind::Text, true, false},
                     {s("max_lock_time"), s("bigint"), ValueKind::Integer, true, false},
                     {s("gmt_create"), s("datetime"), ValueKind::Calendar, true, false}};
    table.keys = {{s("lock_name")}};
    const Candidate candidate = judge(table, {});
    QVERIFY2(candidate.isProposed(), qPrintable(reasonsOf(candidate)));
    QCOMPARE(candidate.mapping.holder, s("ownerip"));
    QCOMPARE(candidate.mapping.timeout, s("max_lock_time"));
    QCOMPARE(candidate.mapping.acquiredAt, s("gmt_create"));
}

void TestScoring::namesAloneNeedEvidence_data()
{
    QTest::addColumn<bool>("created"); ///< with the time at which the row was made
    QTest::addColumn<qint64>("ageUs");
    QTest::addColumn<bool>("comeAndGo");
    QTest::addColumn<QByteArray>("scheme");
    const qint64 day = 86'400'000'000;
    QTest::newRow("names that stay") << false << qint64(0) << false << QByteArray("sql.row");
    QTest::newRow("names that come and go") << false << qint64(0) << true << QByteArray("sql.insert");
    QTest::newRow("made long ago") << true << day << false << QByteArray("sql.row");
    QTest::newRow("made long ago, others deleted") << true << day << true << QByteArray("sql.insert");
    QTest::newRow("made just now") << true << qint64(5'000'000) << false << QByteArray("sql.insert");
}

/** The row of an anchor always exists, and every lock needs it. It may not look like a held lock. */
void TestScoring::namesAloneNeedEvidence()
{
    QFETCH(bool, created);
    QFETCH(qint64, ageUs);
    QFETCH(bool, comeAndGo);
    QFETCH(QByteArray, scheme);
    TableFacts table;
    table.name = s("app_lock");
    table.columns = {{s("lock_name"), s("varchar(50)"), ValueKind::Text, false, false}};
    if (created)
        table.columns.append({s("create_time"), s("datetime"), ValueKind::Calendar, true, false});
    table.keys = {{s("lock_name")}};
    Candidate candidate = judge(table, knownLayouts());
    TableSample sample;
    sample.nowUs = kNowUs;
    sample.rows = 1;
    sample.comeAndGo = comeAndGo;
    if (created)
        sample.timesUs.insert(s("create_time"), {kNowUs - ageUs});
    refine(candidate, table, sample);
    QVERIFY2(candidate.isProposed(), qPrintable(reasonsOf(candidate)));
    QCOMPARE(candidate.scheme, scheme);
    const bool anchor = scheme == "sql.row";
    QCOMPARE(has(candidate, ReasonCode::RowLocks, kAnchor), anchor);
    QCOMPARE(has(candidate, ReasonCode::RowsGo, {}), !anchor);
    QCOMPARE(candidate.config.name.isEmpty(), anchor);
    QCOMPARE(candidate.config.table, table.name);
}

void TestScoring::rowsThatNameNobodyStay()
{
    const TableFacts table = epochTable(ValueKind::Instant);
    Candidate candidate = judge(table, {});
    QCOMPARE(candidate.scheme, QByteArray("sql.insert"));
    TableSample sample;
    sample.nowUs = kNowUs;
    sample.rows = 3;
    sample.withoutHolder = 1;
    sample.idle = 1;
    sample.timesUs.insert(s("expires_at"), {kNowUs + 9, kNowUs + 10});
    refine(candidate, table, sample);
    QCOMPARE(candidate.scheme, QByteArray("sql.lease"));
    QVERIFY(has(candidate, ReasonCode::RowsStay, kEmptyWhenFree));
}

/** One table, two clients: a lease names its broker, a locked row names no holder. */
void TestScoring::brokersThatLockTheirRow()
{
    const TableFacts table = tableNamed("ACTIVEMQ_LOCK");
    TableSample sample;
    sample.nowUs = kNowUs;
    sample.rows = 1;
    Candidate lease = judge(table, knownLayouts());
    QVERIFY(has(lease, ReasonCode::AlsoPreset, s("activemq-row")));
    refine(lease, table, sample);
    QCOMPARE(lease.preset, s("activemq"));
    QVERIFY(lease.neverBroken);
    sample.withoutHolder = sample.idle = 1;
    Candidate row = judge(table, knownLayouts());
    refine(row, table, sample);
    QCOMPARE(row.preset, s("activemq-row"));
    QCOMPARE(row.scheme, QByteArray("sql.row"));
    QVERIFY(!row.neverBroken && row.config.holder.isEmpty());
}

void TestScoring::defaultLeaseIsWritten()
{
    const Candidate candidate = judge(tableNamed("scheduled_tasks"), knownLayouts());
    QVERIFY(candidate.neverBroken);
    QCOMPARE(candidate.config.leaseUs.value_or(0), qint64(1'800'000'000));
    QVERIFY(has(candidate, ReasonCode::Timeout, s("30m")));
}

void TestScoring::sortsTheSameEachTime()
{
    QList<Candidate> all;
    QStringList names; // a database has each name once
    for (const tests::CorpusTable &table : tests::corpus()) {
        if (names.contains(table.facts.name))
            continue;
        names.append(table.facts.name);
        all.append(judge(table.facts, knownLayouts()));
    }
    Discovery one;
    sortInto(one, all);
    std::reverse(all.begin(), all.end());
    Discovery other;
    sortInto(other, all);
    QCOMPARE(one.found, other.found);
    QCOMPARE(one.near, other.near);
    QCOMPARE(one.found.size() + one.near.size() + one.rest.size(), all.size());
    for (const Candidate &near : std::as_const(one.near))
        if (near.missing.isEmpty())
            QVERIFY2(near.score < kProposed, qPrintable(reasonsOf(near)));
}

void TestScoring::wordsOfTextFlags_data()
{
    QTest::addColumn<QString>("column");
    QTest::addColumn<QString>("type");
    QTest::addColumn<QStringList>("seen");
    QTest::addColumn<QString>("expected"); ///< the held and the free value, or part of the refusal
    const auto row = [](const char *name, const char *column, const char *type, const QStringList &seen,
                        const char *expected) {
        QTest::newRow(name) << s(column) << s(type) << seen << s(expected);
    };
    row("Y of Y and N", "locked", "char(1)", {s("Y")}, "Y/N");
    row("N of Y and N", "locked", "char(1)", {s("N")}, "Y/N");
    row("small letters", "is_locked", "varchar(5)", {s("false")}, "true/false");
    row("a capital", "locked", "varchar(5)", {s("Yes")}, "Yes/No");
    row("both words", "state", "varchar(10)", {s("FREE"), s("LOCKED")}, "LOCKED/FREE");
    row("the type tells both", "status", "enum('Locked','Unlocked')", {}, "Locked/Unlocked");
    row("one of words that have several opposites", "state", "varchar(10)", {s("LOCKED")},
        "its values are \"LOCKED\"");
    row("a third word", "state", "enum('FREE','HELD','STALE')", {s("HELD")},
        "its values are \"FREE\", \"HELD\", \"STALE\"");
    row("two spellings", "state", "varchar(10)", {s("free"), s("HELD"), s("held")}, "its values are unknown");
    row("NULL", "locked", "char(1)", {s("Y"), QString()}, "its values are unknown");
    row("no row", "locked", "char(1)", {}, "its values are unknown");
    row("a table of one lock", "locked", "char(1)", {s("Y")}, "Y/N");
}

void TestScoring::wordsOfTextFlags()
{
    QFETCH(QString, column);
    QFETCH(QString, type);
    QFETCH(QStringList, seen);
    QFETCH(QString, expected);
    TableFacts table;
    table.name = s("job_lock");
    table.columns = {{s("name"), s("varchar(20)"), ValueKind::Text, false, false},
                     {column, type, ValueKind::Text, true, false},
                     {s("taken_by"), s("varchar(20)"), ValueKind::Text, true, false},
                     {s("taken_at"), s("datetime"), ValueKind::Calendar, true, false}};
    table.keys = {{s("name")}};
    if (QTest::currentDataTag() == QByteArray("a table of one lock"))
        table.columns[0] = {s("id"), s("int"), ValueKind::Integer, false, false};
    Candidate candidate = judge(table, {});
    QVERIFY(!candidate.isProposed() && awaitsFlagWords(candidate));
    TableSample sample;
    sample.nowUs = kNowUs;
    sample.rows = int(seen.size());
    sample.flags = seen;
    readFlagWords(candidate, table, sample);
    refine(candidate, table, sample);
    QCOMPARE(candidate.scheme, QByteArray("sql.lease"));
    QCOMPARE(candidate.config.status, column);
    if (candidate.isProposed())
        QCOMPARE(candidate.config.heldValue + QLatin1Char('/') + candidate.config.freeValue, expected);
    else
        QVERIFY2(candidate.refusal.cause.contains(expected), qPrintable(candidate.refusal.cause));
    QCOMPARE(candidate.isProposed(), expected.contains(QLatin1Char('/')));
    if (!candidate.isProposed())
        QVERIFY(candidate.refusal.remedy.contains(s("held_value")));
}

LOCKKEEPER_TEST(TestScoring)

} // namespace tst_scoring

#include "tst_scoring.moc"
