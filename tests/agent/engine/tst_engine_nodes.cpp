// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_rig.h"
#include "shared/stores/redis/redlock/merge.h"
#include "tests/support/test_program.h"

#include <QRegularExpression>
#include <QTest>

namespace tst_engine_nodes {

using namespace lockkeeper;
using namespace lockkeeper::tests;

namespace {

/**
 * Drives an engine with the answers of N nodes for the lock "l": letters are tokens, '.' nothing, '!' an
 * unreachable node. `scan ABC` is a whole scan, `look ABC` an answer; times as in EngineRig.
 */
class NodesRig
{
public:
    NodesRig() : m_rig(spec()) { m_rig.take(m_rig.engine().start({}, m_rig.now())); }

    QString run(const QString &script)
    {
        QStringList answers;
        for (const QString &line : script.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
            const QStringList words = line.trimmed().split(QLatin1Char(' '));
            if (words.first() == QLatin1String("at")) {
                m_rig.advanceUs(words.at(1).toLongLong() * 1'000 - (m_rig.storeUs() - kT0));
                m_rig.take(m_rig.engine().tick(m_rig.now()));
            } else if (words.first() == QLatin1String("up")) {
                m_rig.take(m_rig.engine().opened(EngineRig::info(spec()), m_rig.now()));
            } else {
                observe(words.first() == QLatin1String("scan"), words.at(1), answers);
            }
        }
        return answers.join(QLatin1Char('\n'));
    }

    domain::LockState lock()
    {
        const auto state = m_rig.engine().table().lock({QStringLiteral("r"), "redis.redlock", "db0", "l"});
        return state.value_or(domain::LockState());
    }
    EngineRig &rig() { return m_rig; }

    static stores::SourceSpec spec()
    {
        stores::SourceSpec spec = EngineRig::redisSpec();
        spec.locks[0].scheme = "redis.redlock";
        return spec;
    }

private:
    void observe(bool scan, const QString &nodes, QStringList &answers)
    {
        const stores::Observation seen = observation(nodes);
        const qint64 now = m_rig.storeUs();
        stores::Page page{now, now, {}};
        if (!scan || seen.present)
            page.locks.append(seen);
        add(answers, m_rig.take(m_rig.engine().pageRead(page, m_rig.now())));
        if (scan)
            add(answers, m_rig.take(m_rig.engine().scanEnded({true, now, now, 1, {}}, m_rig.now())));
    }

    static void add(QStringList &answers, const QString &text)
    {
        for (const QString &line : text.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
            answers.append(line.trimmed());
    }

    stores::Observation observation(const QString &nodes) const
    {
        QList<stores::redis::NodeReading> readings;
        for (const QChar &c : nodes) {
            stores::redis::NodeReading reading;
            reading.node = "n" + QByteArray::number(readings.size() + 1);
            reading.reachable = c != QLatin1Char('!');
            reading.lock.present = reading.reachable && c != QLatin1Char('.');
            if (reading.lock.present) {
                reading.lock.identity = reading.lock.owner = reading.lock.token = QByteArray(1, c.toLatin1());
                reading.lock.expiry = domain::ExpiryKind::At;
                reading.lock.expiresUs = kT0 + 600'000'000;
            }
            readings.append(reading);
        }
        stores::Observation lock =
            stores::redis::merge({0, "l"}, readings, 600'000'000, m_rig.storeUs()).lock;
        return lock;
    }

    EngineRig m_rig;
};

} // namespace

/** The table of a source with several servers while some of them are away. */
class TestEngineNodes : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void histories_data();
    void histories();

    void showsTheNodes()
    {
        NodesRig rig;
        rig.run(QStringLiteral("up\nscan AAA.!"));
        QCOMPARE(rig.lock().phase, domain::Phase::Held);
        QCOMPARE(rig.lock().nodes.size(), 5);
        QCOMPARE(rig.lock().nodes.at(0).holds, domain::NodeHolds::Holder);
        QVERIFY(rig.lock().release.possible());
        const QByteArray guard = rig.lock().guard;
        rig.run(QStringLiteral("at 500\nscan AA..!"));
        QCOMPARE(rig.lock().phase, domain::Phase::Unknown);
        QCOMPARE(rig.lock().owner, QByteArray("A"));
        QCOMPARE(rig.lock().nodes.at(2).holds, domain::NodeHolds::Nothing);
        QCOMPARE(rig.lock().guard, guard);
        QVERIFY(rig.lock().release.possible());
        QCOMPARE(rig.rig().engine().state(rig.rig().now()).counts.held, 0);
        rig.run(QStringLiteral("at 1000\nscan AA..."));
        QCOMPARE(rig.lock().phase, domain::Phase::Free);
        QVERIFY(domain::hasTraces(rig.lock().nodes));
        QVERIFY(rig.lock().release.possible()); // the traces can be removed, by another guard
        QVERIFY(!rig.lock().guard.isEmpty() && rig.lock().guard != guard);
        QCOMPARE(rig.rig().difference(), QString());
    }

    void anIndeterminateLockIsNotAskedOverAndOver()
    {
        NodesRig rig;
        rig.run(QStringLiteral("up\nscan AAA..\nat 500\nscan AA!.."));
        rig.rig().advanceUs(700'000'000); // long past its deadline
        const agent::engine::EngineStep step = rig.rig().engine().tick(rig.rig().now());
        QVERIFY(step.pointReads.isEmpty());
        QVERIFY(step.scan);
    }

