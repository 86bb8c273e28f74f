// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/binlog/binlog_stream.h"
#include "shared/stores/sql/binlog/change_feed.h"
#include "shared/stores/sql/binlog/event_parts.h"
#include "shared/stores/sql/binlog/statement_text.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>
#include <QtEndian>

namespace tst_sql_log_reader {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::sql;
using namespace lockkeeper::stores::sql::binlog;

namespace {

constexpr qsizetype kMagic = 4;
constexpr qint64 kReceivedUs = 4'000'000'000'000'000;

/** A log file that a real server has written, event by event. */
QList<QByteArray> golden(const char *name)
{
    QFile file(qEnvironmentVariable("LOCKKEEPER_SOURCE") +
               QStringLiteral("/tests/data/binlog/%1.hex").arg(QLatin1String(name)));
    if (!file.open(QIODevice::ReadOnly))
        return {};
    const QByteArray bytes = QByteArray::fromHex(file.readAll());
    QList<QByteArray> events;
    for (qsizetype at = kMagic; at + 19 <= bytes.size();) {
        const auto size = qsizetype(qFromLittleEndian<quint32>(bytes.constData() + at + 9));
        events.append(bytes.mid(at, size));
        at += size;
    }
    return events;
}

ResolvedTable goldenTable(const char *database)
{
    ResolvedTable table;
    table.database = QLatin1String(database);
    table.name = QStringLiteral("shedlock");
    const auto column = [](const char *name, ColumnKind kind, int precision) {
        Column made;
        made.name = QLatin1String(name);
        made.kind = kind;
        made.precision = precision;
        return made;
    };
    table.names = {column("name", ColumnKind::Text, 0)};
    table.columns = {{"name", column("name", ColumnKind::Text, 0)},
                     {"expires_at", column("lock_until", ColumnKind::Timestamp, 3)},
                     {"acquired_at", column("locked_at", ColumnKind::DateTime, 6)},
                     {"holder", column("locked_by", ColumnKind::Text, 0)}};
    return table;
}

TableShape goldenShape(const char *database)
{
    TableShape shape{database, "shedlock", {}};
    for (const char *type :
         {"int", "varchar", "timestamp", "datetime", "varchar", "text", "enum", "decimal", "bit"})
        shape.columns.append({QLatin1String(type), {}});
    shape.columns[0].facts.isUnsigned = true;
    for (const int wanted : {1, 2, 3, 4})
        shape.columns[wanted].facts.wanted = true;
    return shape;
}

ChangeFeed feedOf(const char *database)
{
    const ResolvedTable table = goldenTable(database);
    const RowRules rules(table, SourceSpec(), LockSet(), Protocol::ShedLock);
    return ChangeFeed({watchedMapped(table, RowLayout::of(table), rules, 0, "*", {})}, {{1, 4, 3, 2}}, {0});
}

/** A column's value in an identity or a freshness. */
QByteArray valueIn(const QByteArray &encoded, const QByteArray &key)
{
    const auto values = decodedValues(encoded).value_or(QList<SeenValue>());
    for (const SeenValue &seen : values) {
        if (seen.key == key)
            return seen.value;
    }
    return {};
}

/** "name=owner@identity's time until", or "name-". */
QString print(const Change &change)
{
    const Observation &lock = change.lock;
    if (!lock.present)
        return QString::fromUtf8(lock.name) + QLatin1Char('-');
    const QByteArray owner =
        lock.owner.size() > 20 ? "x*" + QByteArray::number(lock.owner.size()) : lock.owner;
    return QString::fromUtf8(lock.name + '=' + (lock.ownerKnown ? owner : "NULL") + '@' +
                             valueIn(lock.identity, "acquired_at") + ' ' +
                             valueIn(lock.freshness, "expires_at"));
}

struct Told
{
    QStringList lines;
    bool ended = false;
    base::Error error;
    QList<qint64> windows;
};

Told follow(const QList<QByteArray> &events, const char *database)
{
    LogReader reader({goldenShape(database)});
    ChangeFeed feed = feedOf(database);
    Told told;
    LogPlace before;
    qsizetype next = 0;
    while (reader.isInside() || next < events.size()) {
        if (!reader.isInside())
            before = reader.place();
        auto item = reader.isInside() ? reader.readInner() : reader.read(events.at(next++));
        auto fed = item ? feed.take(*std::move(item), before, kReceivedUs)
                        : base::Result<Fed>(tl::unexpected(item.error()));
        if (!fed) {
            told.ended = true;
            told.error = fed.error();
            return told;
        }
        if (fed->kind == Fed::FeedEvent::Changes && !fed->changes.isEmpty()) {
            QStringList line;
            for (const Change &change : fed->changes) {
                line.append(print(change));
                told.windows.append(change.windowUs);
            }
            told.lines.append(line.join(QLatin1String(", ")));
        }
        if (fed->kind == Fed::FeedEvent::Altered)
            told.lines.append(QStringLiteral("altered"));
        if (fed->kind == Fed::FeedEvent::Blind)
            told.lines.append(QStringLiteral("blind"));
    }
    return told;
}

/** qUncompress() warns of each byte that is wrong. */
class Silence
{
public:
    Silence()
        : m_before(qInstallMessageHandler([](QtMsgType, const QMessageLogContext &, const QString &) {}))
    {
    }
    ~Silence() { qInstallMessageHandler(m_before); }
    Q_DISABLE_COPY_MOVE(Silence)

private:
    QtMessageHandler m_before;
};

/** Where the transaction begins that the event `i` belongs to: at its GTID, of MySQL (33, 34) or MariaDB. */
qsizetype transactionOf(const QList<QByteArray> &events, qsizetype i)
{
    const auto begins = [](quint8 type) { return type == 33 || type == 34 || type == 162; };
    while (i > 0 && !begins(quint8(events.at(i).at(4))))
        --i;
    return i;
}

/** The description of the file's format, which stands first, and the events [from, to). */
QList<QByteArray> excerpt(const QList<QByteArray> &events, qsizetype from, qsizetype to)
{
    return from > 0 ? events.first(1) + events.mid(from, to - from) : events.first(to);
}

QByteArray sealed(QByteArray event)
{
    const quint32 sum = checksum(QByteArrayView(event).chopped(4));
    qToLittleEndian(sum, event.data() + event.size() - 4);
    return event;
}

} // namespace

/** The binary log's events, decoded: files of real servers, and what no server would send. */
class SqlLogReaderTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void goldenFiles_data();
    void goldenFiles();
    void truncatedAnywhere_data() { goldenFiles_data(); }
    void truncatedAnywhere();
    void garbledAnywhere_data() { goldenFiles_data(); }
    void garbledAnywhere();
    void statements_data();
    void statements();
    void lostEventsAreSaid();
    void preparedOnesAreBounded();
    void positions();
    void placesBehind4GiB();
};

