// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "samples.h"
#include "shared/protocol/codec.h"
#include "tests/support/processor_time.h"
#include "tests/support/test_program.h"

#include <QTest>
#include <QtEndian>

#include <random>

namespace tst_hostile {

using namespace lockkeeper;
using namespace lockkeeper::protocol;

/** Bytes that no honest peer sends: each is refused with a cause, soon, and without much memory. */
class TestHostile : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refused_data();
    void refused();
    void accepted_data();
    void accepted();
    void unknownEnumValuesClaimNothing();
    void largestInputsAreQuick_data();
    void largestInputsAreQuick();
    void deframerLimits_data();
    void deframerLimits();
    void deframerInAnyPieces();
    void deframerStaysRefused();
    void mutatedFrames();
};

static QByteArray hex(const char *text)
{
    return QByteArray::fromHex(text);
}

void TestHostile::refused_data()
{
    QTest::addColumn<QByteArray>("bytes");
    // Envelope: 82 type map. Ping is 4 {0: number}, Cancel 29 (18 1d) {0: id}.
    QTest::newRow("nothing") << QByteArray();
    QTest::newRow("text") << QByteArray("hello");
    QTest::newRow("map outside") << hex("a10401");
    QTest::newRow("one element") << hex("8104");
    QTest::newRow("three elements") << hex("8304a1000101");
    QTest::newRow("unknown type") << hex("821903e7a0");
    QTest::newRow("negative type") << hex("8223a0");
    QTest::newRow("type past 2^31") << hex("821b00000001000000 04a10001");
    QTest::newRow("trailing byte") << hex("8204a1000100");
    QTest::newRow("field missing") << hex("8204a0");
    QTest::newRow("doubled key") << hex("8204a200010002");
    QTest::newRow("keys out of order") << hex("8205a3000102030104");
    QTest::newRow("text key") << hex("8204a1613001");
    QTest::newRow("number is text") << hex("8204a1006131");
    QTest::newRow("number is float") << hex("8204a100f93c00");
    QTest::newRow("number is null") << hex("8204a100f6");
    QTest::newRow("number is tagged") << hex("8204a100c101");
    QTest::newRow("negative for unsigned") << hex("8204a10020");
    QTest::newRow("past int64") << hex("8205a20001021bffffffffffffffff");
    QTest::newRow("below int64") << hex("8205a20001023bffffffffffffffff");
    QTest::newRow("version past int32") << hex("8201a2001a8000000001 01");
    QTest::newRow("bytes for text") << hex("8201a3000101010241ff");
    QTest::newRow("text isn't UTF-8") << hex("8201a3000101010261ff");
    QTest::newRow("text is overlong") << hex("8201a3000101010262c080");
    QTest::newRow("text is a surrogate") << hex("8201a3000101010263eda080");
    QTest::newRow("string of 2^63") << hex("8201a300010101027b7fffffffffffffff");
    QTest::newRow("string of 2^64 - 1") << hex("8201a300010101027bffffffffffffffff");
    QTest::newRow("string cut short") << hex("8201a300010101026561");
    QTest::newRow("string in chunks") << hex("8201a300010101027f6161ff");
    QTest::newRow("array of 2^64 - 1") << hex("8201a300010101049bffffffffffffffff");
    QTest::newRow("map of 2^63") << hex("8204bb8000000000000000");
    QTest::newRow("endless array") << hex("8201a300010101049f");
    QTest::newRow("break alone") << hex("8204ff");
    QTest::newRow("reserved length") << hex("8204a1001c");
    QTest::newRow("unknown kind of event") << hex("8215a204811863 0a01");
    QTest::newRow("lock key of three parts") << hex("821828a101836161 41624163");
    QTest::newRow("lock key of five parts") << hex("821828a1018561614162416341644165");
    QTest::newRow("a look without an address") << hex("821830a1014161");
    QTest::newRow("a look whose address is bytes") << hex("821830a201416102 4161");
    QTest::newRow("a candidate without a score") << hex("821831 a2 01 4161 03 a2 00 4161 05 81 a0");
    QTest::newRow("2000 nested in a known field")
        << hex("8204a100") + QByteArray(2000, char(0x81)) + hex("00");
    QTest::newRow("2000 nested in an unknown field")
        << hex("8204a20001187b") + QByteArray(2000, char(0x81)) + hex("00");
    QTest::newRow("2000 nested maps in detail")
        << hex("820da10081a5018461734072406e40 0300 0600 0800 0d") + hex("a16161").repeated(2000) + hex("00");
    QTest::newRow("doubled key in detail")
        << hex("820da10081a5018461734072406e40 0300 0600 0800 0d a2 616100 616101");
    QTest::newRow("infinity in detail")
        << hex("820da10081a5018461734072406e40 0300 0600 0800 0d a1 6161 f97c00");
    QTest::newRow("bytes in detail") << hex("820da10081a5018461734072406e40 0300 0600 0800 0d a1 6161 4100");
    QTest::newRow("number as key in detail")
        << hex("820da10081a5018461734072406e40 0300 0600 0800 0d a1 01 01");
    QTest::newRow("tags without end") << hex("8204a20001187b") + QByteArray(5000, char(0xc1));
}

