// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/sql/binlog/change_feed.h"
#include "shared/stores/sql/binlog/event_parts.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTest>
#include <QtEndian>

#include <algorithm>
#include <sys/resource.h>
#include <zstd.h>

namespace tst_sql_payload {

using namespace lockkeeper;
using namespace lockkeeper::stores::sql::binlog;
using base::ErrorCode;

namespace {
constexpr quint8 kPassedOver = 29; ///< the statement behind rows, which means nothing here

QByteArray number(quint64 value, int size)
{
    QByteArray bytes(std::max(size, 8), '\0');
    qToLittleEndian(value, bytes.data());
    return bytes.first(size);
}

/** An event without a checksum, as they are within a payload. */
QByteArray logged(quint8 type, const QByteArray &body = {})
{
    return number(1, 4) + char(type) + number(1, 4) + number(19 + quint64(body.size()), 4) + number(0, 6) +
           body;
}

QByteArray query(const char *text)
{
    return logged(Query, number(0, 8) + char(0) + number(0, 4) + char(0) + text);
}

QByteArray xid()
{
    return logged(Xid, number(7, 8));
}

QByteArray packed(quint64 value)
{
    return char(0xFE) + number(value, 8);
}

QByteArray field(quint64 type, const QByteArray &value)
{
    return packed(type) + packed(quint64(value.size())) + value;
}

QByteArray compressed(const QByteArray &plain)
{
    QByteArray bytes(qsizetype(ZSTD_compressBound(size_t(plain.size()))), '\0');
    bytes.truncate(qsizetype(
        ZSTD_compress(bytes.data(), size_t(bytes.size()), plain.constData(), size_t(plain.size()), 3)));
    return bytes;
}

QByteArray payloadOf(const QByteArray &bytes, quint64 inflated, quint64 compression = 0)
{
    return field(2, packed(compression)) + field(3, packed(inflated)) +
           field(1, packed(quint64(bytes.size()))) + packed(0) + bytes;
}

QByteArray payload(const QByteArray &plain)
{
    return payloadOf(compressed(plain), quint64(plain.size()));
}

/** The description of a file without checksums. */
QByteArray description()
{
    QByteArray body = number(4, 2) + QByteArray(50, '\0') + number(0, 4) + char(19) + QByteArray(42, '\0');
    return logged(FormatDescription, body + char(0) + number(0, 4));
}

struct Read
{
    qsizetype events = 0;
    QList<LogItem::LogEvent> kinds;
    base::Error error;
};

Read read(const QByteArray &body)
{
    LogReader reader({});
    Read told;
    if (!reader.read(description()))
        return told;
    const QByteArray whole = logged(TransactionPayload, body);
    auto item = reader.read(whole);
    while (item) {
        if (item->kind != LogItem::LogEvent::Nothing)
            told.kinds.append(item->kind);
        if (!reader.isInside())
            return told;
        ++told.events;
        item = reader.readInner();
    }
    told.error = item.error();
    return told;
}

qint64 peakKib()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

QByteArray cutShort(const QByteArray &plain, qsizetype by)
{
    const QByteArray bytes = compressed(plain).chopped(by);
    return payloadOf(bytes, quint64(plain.size()));
}
} // namespace

/** Compressed transactions: their content, and payloads that no server should send. */
class SqlPayloadTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void wholeOnes();
    void badOnes_data();
    void badOnes();
    void memoryIsBounded_data();
    void memoryIsBounded();
    void isBlindWhereTooLarge();
};

