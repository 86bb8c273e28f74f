// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/release_ground.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <functional>

namespace tst_release_ground {

using namespace lockkeeper;
using namespace lockkeeper::stores;
using domain::Outcome;

namespace {

/** An order that may be sent, until a row spoils it. */
struct Case
{
    SourceSpec spec;
    ReleaseOrder order;
    ReleaseGround ground;

    Case()
    {
        spec.name = QStringLiteral("jobs");
        LockSet &set = spec.locks.emplaceBack();
        set.scheme = "redis.token";
        order.guard = {{QStringLiteral("jobs"), "redis.token", "db0", "lock:a"}, "run-1", "token", "1000"};
        order.checkFreshness = true;
        ground.place = "db0";
        ground.instance = "run-1";
        ground.otherRun = {Outcome::HolderChanged,
                           {base::ErrorCode::Unknown, QStringLiteral("restarted"), {}}};
    }
};

using Spoil = std::function<void(Case &)>;

} // namespace

/** Orders that never reach any store. */
class TestReleaseGround : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void refuses_data()
    {
        QTest::addColumn<Spoil>("spoil");
        QTest::addColumn<QString>("cause");
        const auto row = [](const char *name, const char *cause, const Spoil &spoil) {
            QTest::newRow(name) << spoil << QString::fromUtf8(cause);
        };
        row("nothing wrong", "", [](Case &) {});
        row("no such set", "no such lock set", [](Case &one) { one.order.set = 1; });
        row("never", "the configuration says break = \"never\"",
            [](Case &one) { one.spec.locks[0].breakMode = BreakMode::Never; });
        row("no identity", "the lock has no identity to guard with",
            [](Case &one) { one.order.guard.identity.clear(); });
        row("no identity, whatever the configuration says", "the lock has no identity to guard with",
            [](Case &one) {
                one.order.guard.identity.clear();
                one.spec.locks[0].breakMode = BreakMode::Unsafe;
            });
        row("no identity, judged by the row", "", [](Case &one) {
            one.order.guard.identity.clear();
            one.ground.wholeGuard = false;
        });
        row("another source", "the guard belongs to another lock set",
            [](Case &one) { one.order.guard.key.source = QStringLiteral("other"); });
        row("another scheme", "the guard belongs to another lock set",
            [](Case &one) { one.order.guard.key.scheme = "redis.json"; });
        row("another database", "the guard belongs to another lock set",
            [](Case &one) { one.order.guard.key.place = "db1"; });
        row("another run", "restarted", [](Case &one) { one.ground.instance = "run-2"; });
        row("nobody knows which run", "restarted",
            [](Case &one) { one.ground.instance = one.order.guard.instance = QByteArray(); });
        row("no deadline to compare", "the guard doesn't contain the deadline that was read",
            [](Case &one) { one.order.guard.freshness.clear(); });
        row("no deadline, and none asked for", "", [](Case &one) {
            one.order.guard.freshness.clear();
            one.order.checkFreshness = false;
        });
        row("a replica", "the server is a replica", [](Case &one) { one.ground.replica = true; });
    }
    void refuses()
    {
        QFETCH(Spoil, spoil);
        QFETCH(QString, cause);
        Case one;
        spoil(one);
        const auto refusal = refusalOf(one.order, one.spec, one.ground);
        QCOMPARE(refusal ? refusal->error.cause : QString(), cause);
        if (refusal)
            QCOMPARE(refusal->outcome,
                     cause == QLatin1String("restarted") ? Outcome::HolderChanged : Outcome::Refused);
    }
};

LOCKKEEPER_TEST(TestReleaseGround)

} // namespace tst_release_ground

#include "tst_release_ground.moc"