void SqlLogReaderTest::goldenFiles_data()
{
    QTest::addColumn<QByteArray>("database");
    QTest::addColumn<bool>("exact");
    QTest::newRow("mariadb") << QByteArray("app") << false;
    QTest::newRow("mysql") << QByteArray("lkgold") << true; // its log has the microsecond of each commit
    QTest::newRow("mariadb-compressed") << QByteArray("app") << false;
    QTest::newRow("mysql-compressed") << QByteArray("lkgold") << true;
}

void SqlLogReaderTest::goldenFiles()
{
    QFETCH(QByteArray, database);
    QFETCH(bool, exact);
    const QList<QByteArray> events = golden(QTest::currentDataTag());
    QVERIFY(events.size() > 10);
    const Told told = follow(events, database.constData());
    QVERIFY2(!told.ended, qPrintable(told.error.line()));
    const QStringList wanted{
        QStringLiteral("altered"),
        QStringLiteral("one=holder-1@2026-02-03 04:05:06.789012 2036-01-01 00:00:01.125"),
        QStringLiteral("one=holder-2@2026-02-03 04:05:06.789012 , two=NULL@ "),
        QStringLiteral("two=x*120@2026-02-03 04:05:06.000000 "),
        QStringLiteral("one-, two-"),
    };
    QCOMPARE(told.lines.join(QLatin1Char('\n')), wanted.join(QLatin1Char('\n')));
    for (const qint64 window : told.windows)
        QCOMPARE(window == 0, exact);
}

void SqlLogReaderTest::truncatedAnywhere()
{
    const Silence silence;
    QFETCH(QByteArray, database);
    const QList<QByteArray> events = golden(QTest::currentDataTag());
    QVERIFY(events.size() > 5);
    for (qsizetype i = 0; i < events.size(); ++i) {
        for (qsizetype size = 0; size < events.at(i).size(); ++size) {
            QList<QByteArray> cut = excerpt(events, transactionOf(events, i), i);
            QByteArray event = events.at(i).first(size);
            QVERIFY(follow(cut + QList<QByteArray>{event}, database.constData()).ended);
            // The same with a header that admits to it, and a checksum that fits.
            if (size >= 23) {
                qToLittleEndian(quint32(size), event.data() + 9);
                cut.append(sealed(event));
                follow(cut, database.constData()); // any result but a crash
            }
        }
    }
}

