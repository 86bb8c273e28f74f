// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/lock_fighter.h"

#include <QDir>
#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <QTimer>

namespace lockkeeper::tests {

using namespace std::chrono_literals;

Fighter::Fighter(std::unique_ptr<locks::Lock> lock, QString folder, int rounds)
    : m_lock(std::move(lock)), m_folder(std::move(folder)), m_left(rounds)
{
    next();
}

void Fighter::next()
{
    isDone = m_left-- == 0;
    if (!isDone)
        m_lock->acquire({}, [this](const base::Result<bool> &result) { onAcquired(result); });
}

void Fighter::onAcquired(const base::Result<bool> &result)
{
    if (!result || !*result) {
        ++failures;
        next();
        return;
    }
    if (!QDir().mkdir(inside()))
        ++overlaps;
    QFile holders(m_folder + QStringLiteral("/holders"));
    if (!holders.open(QIODevice::Append) || holders.write("O") != 1)
        ++failures;
    QTimer::singleShot(1ms, this, &Fighter::leave);
}

void Fighter::leave()
{
    QDir().rmdir(inside());
    m_lock->release([this](const base::Result<bool> &given) {
        if (!given || !*given)
            ++failures;
        QTimer::singleShot(20ms, this, &Fighter::next);
    });
}

void fight(ForeignProgram &theirs, const QList<QByteArray> &who, const QByteArray &name,
           const std::function<std::unique_ptr<locks::Lock>()> &ours, int rounds, int leastHandOvers)
{
    QTemporaryDir folder;
    const QByteArray order =
        " fight " + name + " 10000 " + QByteArray::number(2 * rounds) + ' ' + folder.path().toUtf8();
    for (const QByteArray &one : who)
        QCOMPARE(theirs.ask(one + order), QByteArray("waiting"));
    QFile file(folder.filePath(QStringLiteral("holders")));
    QTRY_VERIFY_WITH_TIMEOUT(file.exists(), 30'000); // they have begun
    Fighter one(ours(), folder.path(), rounds);
    Fighter two(ours(), folder.path(), rounds);
    QTRY_VERIFY_WITH_TIMEOUT(one.isDone && two.isDone, 120'000);
    for (qsizetype i = 0; i < who.size(); ++i)
        QCOMPARE(theirs.waited(), QByteArray("got 0"));
    QCOMPARE(one.overlaps + two.overlaps, 0);
    QCOMPARE(one.failures + two.failures, 0);
    QVERIFY(file.open(QIODevice::ReadOnly));
    const QByteArray holders = file.readAll();
    QCOMPARE(holders.size(), 2 * rounds * (1 + who.size()));
    const qsizetype handOvers = holders.count("TO") + holders.count("OT");
    qInfo() << handOvers << "hand-overs between the two";
    QVERIFY(handOvers > leastHandOvers);
}

} // namespace lockkeeper::tests