void SqlPayloadTest::wholeOnes()
{
    QByteArray plain = query("BEGIN");
    for (int i = 0; i < 50; ++i) // more than one piece, events across their ends
        plain += logged(kPassedOver, QByteArray(10'000 + 37 * i, char(i)));
    plain += xid();
    const Read told = read(payload(plain));
    QVERIFY2(told.error.cause.isEmpty(), qPrintable(told.error.line()));
    QCOMPARE(told.events, 53); // and the end
    QCOMPARE(told.kinds, (QList{LogItem::LogEvent::Begin, LogItem::LogEvent::Commit}));
    // In two frames, and with an unknown field.
    const QByteArray begin = query("BEGIN");
    const QByteArray two = compressed(begin) + compressed(xid());
    const Read parts = read(field(9, "later") + payloadOf(two, quint64(begin.size() + xid().size())));
    QVERIFY2(parts.error.cause.isEmpty(), qPrintable(parts.error.line()));
    QCOMPARE(parts.kinds.size(), 2);
}

void SqlPayloadTest::badOnes_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<int>("code");
    const auto row = [](const char *name, const QByteArray &body, ErrorCode code = ErrorCode::Protocol) {
        QTest::newRow(name) << body << int(code);
    };
    const QByteArray good = query("BEGIN") + xid();
    row("nothing", {});
    row("no fields", packed(0));
    row("fields without end", field(2, packed(0)));
    row("a field of 2^63 bytes", packed(1) + packed(quint64(1) << 63));
    row("more bytes than it says", payload(good) + "x");
    row("fewer bytes than it says", payload(good).chopped(1));
    row("compressed in no way", payloadOf(good, quint64(good.size()), 255), ErrorCode::Unsupported);
    row("compressed in another way", payloadOf(good, quint64(good.size()), 1), ErrorCode::Unsupported);
    row("nothing in it", payload({}));
    row("no bytes at all", payloadOf({}, 0));
    row("not zstd", payloadOf("BEGIN COMMIT", 12));
    row("a frame that ends early", cutShort(good, 3));
    row("a window of 2 GiB", payloadOf(QByteArray::fromHex("28b52ffd00a8010000"), 100));
    row("an event that ends early", payload(good.chopped(1)));
    row("a header that ends early", payload(query("BEGIN") + number(1, 8)));
    row("more than it says", payloadOf(compressed(good), quint64(good.size()) - 1));
    row("an event of no length", payload(query("BEGIN") + number(0, 19) + xid()));
    row("an event shorter than its header",
        payload(query("BEGIN") + number(1, 4) + char(2) + number(1, 4) + number(18, 4) + number(0, 6)));
    row("no end", payload(query("BEGIN")));
    row("two transactions", payload(good + good));
    row("one in another", payload(logged(TransactionPayload, payload(good))));
    row("a rotation", payload(query("BEGIN") + logged(Rotate, number(4, 8) + "binlog.000009") + xid()));
    row("a description", payload(query("BEGIN") + description() + xid()));
    row("a transaction's number", payload(logged(Gtid, QByteArray(42, '\0')) + good));
}

void SqlPayloadTest::badOnes()
{
    QFETCH(QByteArray, body);
    QFETCH(int, code);
    const Read told = read(body);
    QVERIFY(!told.error.cause.isEmpty());
    QCOMPARE(int(told.error.code), code);
}

void SqlPayloadTest::memoryIsBounded_data()
{
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<bool>("refused");
    QByteArray header = logged(kPassedOver);
    qToLittleEndian(quint32(0xFFFFFFFF), header.data() + 9);
    QTest::newRow("an event that says it has 4 GiB") << payload(query("BEGIN") + header) << true;
    QTest::newRow("a payload that says it has 2^63 bytes")
        << payloadOf(compressed(xid()), quint64(1) << 63) << true;
    // 480 MiB in 15 KiB: each event is skipped, and none is kept.
    QByteArray frames = compressed(query("BEGIN"));
    const QByteArray large = logged(kPassedOver, QByteArray(16 << 20, 'x'));
    const QByteArray frame = compressed(large);
    for (int i = 0; i < 30; ++i)
        frames += frame;
    frames += compressed(xid());
    QTest::newRow("much, in events of 16 MiB")
        << payloadOf(frames, quint64(query("BEGIN").size() + 30 * large.size() + xid().size())) << false;
}

void SqlPayloadTest::memoryIsBounded()
{
    QFETCH(QByteArray, body);
    QFETCH(bool, refused);
    const qint64 before = peakKib();
    const Read told = read(body);
    QVERIFY2(told.error.cause.isEmpty(), qPrintable(told.error.line()));
    QCOMPARE(told.kinds.last(), refused ? LogItem::LogEvent::TooLarge : LogItem::LogEvent::Commit);
    QVERIFY2(peakKib() - before < 80 << 10, QByteArray::number(peakKib() - before).constData());
}

/** The source is notified that it may have missed something; later events are still read. */
void SqlPayloadTest::isBlindWhereTooLarge()
{
    LogReader reader({});
    ChangeFeed feed({}, {}, {});
    QVERIFY(reader.read(description()));
    const QByteArray whole = logged(TransactionPayload, payloadOf(compressed(xid()), quint64(1) << 63));
    auto item = reader.read(whole);
    QVERIFY(item && !reader.isInside());
    const auto fed = feed.take(*item, {}, 1);
    QVERIFY(fed);
    QCOMPARE(fed->kind, Fed::FeedEvent::Blind);
    QVERIFY(fed->why.cause.contains(QLatin1String("too large")));
    QVERIFY(feed.isBetween());
    QVERIFY(reader.read(logged(TransactionPayload, payload(query("BEGIN") + xid()))));
    QVERIFY(reader.isInside());
}

LOCKKEEPER_TEST(SqlPayloadTest)

} // namespace tst_sql_payload

#include "tst_sql_payload.moc"