void SqlLogReaderTest::garbledAnywhere()
{
    QFETCH(QByteArray, database);
    const QList<QByteArray> events = golden(QTest::currentDataTag());
    QVERIFY(events.size() > 5);
    const Silence silence;
    int refused = 0;
    int flips = 0;
    for (qsizetype i = 1; i < events.size(); ++i) {
        const qsizetype from = transactionOf(events, i);
        const QList<QByteArray> around = excerpt(events, from, std::min(i + 6, events.size()));
        const qsizetype place = from > 0 ? i - from + 1 : i;
        for (qsizetype at = 0; at < events.at(i).size(); ++at) {
            for (const int bit : {0, 3, 7}) {
                QList<QByteArray> flipped = around;
                flipped[place][at] = char(events.at(i).at(at) ^ (1 << bit));
                const quint8 type = quint8(events.at(i).at(4));
                if (type != Rotate) { // the rotation at the end may be one without a checksum
                    ++flips;
                    refused += follow(flipped, database.constData()).ended;
                }
                if (at < events.at(i).size() - 4)
                    flipped[place] = sealed(flipped.at(place));
                follow(flipped, database.constData()); // any result but a crash
            }
        }
    }
    QCOMPARE(refused, flips);
}

void SqlLogReaderTest::statements_data()
{
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<QString>("means");
    const auto row = [](const char *text, const char *means) {
        QTest::newRow(text) << QByteArray(text) << QString::fromLatin1(means);
    };
    row("ALTER TABLE shedlock ADD x INT", "altered");
    row("/* app */ alter table `app`.`shedlock` DROP PARTITION p0", "altered blind");
    row("TRUNCATE shedlock", "altered blind");
    row("RENAME TABLE a TO shedlock", "altered blind");
    row("DROP DATABASE app", "altered blind");
    row("DROP DATABASE other", "");
    row("GRANT SELECT ON app.shedlock TO u", "");
    row("SET STATEMENT lock_wait_timeout = 5 FOR TRUNCATE shedlock", "altered blind");
    row("set\n statement lock_wait_timeout = 5 for truncate shedlock", "altered blind");
    row("SET PASSWORD FOR shedlock = 'x'", "");
    row("ALTER TABLE shedlock2 ADD x INT", "");
    row("ALTER TABLE my_shedlock ADD x INT", "");
    row("INSERT INTO shedlock VALUES (1)", "not by row");
    row("# note\nUPDATE app.Shedlock SET a = 1", "not by row");
    row("INSERT INTO something_else VALUES (1)",
        "not by row"); // in the same database: perhaps through a view
}

void SqlLogReaderTest::statements()
{
    QFETCH(QByteArray, text);
    QFETCH(QString, means);
    ChangeFeed feed = feedOf("app");
    LogItem item;
    item.kind = kindOfStatement(text);
    item.database = "app";
    item.text = text;
    const auto fed = feed.take(item, {}, kReceivedUs);
    QVERIFY(fed);
    const QString told = fed->kind == Fed::FeedEvent::NotByRow  ? QStringLiteral("not by row")
                         : fed->kind != Fed::FeedEvent::Altered ? QString()
                         : fed->alsoBlind                       ? QStringLiteral("altered blind")
                                                                : QStringLiteral("altered");
    QCOMPARE(told, means);
    QCOMPARE(StatementText("xa  commit").commitsPrepared(), false);
    QCOMPARE(StatementText("XA COMMIT X'61',X'',1 ONE PHASE").preparedXid(), plainXid("x'61',x'',1"));
}

/** LOST_EVENTS, as servers write it where their log couldn't be written. */
void SqlLogReaderTest::lostEventsAreSaid()
{
    const QList<QByteArray> events = golden("mariadb");
    QByteArray incident = events.constFirst().first(19) + QByteArray("\1\0\0", 3) + QByteArray(4, '\0');
    incident[4] = char(26);
    qToLittleEndian(quint32(incident.size()), incident.data() + 9);
    const Told told = follow({events.constFirst(), sealed(incident)}, "app");
    QVERIFY2(!told.ended, qPrintable(told.error.line()));
    QCOMPARE(told.lines, QStringList{QStringLiteral("blind")});
}

