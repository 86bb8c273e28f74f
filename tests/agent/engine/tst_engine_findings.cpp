// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/findings.h"
#include "tests/agent/engine/engine_rig.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_engine_findings {

using namespace lockkeeper;
using namespace lockkeeper::tests;
using agent::engine::findingsOf;
using agent::engine::OwnEvidence;
using domain::Finding;
using domain::Severity;

/** Findings about dangers to a source's locks: the store's reports and the agent's own evidence. */
class TestEngineFindings : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void ownEvidence_data();
    void ownEvidence();
    void locksWithoutExpiryAreCounted();
    void tablesWithoutExpiriesAreNot();
    void restartsAreNoticed();
    void storeFindingsEndWithTheLink();
    void clientsClocks_data();
    void clientsClocks();

private:
    static QByteArray findings(EngineRig &rig)
    {
        QByteArrayList all;
        for (const Finding &one : rig.engine().state(rig.now()).findings)
            all.append(domain::severityName(one.severity).toByteArray() + ' ' + one.code + ' ' + one.value);
        return all.join("; ");
    }
};

void TestEngineFindings::ownEvidence_data()
{
    QTest::addColumn<qint64>("offsetUs");
    QTest::addColumn<qint64>("withoutExpiry");
    QTest::addColumn<int>("restarts");
    QTest::addColumn<qint64>("agoUs");
    QTest::addColumn<QByteArray>("expected");
    const qint64 second = 1'000'000;
    QTest::newRow("nothing") << qint64(0) << qint64(0) << 0 << qint64(0) << QByteArray();
    QTest::newRow("2 s off") << 2 * second << qint64(0) << 0 << qint64(0) << QByteArray();
    QTest::newRow("more") << 2 * second + 1 << qint64(0) << 0 << qint64(0)
                          << QByteArray("warning clock_offset 2000001");
    QTest::newRow("behind") << -2 * second - 1 << qint64(0) << 0 << qint64(0)
                            << QByteArray("warning clock_offset -2000001");
    QTest::newRow("no expiry") << qint64(0) << qint64(3) << 0 << qint64(0)
                               << QByteArray("warning no_expiry 3");
    QTest::newRow("restarted") << qint64(0) << qint64(0) << 2 << 3'599 * second
                               << QByteArray("warning restarts 2");
    QTest::newRow("long ago") << qint64(0) << qint64(0) << 2 << 3'600 * second
                              << QByteArray("notice restarts 2");
}

void TestEngineFindings::ownEvidence()
{
    QFETCH(qint64, offsetUs);
    QFETCH(qint64, withoutExpiry);
    QFETCH(int, restarts);
    QFETCH(qint64, agoUs);
    QFETCH(QByteArray, expected);
    OwnEvidence own;
    own.clockKnown = true;
    own.clockOffsetUs = offsetUs;
    own.withoutExpiry = withoutExpiry;
    own.restarts = restarts;
    own.nowUs = kT0;
    own.restartedUs = kT0 - agoUs;
    QByteArray text;
    for (const Finding &one : findingsOf(own, {}))
        text += domain::severityName(one.severity).toByteArray() + ' ' + one.code + ' ' + one.value;
    QCOMPARE(text, expected);
    own.clockKnown = false;
    QVERIFY(!findingsOf(own, {{"x", Severity::Danger, {}}}).first().code.startsWith("clock"));
    QCOMPARE(findingsOf(own, {{"x", Severity::Danger, {}}}).first().code, QByteArray("x"));
}

void TestEngineFindings::locksWithoutExpiryAreCounted()
{
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("at 0\nup\nscan a;A;- b;B;30000 c;C;-"));
    QCOMPARE(findings(rig), QByteArray("warning no_expiry 2"));
    // One key gets an expiry, one disappears.
    rig.run(QStringLiteral("at 500\nscan a;A;30000 b;B;29500\nlook c"));
    QCOMPARE(findings(rig), QByteArray());
    // The expiry is taken away again.
    rig.run(QStringLiteral("at 1000\nscan a;A;- b;B;29000\nat 1400"));
    QCOMPARE(findings(rig), QByteArray("warning no_expiry 1"));
    rig.run(QStringLiteral("at 1500\nscan\nlook a b"));
    QCOMPARE(findings(rig), QByteArray());
}