    void readsWhatAGuardIsFor()
    {
        NodesRig rig;
        rig.run(QStringLiteral("up\nscan AAA..\nat 500\nscan .BB!!"));
        stores::Inspection inspection;
        inspection.lock.set = 0;
        inspection.lock.name = "l";
        inspection.lock.flaw = stores::Flaw::Indeterminate;
        inspection.lock.identity = inspection.lock.owner = inspection.lock.token = "B";
        inspection.lock.expiry = domain::ExpiryKind::At;
        inspection.lock.expiresUs = kT0 + 600'000'000;
        inspection.storeUs = rig.rig().storeUs();
        inspection.guard = {{QStringLiteral("r"), "redis.redlock", "db0", "l"}, "run1", "B", {}};
        const domain::LockState state = rig.rig().engine().table().stateOf(inspection);
        QCOMPARE(state.phase, domain::Phase::Unknown);
        QCOMPARE(state.owner, QByteArray("B"));
        QVERIFY(!state.guard.isEmpty() && state.guard != rig.lock().guard);
        inspection.lock.expiresUs += 1'000; // renewed, or taken again by the same client
        QVERIFY(rig.rig().engine().table().stateOf(inspection).guard != state.guard);
    }
};

void TestEngineNodes::histories_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const char *script, const char *expected) {
        QTest::newRow(name) << QString::fromLatin1(script) << QString::fromLatin1(expected);
    };
    row("a node away isn't a release",
        "up\nscan .....\nat 500\nscan AAA..\nat 1000\nscan AA!..\nat 1500\nscan AA!..\nat 2000\nscan AAA..",
        "acquired l by A at 500 window 500\nchanged l by A at 1000 window 500 unknown\n"
        "changed l by A at 2000 window 1500 held");
    row("it was released while nobody could tell",
        "up\nscan .....\nat 500\nscan AAA..\nat 1000\nscan AA!..\nat 2000\nlook .....",
        "acquired l by A at 500 window 500\nchanged l by A at 1000 window 500 unknown\n"
        "released l by A at 2000 window 1500");
    row("it changed hands while nobody could tell",
        "up\nscan .....\nat 500\nscan AAA..\nat 1000\nscan AA!..\nat 2000\nlook BBB..",
        "acquired l by A at 500 window 500\nchanged l by A at 1000 window 500 unknown\n"
        "taken_over l by B at 2000 window 1500 {\"previous\":\"A\"}");
    row("it lost its majority for certain", "up\nscan .....\nat 500\nscan AAA..\nat 1000\nscan .!BB.",
        "acquired l by A at 500 window 500\nreleased l by A at 1000 window 500\n"
        "changed l by B at 1000 unknown");
    row("who came then may have come before",
        "up\nscan .....\nat 500\nscan .!BB.\nat 1000\nscan .!BB.\nat 1500\nscan .BBB.",
        "changed l by B at 500 window 500 unknown\nacquired l by B at 1500 window 1500");
    row("nobody was there", "up\nscan .....\nat 500\nscan .!BB.\nat 1000\nlook .....",
        "changed l by B at 500 window 500 unknown\nchanged l by B at 1000 window 500 gone");
    row("there from the first, and since when isn't known", "up\nscan .!BB.\nat 1500\nscan .BBB.",
        "changed l by B at 0 unknown\nacquired l by B at 1500 first");
    row("a leftover comes and goes without an event",
        "up\nscan .....\nat 500\nscan AA...\nat 1000\nscan A....\nat 1500\nlook .....",
        "~ l free by A\n~ l free by A\n- l");
    row("an acquisition under way", "up\nscan .....\nat 500\nscan AA...\nat 1000\nscan AAAAA",
        "~ l free by A\nacquired l by A at 1000 window 500");
    row("a leftover of the last holder", "up\nscan AAAAA\nat 500\nscan AA...\nat 1000\nlook .....",
        "acquired l by A at 0 first\nreleased l by A at 500 window 500\nchanged l by A at 1000 window 500 "
        "gone");
    row("another's leftover is no holder",
        "up\nscan .....\nat 500\nscan AAAAA\nat 1000\nscan BB..A\nat 1500\nscan BB...",
        "acquired l by A at 500 window 500\nreleased l by A at 1000 window 500\n~ l free by B");
    row("the deadline has passed and not yet everywhere",
        "up\nscan .....\nat 500\nscan AAAAA\nat 20000\nat 600100\nlook AA...\nat 600200\nlook .....",
        "acquired l by A at 500 window 500\nexpired l by A at 600000 window 6002\n"
        "changed l by A at 600200 window 100 gone");
    row("nodes alone change", "up\nscan AAAAA\nat 500\nscan AAAA!\nat 1000\nscan AAAA!",
        "acquired l by A at 0 first\n~ l held by A");
}

void TestEngineNodes::histories()
{
    QFETCH(QString, script);
    NodesRig rig;
    QStringList lines;
    for (QString line : rig.run(script).split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        static const QRegularExpression kBeside(QStringLiteral(" (ttl|seen|until) [0-9.]+"));
        line.remove(kBeside);
        line.replace(QLatin1String("{\"first_seen\":true}"), QLatin1String("first"));
        static const QRegularExpression kState(QStringLiteral("\\{\"state\":\"([a-z]+)\"\\}"));
        line.replace(kState, QStringLiteral("\\1"));
        if (line.contains(QLatin1String(" l")))
            lines.append(line);
    }
    QTEST(lines.join(QLatin1Char('\n')), "expected");
    QCOMPARE(rig.rig().difference(), QString());
}

LOCKKEEPER_TEST(TestEngineNodes)

} // namespace tst_engine_nodes

#include "tst_engine_nodes.moc"