/** Prepared transactions are bounded as a whole, and each end frees its share. */
void SqlLogReaderTest::preparedOnesAreBounded()
{
    ChangeFeed feed = feedOf("app");
    const auto take = [&feed](LogItem::LogEvent kind, const QByteArray &text, QList<RowChange> rows = {}) {
        LogItem item;
        item.kind = kind;
        item.text = text;
        item.rows = std::move(rows);
        item.numbered = kind == LogItem::LogEvent::Begin;
        return feed.take(std::move(item), {}, kReceivedUs).value_or(Fed{});
    };
    const auto prepare = [&](const QByteArray &xid, qsizetype bytes) {
        RowChange row;
        row.after.resize(9);
        for (Cell &cell : row.after)
            cell.kind = Cell::CellType::Null;
        for (const auto &[at, value] : {std::pair(1, xid), std::pair(4, QByteArray(bytes, 'x'))}) {
            row.after[at].kind = Cell::CellType::Bytes;
            row.after[at].bytes = value;
        }
        take(LogItem::LogEvent::Begin, {});
        take(LogItem::LogEvent::Rows, {}, {row});
        take(LogItem::LogEvent::Prepare, "X'" + xid + "'");
    };
    const auto end = [&](const QByteArray &verb, const QByteArray &xid) {
        const Fed fed = take(LogItem::LogEvent::Statement, "XA " + verb + " X'" + xid + "'");
        return fed.kind == Fed::FeedEvent::Blind ? QStringLiteral("blind")
                                                 : QString::number(fed.changes.size());
    };
    prepare("aa", 12 << 20);
    prepare("bb", 12 << 20); // a row counts twice its bytes: the third is too much
    prepare("cc", 12 << 20);
    QCOMPARE(end("COMMIT", "cc"), QStringLiteral("blind"));
    QCOMPARE(end("ROLLBACK", "aa"), QStringLiteral("0"));
    prepare("dd", 12 << 20);
    QCOMPARE(end("COMMIT", "dd"), QStringLiteral("1"));
    QCOMPARE(end("COMMIT", "bb"), QStringLiteral("1"));
    QCOMPARE(end("COMMIT", "bb"), QStringLiteral("blind"));
    // Each transaction is followed by another with its name, as after a server was set back.
    for (int i = 0; i < 10; ++i)
        prepare("ee", 12 << 20);
    QCOMPARE(end("COMMIT", "ee"), QStringLiteral("1"));
}

void SqlLogReaderTest::positions()
{
    BinlogPosition position{"a|b:c", "0123", 7, 200, {"binlog.000012", 4711}};
    QCOMPARE(Position::decoded(position.encoded()), std::optional(position));
    for (const QByteArray &bad :
         {QByteArray(), QByteArray("binlog1|a|b|1|1|1|"), QByteArray("binlog2|a|b|1|1|1|f.1"),
          QByteArray("binlog1|a|b|x|1|1|f.1"), QByteArray("binlog1|a|b|1|1|-1|f.1")})
        QVERIFY(!Position::decoded(bad));
    QVERIFY((LogPlace{"b.000010", 4}).isAtLeast({"b.000009", 999}));
    QVERIFY(!(LogPlace{"b.999999", 4}).isAtLeast({"b.1000000", 4}));
    QVERIFY((LogPlace{"b.000009", 4}).isAtLeast({"b.000009", 4}));
}

/** A file grows until its transaction ends, but headers hold only 32 bits of the position. */
void SqlLogReaderTest::placesBehind4GiB()
{
    LogReader reader({});
    for (const quint32 end : {256U, 0x7000'0000U, 0xe000'0000U, 0xffff'fff0U, 0x20U, 0x10U}) {
        QByteArray event = golden("mariadb").constFirst();
        qToLittleEndian(end, event.data() + 13);
        QVERIFY(reader.read(sealed(event)));
        QCOMPARE(quint32(reader.place().offset), end);
    }
    QCOMPARE(reader.place().offset, 0x1'0000'0010ULL);
    BinlogStream stream; // asks for a place by 32 bits, too
    QCOMPARE(stream.dump(reader.place(), 1).error().code, base::ErrorCode::NotFound);
}

LOCKKEEPER_TEST(SqlLogReaderTest)

} // namespace tst_sql_log_reader

#include "tst_sql_log_reader.moc"