void TestEngineFindings::tablesWithoutExpiriesAreNot()
{
    EngineRig rig(EngineRig::insertSpec(false));
    rig.run(QStringLiteral("at 0\nup\nscan a;A;0;-"));
    QCOMPARE(findings(rig), QByteArray());
}

void TestEngineFindings::restartsAreNoticed()
{
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("at 0\nup run1\nscan\nat 1000\ndown\nat 2000\nup run1\nscan"));
    QCOMPARE(findings(rig), QByteArray());
    rig.run(QStringLiteral("at 3000\ndown\nat 4000\nup run2\nscan"));
    QCOMPARE(findings(rig), QByteArray("warning restarts 1"));
    QCOMPARE(rig.engine().state(rig.now()).findings.first().whenUs, std::optional<qint64>(kT0 + 4'000'000));
    rig.run(QStringLiteral("at 5000\ndown\nat 6000\nup run1\nscan"));
    QCOMPARE(findings(rig), QByteArray("warning restarts 2"));
}

void TestEngineFindings::storeFindingsEndWithTheLink()
{
    EngineRig rig(EngineRig::redisSpec());
    const QList<Finding> lens{{"eviction_policy", Severity::Notice, "allkeys-lru"}};
    QVERIFY(!rig.engine().findingsRead(lens, rig.now()).sourceChanged); // there is no link yet
    rig.run(QStringLiteral("at 0\nup\nscan a;A;-"));
    QVERIFY(rig.engine().findingsRead(lens, rig.now()).sourceChanged);
    QVERIFY(!rig.engine().findingsRead(lens, rig.now()).sourceChanged); // nothing new
    QCOMPARE(findings(rig), QByteArray("warning no_expiry 1; notice eviction_policy allkeys-lru"));
    rig.run(QStringLiteral("at 1000\ndown"));
    QCOMPARE(findings(rig), QByteArray("warning no_expiry 1"));
}

void TestEngineFindings::clientsClocks_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QByteArray>("expected");
    // The scans show that the lock was acquired between 400 s and 401 s. The row holds the time by its
    // holder's clock.
    const auto row = [](const char *name, const char *scans, const char *expected) {
        QTest::newRow(name) << QStringLiteral("at 400000\nup\nscan\n%1").arg(QLatin1String(scans))
                            << QByteArray(expected);
    };
    row("in step", "at 401000\nscan a;A;400500;431000", "");
    row("within what can't be told", "at 401000\nscan a;A;399500;431000", "");
    row("ahead", "at 401000\nscan a;A;402500;431000", "notice client_clock 1500000");
    row("five minutes ahead", "at 401000\nscan a;A;700500;731000", "warning client_clock 299500000");
    row("five minutes behind", "at 401000\nscan a;A;100500;431000", "warning client_clock -298500000");
    row("behind, and free again at once",
        "at 401000\nscan a;A;400500;401500\nat 402000\nscan a;A;400500;401500"
        "\nat 403000\nscan a;B;100500;131000",
        "warning client_clock -300500000");
    row("the largest counts", "at 401000\nscan a;A;403500;431000 b;B;411000;441000 c;C;404000;431000",
        "warning client_clock 10000000");
    row("there before the agent", "at 401000\ndown", "");
}

/** Applications date the rows of this table: only proven differences count. */
void TestEngineFindings::clientsClocks()
{
    QFETCH(QString, script);
    QFETCH(QByteArray, expected);
    stores::SourceSpec spec = EngineRig::shedlockSpec();
    EngineRig byStore(spec);
    byStore.run(script);
    QCOMPARE(findings(byStore), QByteArray());
    spec.clientClock = true;
    EngineRig rig(spec);
    const QString told = rig.run(script);
    QCOMPARE(findings(rig), expected);
    QVERIFY2(!told.contains(QLatin1String("expired")), qPrintable(told));
    rig.run(QStringLiteral("at 500000\ndown"));
    QCOMPARE(findings(rig), QByteArray());
}

LOCKKEEPER_TEST(TestEngineFindings)

} // namespace tst_engine_findings

#include "tst_engine_findings.moc"
