// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/zookeeper/store/zookeeper_store.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"
#include "tests/support/zookeeper_server.h"

#include <QRandomGenerator>
#include <QSet>
#include <QTest>
#include <QTimer>

namespace tst_zookeeper_race {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::zookeeper;
using namespace lockkeeper::tests;
using domain::Outcome;

namespace {

int breaksOr(int otherwise)
{
    const int told = qEnvironmentVariableIntValue("LOCKKEEPER_RACES");
    return told > 0 ? told : otherwise;
}

/** A client that joins the queue at full speed, always in the same session and under the same name except for
 * its number. It finds out which places it lost when it gives them back. */
class Racer : public QObject
{
public:
    explicit Racer(const SourceSpec &spec) : m_link(*ensembleOf(spec))
    {
        connect(&m_link, &ZookeeperLink::connected, this, [this] { take(); });
        connect(&m_link, &ZookeeperLink::lost, this, [this] { failed = true; });
        m_link.open();
    }

    QSet<QByteArray> lost;
    int taken = 0;
    bool stopped = false;
    bool failed = false;

private:
    void take()
    {
        m_link.createSequential("/lk/a/same-", "same", [this](const Reply &made) {
            failed = failed || made.error;
            if (stopped || made.error)
                return;
            ++taken;
            QTimer::singleShot(QRandomGenerator::global()->bounded(20), this,
                               [this, path = made.path] { give(path); });
        });
    }
    void give(const QByteArray &path)
    {
        m_link.remove(path, 0, false, [this, path](const Reply &removed) {
            failed = failed || (removed.error && !removed.missing);
            if (removed.missing)
                lost.insert(path);
            if (!stopped)
                take();
        });
    }

    ZookeeperLink m_link;
};

} // namespace

class TestZookeeperRace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void noBreakFreesAnotherAcquisition();
};

void TestZookeeperRace::initTestCase()
{
    if (!ZookeeperServer::isInstalled())
        QSKIP(ZookeeperServer::absent());
}

/** The guards are up to eight readings old. */
void TestZookeeperRace::noBreakFreesAnotherAcquisition()
{
    ZookeeperServer server;
    QVERIFY(server.start());
    SourceSpec spec = sourceOf(server.url(), "zookeeper.sequence", "/lk/*");
    ZookeeperLink link(*ensembleOf(spec));
    int made = 0;
    link.open();
    QTRY_VERIFY(link.isOpen());
    for (const char *path : {"/lk", "/lk/a"})
        link.createPersistent(path, [&made](const Reply &reply) { made += reply.error ? 0 : 1; });
    QTRY_COMPARE(made, 2);
    std::vector<std::unique_ptr<Racer>> racers;
    for (int i = 0; i < 3; ++i)
        racers.push_back(std::make_unique<Racer>(spec));
    StoreHarness store(std::make_unique<ZookeeperStore>(spec, ensembleOf(spec).value()));
    QVERIFY(store.open());
    QSet<QByteArray> broken;
    QList<Inspection> seen;
    const int tries = breaksOr(500);
    int stale = 0;
    for (int i = 0; i < tries;) {
        const Inspection now = store.inspect("/lk/a");
        if (now.error) // the queue changed during each reading of it
            QCOMPARE(now.error->code, base::ErrorCode::Busy);
        if (now.error || !now.lock.present)
            continue;
        seen.append(now);
        if (seen.size() > 8)
            seen.removeFirst();
        const bool fresh = QRandomGenerator::global()->bounded(2) == 0;
        const Inspection &old = fresh ? now : seen.at(QRandomGenerator::global()->bounded(seen.size()));
        const ReleaseReport report = store.release(orderFor(old));
        const QList<Outcome> honest{Outcome::Released, Outcome::HolderChanged, Outcome::AlreadyFree};
        QVERIFY2(honest.contains(report.outcome), qPrintable(report.error.line()));
        if (report.outcome == Outcome::Released) {
            const QByteArray &identity = old.lock.identity;
            const QByteArray path = identity.sliced(identity.indexOf("/lk/a/"));
            QVERIFY(!broken.contains(path));
            broken.insert(path);
        } else {
            ++stale;
        }
        ++i;
    }
    for (const auto &racer : racers)
        racer->stopped = true;
    QSet<QByteArray> lost;
    const auto count = [&] {
        lost.clear();
        for (const auto &racer : racers)
            lost += racer->lost;
        return lost.size();
    };
    // The last client may not have given up its place yet.
    QTRY_VERIFY(count() >= broken.size() - qsizetype(racers.size()));
    int taken = 0;
    for (const auto &racer : racers) {
        QVERIFY(!racer->failed);
        taken += racer->taken;
    }
    qInfo("%d places taken, %d released, %d stale guards", taken, int(broken.size()), stale);
    QVERIFY((lost - broken).isEmpty());
    QVERIFY(!broken.isEmpty() && stale > 0);
}

LOCKKEEPER_TEST(TestZookeeperRace)

} // namespace tst_zookeeper_race

#include "tst_zookeeper_race.moc"
