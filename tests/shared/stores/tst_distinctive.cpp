// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/distinctive.h"
#include "tests/support/test_program.h"

namespace tst_distinctive {

using lockkeeper::stores::isDistinctive;

/** Which tokens name one acquisition by themselves: values as clients write them. */
class TestDistinctive : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void tokens_data();
    void tokens();
    void longOnesAreQuick();
};

void TestDistinctive::tokens_data()
{
    QTest::addColumn<QByteArray>("token");
    QTest::addColumn<bool>("distinctive");
    const auto row = [](const char *name, const QByteArray &token, bool distinctive) {
        QTest::newRow(name) << token << distinctive;
    };
    row("redis-py", "a3f1c2d4e5b64f708192a3b4c5d6e7f8", true);
    row("UUID", "3b5f0c1e-8d0a-4c7e-9f2b-6a1d5e4c3b2a", true);
    row("UUID in a text", "ADDED:x@host:3b5f0c1e-8d0a-4c7e-9f2b-6a1d5e4c3b2a", true);
    row("bsm/redislock, base64 for URLs", "mZc3-fQ8kT1v_R2yXw9LbA", true);
    row("python-redis-lock, base64", "q3JX0bW9zq2lY5oVtR8kZ1pC", true);
    row("Laravel, 16 letters and digits", "aB3xK9mQ2wZ7pL4t", true);
    row("18 random bytes", QByteArray::fromHex("8f3a00c19b77e2d4415ac09e33f1b2a76d08"), true);
    row("16 hexadecimal digits, one of 16 begins so", "0a3f1c2d4e5b64f7", true);
    row("64 random bits, padded to 128", "0000000000000000a3f1c2d4e5b64f70", true);
    row("a thread, padded", "00007f3a1c2b7700", false);
    row("a host and a thread on ARM, padded", "worker-3:0000FFFF9C2B77A0", false);
    row("a counter, padded", "000000000000000000000000000012af", false);
    row("nothing", "", false);
    row("a pickled 1 (huey)", QByteArray::fromHex("80059505000000000000008c0131942e"), false);
    row("a pickled host",
        QByteArray::fromHex("8005950e000000000000008c0a") + "worker-17a" + QByteArray::fromHex("942e"),
        false);
    row("Chinese words", "订单服务工作者一号机", false);
    row("true", "true", false);
    row("1", "1", false);
    row("locked", "locked", false);
    row("a host", "ip-10-0-3-17.eu-west-1.compute.internal", false);
    row("a container", "4f2a9c1b7d3e", false);
    row("a pod", "orders-7d9f8b6c5d-x2k4q", false);
    row("words joined by dashes", "MyCompany-Production-Server1", false);
    row("a path", "/Users/Bob/app1/worker2/Main", false);
    row("seconds", "1795212345", false);
    row("microseconds and a counter", "1795212345678901-17", false);
    row("a date and a host", "2026-11-22T10:00:00.123Z@job-runner-2", false);
    row("host and process", "worker-3@10.2.3.17:4711", false);
}

void TestDistinctive::tokens()
{
    QFETCH(QByteArray, token);
    QFETCH(bool, distinctive);
    QCOMPARE(isDistinctive(token), distinctive);
}

void TestDistinctive::longOnesAreQuick()
{
    QVERIFY(!isDistinctive(QByteArray(64 * 1024, 'a')));
    QVERIFY(!isDistinctive(QByteArray("a-").repeated(32 * 1024)));
}

LOCKKEEPER_TEST(TestDistinctive)

} // namespace tst_distinctive

#include "tst_distinctive.moc"
