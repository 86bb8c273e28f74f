// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "perturbed.h"
#include "samples.h"
#include "shared/protocol/codec.h"
#include "shared/protocol/weight.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace tst_codec {

using namespace lockkeeper;
using namespace lockkeeper::protocol;

/** A decoded frame equals the encoded message, and the frame is byte for byte the one that version 1 has
 * always written. */
class TestCodec : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void samplesCoverEveryMessage();
    void roundTrip_data();
    void roundTrip();
    void goldenFrame_data() { roundTrip_data(); }
    void goldenFrame();
    void goldenFramesAreAllKnown();
    void everyCutIsRefused_data() { roundTrip_data(); }
    void everyCutIsRefused();
    void numbers_data();
    void numbers();
    void everyMemberIsAField_data();
    void everyMemberIsAField();
    void documentListsTheState();
    void everyFieldOfAStateTravels_data();
    void everyFieldOfAStateTravels();
    void stateAlone();
    void stateInsideAnEventKeepsWhatDiffers_data();
    void stateInsideAnEventKeepsWhatDiffers();
    void deepDetailIsCutRatherThanUnreadable();
    void eventIsCompact();
};

static QString goldenPath(const QByteArray &name)
{
    return qEnvironmentVariable("LOCKKEEPER_SOURCE") +
           QStringLiteral("/tests/data/frames/v1/%1.hex").arg(QString::fromLatin1(name));
}

static QByteArray unhex(const QByteArray &text)
{
    return QByteArray::fromHex(text.simplified().replace(" ", ""));
}

void TestCodec::samplesCoverEveryMessage()
{
    QSet<size_t> kinds;
    for (const tests::Sample &sample : tests::samples())
        kinds.insert(sample.message.index());
    QCOMPARE(size_t(kinds.size()), std::variant_size_v<AnyMessage>);
}

void TestCodec::roundTrip_data()
{
    QTest::addColumn<int>("index");
    const QList<tests::Sample> all = tests::samples();
    for (qsizetype i = 0; i < all.size(); ++i)
        QTest::newRow(all.at(i).name.constData()) << int(i);
}

void TestCodec::roundTrip()
{
    QFETCH(int, index);
    const Message message = tests::samples().at(index).message;
    const auto decoded = decode(encode(message));
    QVERIFY2(decoded, decoded ? "" : qPrintable(decoded.error().line()));
    QVERIFY(*decoded == message);
}

void TestCodec::goldenFrame()
{
    QFETCH(int, index);
    const tests::Sample sample = tests::samples().at(index);
    QFile file(goldenPath(sample.name));
    const QByteArray bytes = frame(encode(sample.message));
    if (qEnvironmentVariableIsSet("LOCKKEEPER_WRITE_GOLDEN")) {
        QVERIFY(file.open(QIODevice::WriteOnly));
        const QByteArray hex = bytes.toHex();
        for (qsizetype at = 0; at < hex.size(); at += 96)
            file.write(hex.mid(at, 96) + '\n');
        return;
    }
    QVERIFY2(file.open(QIODevice::ReadOnly), qPrintable(file.fileName()));
    const QByteArray golden = unhex(file.readAll());
    QCOMPARE(bytes.toHex(), golden.toHex());
    Deframer deframer;
    deframer.feed(golden);
    const auto payload = deframer.next();
    QVERIFY(payload && *payload);
    const auto decoded = decode(**payload);
    QVERIFY(decoded && *decoded == sample.message);
}

void TestCodec::goldenFramesAreAllKnown()
{
    const QDir folder = QFileInfo(goldenPath("x")).dir();
    QCOMPARE(folder.entryList({QStringLiteral("*.hex")}).size(), tests::samples().size());
}

void TestCodec::everyCutIsRefused()
{
    QFETCH(int, index);
    const QByteArray bytes = encode(tests::samples().at(index).message);
    for (qsizetype size = 0; size < bytes.size(); ++size) {
        const auto decoded = decode(QByteArrayView(bytes).first(size));
        QVERIFY2(!decoded, qPrintable(QStringLiteral("cut at %1").arg(size)));
        QCOMPARE(decoded.error().code, base::ErrorCode::Protocol);
        QVERIFY(!decoded.error().cause.isEmpty());
    }
}

void TestCodec::numbers_data()
{
    QTest::addColumn<qint64>("number");
    for (const qint64 number :
         {qint64(0), qint64(-1), qint64(23), qint64(24), qint64(-24), qint64(-25), qint64(65536),
          std::numeric_limits<qint64>::max(), std::numeric_limits<qint64>::min()})
        QTest::addRow("%lld", static_cast<long long>(number)) << number;
}

void TestCodec::numbers()
{
    QFETCH(qint64, number);
    Pong pong{quint64(number), std::numeric_limits<quint64>::max(), number};
    QVERIFY(decode(encode(pong)) == base::Result<Message>(pong));
    events::LockEvent event;
    event.detail = events::EventDetail::fromJson({{QStringLiteral("n"), number}});
    const auto decoded = decode(encode(EventBatch{{event}}));
    QVERIFY(decoded);
    QCOMPARE(std::get<EventBatch>(*decoded).events.at(0).detail.others.value(QStringLiteral("n")).toInteger(),
             number);
}

/** A member that fields() forgets would never reach a client. */
void TestCodec::everyMemberIsAField_data()
{
    QTest::addColumn<int>("fieldCount");
    QTest::addColumn<int>("memberCount");
    const auto row = []<typename T>(const char *name, T, int parts = 0) {
        QTest::newRow(name) << int(tests::keysOnWire<T>().size()) << tests::membersOf<T>() + parts;
    };
    row("state", domain::LockState(),
        tests::membersOf<domain::ReleaseCapability>() - 1); // each its own field
    row("waiter", domain::Waiter());
    row("session", domain::Session());
    row("node", domain::NodeView());
    row("event", events::LockEvent());
    row("hold", Hold());
    row("wait", Wait());
    row("request for approval", domain::ApprovalRequest());
}

