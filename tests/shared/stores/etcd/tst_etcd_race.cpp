// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/etcd/store/etcd_store.h"
#include "tests/support/etcd_server.h"
#include "tests/support/store_harness.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QRandomGenerator>
#include <QSet>
#include <QTest>
#include <QTimer>

namespace tst_etcd_race {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using namespace lockkeeper::stores::etcd;
using namespace lockkeeper::tests;
using domain::Outcome;

namespace {

int breaksOr(int otherwise)
{
    const int told = qEnvironmentVariableIntValue("LOCKKEEPER_RACES");
    return told > 0 ? told : otherwise;
}

/**
 * A client of one plain key, which acquires it like python-etcd3, at full speed. The create revision names
 * each acquisition. The client finds out which acquisitions it lost when it releases them.
 */
class Racer : public QObject
{
public:
    Racer(const SourceSpec &spec, qint64 lease) : m_gateway(*endpointsOf(spec), {}), m_lease(lease) {}

    void take()
    {
        const QJsonObject put{{QStringLiteral("key"), jsonOf(QByteArray("lk/a"))},
                              {QStringLiteral("value"), jsonOf(QByteArray("same"))},
                              {QStringLiteral("lease"), jsonOf(m_lease)}};
        m_gateway.askOnce(
            "kv/txn", transaction(0, {{QStringLiteral("request_put"), put}}), [this](const Answer &answer) {
                failed = failed || answer.error;
                if (stopped || answer.error)
                    return;
                if (!answer.body.value(QLatin1String("succeeded")).toBool()) {
                    take();
                    return;
                }
                const qint64 revision = int64Of(
                    answer.body.value(QLatin1String("header")).toObject().value(QLatin1String("revision")));
                ++taken;
                QTimer::singleShot(QRandomGenerator::global()->bounded(20), this,
                                   [this, revision] { give(revision); });
            });
    }

    QSet<qint64> lost;
    int taken = 0;
    bool stopped = false;
    bool failed = false;

private:
    void give(qint64 revision)
    {
        const QJsonObject key{{QStringLiteral("key"), jsonOf(QByteArray("lk/a"))}};
        m_gateway.askOnce("kv/txn", transaction(revision, {{QStringLiteral("request_delete_range"), key}}),
                          [this, revision](const Answer &answer) {
                              failed = failed || answer.error;
                              if (!answer.error && !answer.body.value(QLatin1String("succeeded")).toBool())
                                  lost.insert(revision);
                              if (!stopped)
                                  take();
                          });
    }
    static QJsonObject transaction(qint64 revision, const QJsonObject &act)
    {
        const QJsonObject created{{QStringLiteral("key"), jsonOf(QByteArray("lk/a"))},
                                  {QStringLiteral("target"), QStringLiteral("CREATE")},
                                  {QStringLiteral("create_revision"), jsonOf(revision)}};
        return {{QStringLiteral("compare"), QJsonArray{created}},
                {QStringLiteral("success"), QJsonArray{act}}};
    }

    Gateway m_gateway;
    qint64 m_lease;
};

} // namespace

class TestEtcdRace : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void noBreakFreesAnotherAcquisition();
};

void TestEtcdRace::initTestCase()
{
    if (!EtcdServer::isInstalled())
        QSKIP(EtcdServer::absent());
}

/** All acquisitions have the same lease and value; the guards are up to eight acquisitions old. */
void TestEtcdRace::noBreakFreesAnotherAcquisition()
{
    EtcdServer etcd;
    QVERIFY(etcd.start());
    SourceSpec spec = sourceOf(etcd.url(), "etcd.lease", "lk/*");
    const qint64 lease = qint64(etcd.grant(600).toULongLong(nullptr, 16));
    std::vector<std::unique_ptr<Racer>> racers;
    for (int i = 0; i < 3; ++i) {
        racers.push_back(std::make_unique<Racer>(spec, lease));
        racers.back()->take();
    }
    StoreHarness store(std::make_unique<EtcdStore>(spec, endpointsOf(spec).value()));
    QVERIFY(store.open());
    QSet<qint64> broken;
    QList<Inspection> seen;
    const int tries = breaksOr(500);
    int stale = 0;
    for (int i = 0; i < tries;) {
        const Inspection now = store.inspect("lk/a");
        QVERIFY(!now.error);
        if (!now.lock.present)
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
            QVERIFY(!broken.contains(old.lock.fencing.toLongLong()));
            broken.insert(old.lock.fencing.toLongLong());
        } else {
            ++stale;
        }
        ++i;
    }
    for (const auto &racer : racers)
        racer->stopped = true;
    QSet<qint64> lost;
    const auto count = [&] {
        lost.clear();
        for (const auto &racer : racers)
            lost += racer->lost;
        return lost.size();
    };
    // The last client may not have released its lock yet.
    QTRY_VERIFY(count() >= broken.size() - qsizetype(racers.size()));
    int taken = 0;
    for (const auto &racer : racers) {
        QVERIFY(!racer->failed);
        taken += racer->taken;
    }
    qInfo("%d acquisitions, %d released, %d stale guards", taken, int(broken.size()), stale);
    QVERIFY((lost - broken).isEmpty());
    QVERIFY(!broken.isEmpty() && stale > 0);
}

LOCKKEEPER_TEST(TestEtcdRace)

} // namespace tst_etcd_race

#include "tst_etcd_race.moc"