void TestHostile::refused()
{
    QFETCH(QByteArray, bytes);
    const auto decoded = decode(bytes);
    QVERIFY(!decoded);
    QCOMPARE(decoded.error().code, base::ErrorCode::Protocol);
    QVERIFY(!decoded.error().cause.isEmpty());
}

void TestHostile::accepted_data()
{
    QTest::addColumn<QByteArray>("bytes");
    QTest::newRow("plain") << hex("8204a10001");
    QTest::newRow("endless map") << hex("8204bf0001ff");
    QTest::newRow("endless array outside") << hex("9f04a10001ff");
    QTest::newRow("unknown key after") << hex("8204a20001187b6161");
    QTest::newRow("unknown key with a tree") << hex("8204a20001187b82a1616101c1fb3ff0000000000000");
    QTest::newRow("unknown key 2^64 - 1") << hex("8204a200011bfffffffffffffffff6");
    QTest::newRow("wide encoding of a small number") << hex("8204a1001b0000000000000001");
}

void TestHostile::accepted()
{
    QFETCH(QByteArray, bytes);
    const auto decoded = decode(bytes);
    QVERIFY2(decoded, decoded ? "" : qPrintable(decoded.error().line()));
    QVERIFY(*decoded == Message(Ping{1}));
}

void TestHostile::unknownEnumValuesClaimNothing()
{
    // A state whose phase, expiry, evidence and release are from the future.
    const auto state =
        decodeState(hex("a7 0084 6161 4162 4163 4164 0118fa 0818fa 0c18fa 0f18fa 1418fa 1518fa"));
    QVERIFY2(state, state ? "" : qPrintable(state.error().line()));
    QCOMPARE(state->phase, domain::Phase::Unknown);
    QCOMPARE(state->acquiredBy, domain::Evidence::None);
    QCOMPARE(state->expiry, domain::ExpiryKind::Unknown);
    QCOMPARE(state->release.safety, domain::ReleaseSafety::Off);
    QCOMPARE(state->release.why, domain::ReleaseOff::Unsupported);
    // A candidate with a reason and an obstacle from the future isn't proposed.
    const auto found =
        decode(hex("821831 a2 01 4161 03 a2 00 4161 05 81 a4 04 4161 0a 1864 0b 81 a1 00 18c8 0c 81 1863"));
    QVERIFY2(found, found ? "" : qPrintable(found.error().line()));
    const auto candidate = std::get<DiscoverResult>(*found).discovery.found.at(0);
    QCOMPARE(candidate.reasons.at(0).code, domain::discovery::ReasonCode::Other);
    QCOMPARE(candidate.missing, QList{domain::discovery::Missing::Support});
    QVERIFY(!candidate.isProposed());
}

void TestHostile::largestInputsAreQuick_data()
{
    QTest::addColumn<QByteArray>("bytes");
    const qsizetype size = qsizetype(kMaxFrame) - 32;
    QTest::newRow("a list of empty texts") << hex("8201bf00010101049f") + QByteArray(size, char(0x60));
    QTest::newRow("a list of empty maps") << hex("820cbf039f") + QByteArray(size, char(0xa0));
    QTest::newRow("an unknown list") << hex("8204bf0001187b9f") + QByteArray(size, char(0x00));
    QTest::newRow("an unknown byte string") << hex("8204bf0001187b5a007fff00") + QByteArray(size, 'x');
    QByteArray detail = hex("820da10081a5018461734072406e40") + hex("0300 0600 0800 0dbf");
    for (int i = 0; detail.size() < size; ++i) {
        const QByteArray key = QByteArray::number(i);
        detail += char(0x60 + key.size()) + key + char(0);
    }
    QTest::newRow("a detail of many keys") << detail;
}