void TestCodec::everyMemberIsAField()
{
    QFETCH(int, fieldCount);
    QFETCH(int, memberCount);
    QCOMPARE(fieldCount, memberCount);
}

void TestCodec::documentListsTheState()
{
    QFile file(qEnvironmentVariable("LOCKKEEPER_SOURCE") + QStringLiteral("/shared/protocol/PROTOCOL.md"));
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QString section = QString::fromUtf8(file.readAll())
                                .section(QStringLiteral("**lock state**"), 1)
                                .section(QStringLiteral("**waiter**"), 0, 0);
    static const QRegularExpression row(QStringLiteral("^\\| (\\d+) \\|"),
                                        QRegularExpression::MultilineOption);
    QList<quint64> listed;
    for (const QRegularExpressionMatch &match : row.globalMatch(section))
        listed.append(match.captured(1).toULongLong());
    QCOMPARE(listed, tests::keysOnWire<domain::LockState>());
}

void TestCodec::everyFieldOfAStateTravels_data()
{
    QTest::addColumn<domain::LockState>("base");
    QTest::addColumn<domain::LockState>("state");
    for (const domain::LockState &base : {domain::LockState(), tests::sampleStateOfASession()}) {
        int row = 0;
        for (const tests::PerturbedState &other : tests::perturbed(base))
            QTest::addRow("%s %d, key %d", base.isHeld() ? "full" : "empty", row++, other.key)
                << base << other.state;
    }
}

void TestCodec::everyFieldOfAStateTravels()
{
    QFETCH(domain::LockState, base);
    QFETCH(domain::LockState, state);
    QVERIFY(state != base);
    QVERIFY(decodeState(encodeState(state)) == base::Result<domain::LockState>(state));
    QVERIFY(decodeDifference(encodeDifference(state, base), base) == base::Result<domain::LockState>(state));
    QVERIFY(weightOf(state) >= encodeState(state).size());
}

void TestCodec::stateAlone()
{
    const domain::LockState state = tests::sampleState();
    QVERIFY(decodeState(encodeState(state)) == base::Result<domain::LockState>(state));
    const domain::LockState later = tests::sampleStateOfASession();
    QVERIFY(decodeState(encodeState(later)) == base::Result<domain::LockState>(later));
    QVERIFY(decodeState(encodeState({})) == base::Result<domain::LockState>(domain::LockState()));
    for (const domain::LockState &base : {domain::LockState(), state, later}) { // regardless of its base
        QVERIFY(decodeDifference(encodeDifference(state, base), base) ==
                base::Result<domain::LockState>(state));
        QVERIFY(decodeDifference(encodeDifference(later, base), base) ==
                base::Result<domain::LockState>(later));
    }
    QVERIFY(encodeDifference(state, state).size() < encodeState(state).size());
    QVERIFY(!decodeState(encodeState(state) + '\0'));
    QVERIFY(!decodeState({}));
    QVERIFY(!decodeState(encode(Ping{1})));
}

void TestCodec::stateInsideAnEventKeepsWhatDiffers_data()
{
    QTest::addColumn<QByteArray>("owner");
    QTest::addColumn<QByteArray>("name");
    QTest::addColumn<bool>("expires");
    QTest::newRow("all the same") << QByteArray("w3@10.0.0.7") << QByteArray() << true;
    QTest::newRow("another owner") << QByteArray("other") << QByteArray() << true;
    QTest::newRow("no owner") << QByteArray() << QByteArray() << true;
    QTest::newRow("another lock") << QByteArray("w3@10.0.0.7") << QByteArray("b") << true;
    QTest::newRow("no deadline") << QByteArray("w3@10.0.0.7") << QByteArray() << false;
}

void TestCodec::stateInsideAnEventKeepsWhatDiffers()
{
    QFETCH(QByteArray, owner);
    QFETCH(QByteArray, name);
    QFETCH(bool, expires);
    events::LockEvent event = tests::sampleEvent();
    event.after->owner = owner;
    if (!name.isEmpty())
        event.after->key.name = name;
    if (!expires)
        event.after->expiresUs.reset();
    const Message message = EventBatch{{event}};
    QVERIFY(decode(encode(message)) == base::Result<Message>(message));
}

void TestCodec::deepDetailIsCutRatherThanUnreadable()
{
    QJsonObject inner;
    for (int i = 0; i < 40; ++i)
        inner = QJsonObject{{QStringLiteral("in"), inner}};
    for (int i = 0; i < 200; ++i)
        inner.insert(QString::number(i), i);
    events::LockEvent event;
    event.detail = events::EventDetail::fromJson(inner);
    const auto decoded = decode(encode(EventBatch{{event}}));
    QVERIFY2(decoded, decoded ? "" : qPrintable(decoded.error().line()));
    QCOMPARE(std::get<EventBatch>(*decoded).events.at(0).detail.others.size(), kMaxDetailItems);
}

void TestCodec::eventIsCompact()
{
    events::LockEvent event = tests::sampleEvent();
    event.detail = {};
    event.after->waiters.clear();
    const qsizetype size = encode(EventBatch{{event}}).size();
    QVERIFY2(size < 320, qPrintable(QString::number(size)));
}

LOCKKEEPER_TEST(TestCodec)

} // namespace tst_codec

#include "tst_codec.moc"
