// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/lock_manager.h"
#include "shared/stores/source_spec.h"
#include "tests/support/etcd_server.h"
#include "tests/support/lock_fighter.h"
#include "tests/support/test_program.h"

#include <QTest>

namespace tst_etcd_lock_fights {

using namespace lockkeeper;
using namespace lockkeeper::tests;

/** Foreign clients and the lock library compete for the same lock. */
class TestEtcdLockFights : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void oneAtATime_data();
    void oneAtATime();

private:
    EtcdServer m_etcd;
};

void TestEtcdLockFights::initTestCase()
{
    if (!EtcdServer::isInstalled())
        QSKIP(EtcdServer::absent());
    QVERIFY(m_etcd.start());
}

void TestEtcdLockFights::oneAtATime_data()
{
    QTest::addColumn<QByteArray>("program");
    QTest::addColumn<QByteArray>("language");
    QTest::addColumn<QByteArray>("kind");
    QTest::addColumn<QString>("preset");
    QTest::addColumn<int>("others");
    const auto row = [](const char *program, const char *language, const char *kind, const char *preset = "",
                        int others = 2) {
        QTest::addRow("%s %s", program, kind) << QByteArray(program) << QByteArray(language)
                                              << QByteArray(kind) << QString::fromLatin1(preset) << others;
    };
    row("concurrency", "go", "lock");
    row("concurrency", "go", "election");
    row("jetcd", "java", "lock");
    row("jetcd", "java", "election");
    row("etcd3", "python", "lock", "etcd-key", 1);
    row("etcd3gw", "python", "lock", "etcd-key", 1);
}

void TestEtcdLockFights::oneAtATime()
{
    QFETCH(QByteArray, program);
    QFETCH(QByteArray, language);
    QFETCH(QByteArray, kind);
    QFETCH(QString, preset);
    QFETCH(int, others);
    constexpr int kRounds = 25;
    ForeignProgram theirs(program, language);
    theirs.start({{QStringLiteral("ETCD"), QUrl(m_etcd.clientUrl()).authority()}});
    if (!theirs.isReady())
        QSKIP(qPrintable(theirs.why));
    stores::SourceSpec spec;
    spec.url = m_etcd.url();
    stores::LockSet set;
    set.preset = preset;
    set.scheme = "etcd.lease";
    const auto manager = locks::LockManager::open(spec, set, "me");
    QVERIFY(manager);
    QList<QByteArray> who;
    for (int i = 1; i <= others; ++i)
        who.append(kind + '#' + QByteArray::number(i));
    const bool queues = preset.isEmpty();
    const QByteArray name = program + '-' + kind;
    const QByteArray key = queues ? name : "/locks/" + name;
    fight(
        theirs, who, name,
        [&] {
            return *(*manager)->lock(key, {std::chrono::seconds(10), true});
        },
        kRounds, queues ? kRounds : 0);
}

LOCKKEEPER_TEST(TestEtcdLockFights)

} // namespace tst_etcd_lock_fights

#include "tst_etcd_lock_fights.moc"