void TestHostile::largestInputsAreQuick()
{
    QFETCH(QByteArray, bytes);
    const qint64 begun = tests::processorMs();
    const auto decoded = decode(bytes);
    const qint64 took = tests::processorMs() - begun;
    QVERIFY(!decoded);
    // Sanitizers slow it down; without them it is a tenth of this.
    QVERIFY2(took < 5'000, qPrintable(QString::number(took)));
}

void TestHostile::deframerLimits_data()
{
    QTest::addColumn<quint32>("length");
    QTest::addColumn<bool>("refused");
    QTest::newRow("0") << 0u << true;
    QTest::newRow("1") << 1u << false;
    QTest::newRow("limit") << kMaxFrameBeforeLogin << false;
    QTest::newRow("limit + 1") << kMaxFrameBeforeLogin + 1 << true;
    QTest::newRow("0xFFFFFFFF") << 0xFFFFFFFFu << true;
}

void TestHostile::deframerLimits()
{
    QFETCH(quint32, length);
    QFETCH(bool, refused);
    QByteArray header(4, Qt::Uninitialized);
    qToBigEndian(length, header.data());
    Deframer deframer;
    deframer.feed(header);
    const auto next = deframer.next();
    QCOMPARE(!next, refused);
    if (!next)
        return;
    QVERIFY(!*next);
    deframer.feed(QByteArray(qsizetype(length), 'x'));
    const auto whole = deframer.next();
    QVERIFY(whole && *whole);
    QCOMPARE((*whole)->size(), qsizetype(length));
    QCOMPARE(deframer.pending(), qsizetype(0));
}

void TestHostile::deframerInAnyPieces()
{
    QByteArray stream;
    QList<QByteArray> payloads;
    for (int i = 1; i < 300; ++i) {
        payloads.append(QByteArray(i * 7 % 1000 + 1, char(i)));
        stream += frame(payloads.last());
    }
    for (const qsizetype piece : {1, 2, 3, 5, 4096, 65536}) {
        Deframer deframer;
        QList<QByteArray> got;
        for (qsizetype at = 0; at < stream.size(); at += piece) {
            deframer.feed(QByteArrayView(stream).sliced(at, std::min(piece, stream.size() - at)));
            while (const auto next = deframer.next()) {
                if (!*next)
                    break;
                got.append(**next);
            }
        }
        QCOMPARE(got, payloads);
        QCOMPARE(deframer.pending(), qsizetype(0));
    }
}

void TestHostile::deframerStaysRefused()
{
    Deframer deframer;
    deframer.feed(QByteArray(4, '\0'));
    QVERIFY(!deframer.next());
    deframer.feed(frame("x"));
    QVERIFY2(!deframer.next(), "an error is final");
}

void TestHostile::mutatedFrames()
{
    QList<QByteArray> seeds;
    for (const tests::Sample &sample : tests::samples())
        seeds.append(encode(sample.message));
    std::mt19937 random(20260722);
    constexpr int kRounds = 200'000;
    int accepted = 0;
    for (int round = 0; round < kRounds; ++round) {
        QByteArray bytes = seeds.at(qsizetype(random() % size_t(seeds.size())));
        const int changes = 1 + int(random() % 4);
        for (int i = 0; i < changes && !bytes.isEmpty(); ++i) {
            const qsizetype at = qsizetype(random() % size_t(bytes.size()));
            switch (random() % 5) {
            case 0:
                bytes[at] = char(random());
                break;
            case 1:
                bytes[at] = char(bytes.at(at) ^ char(1 << (random() % 8)));
                break;
            case 2:
                bytes.remove(at, qsizetype(random() % 8));
                break;
            case 3:
                bytes.insert(at, char(random()));
                break;
            default:
                bytes.insert(at, bytes.mid(at, qsizetype(random() % 16)));
            }
        }
        const auto decoded = decode(bytes);
        if (!decoded)
            continue;
        // An accepted frame has a meaning: encoded again, it decodes to the same message.
        ++accepted;
        const auto again = decode(encode(*decoded));
        QVERIFY(again && *again == *decoded);
    }
    QVERIFY2(accepted > 0 && accepted < kRounds / 2, qPrintable(QString::number(accepted)));
}

LOCKKEEPER_TEST(TestHostile)

} // namespace tst_hostile

#include "tst_hostile.moc"
