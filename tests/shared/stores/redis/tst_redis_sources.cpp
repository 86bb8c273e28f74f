// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test_program.h"

#include <QDirIterator>
#include <QFile>
#include <QRegularExpression>
#include <QTest>

namespace tst_redis_sources {

/**
 * No unguarded way to remove a lock exists. Commands that remove or overwrite a key stand in the
 * Lua scripts only, after the comparison, and the one SET of the lock client carries NX.
 */
class TestRedisSources : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase()
    {
        m_root = qEnvironmentVariable("LOCKKEEPER_SOURCE");
        QVERIFY(QDir(m_root + QStringLiteral("/shared/stores/redis")).exists());
    }

    void theScanFindsWhatItLooksFor_data()
    {
        QTest::addColumn<QString>("code");
        QTest::addColumn<bool>("guarded");
        const auto row = [](const char *code, bool guarded) {
            QTest::newRow(code) << QString::fromLatin1(code) << guarded;
        };
        row("send({\"DEL\", key})", false);
        row("send({\"unlink\", key})", false);
        row("append(\"FLUSHDB\")", false);
        row("send({\"SET\", key, value})", false);
        row("send({\"SET\", key, value, \"NX\", \"PX\", ttl})", true);
        row("send({\"KEYS\", \"*\"})", false);
        row("formatted(\"DEL %b\")", false);
        row("send({\"EXPIRE\", key, \"0\"})", false);
        row("send({\"GETRANGE\", key})", true);
        row("if (event == \"del\" || event == \"set\")", true);
        row("for (const char *event : {\"set\", \"del\"})", true);
    }
    void theScanFindsWhatItLooksFor()
    {
        QFETCH(QString, code);
        QFETCH(bool, guarded);
        QCOMPARE(offence(code).isEmpty(), guarded);
    }

    void noCommandRemovesALockUnguarded()
    {
        int files = 0;
        for (const QString &folder :
             {QStringLiteral("/shared"), QStringLiteral("/agent"), QStringLiteral("/app")}) {
            QDirIterator it(m_root + folder, {QStringLiteral("*.cpp"), QStringLiteral("*.h")}, QDir::Files,
                            QDirIterator::Subdirectories);
            while (it.hasNext()) {
                const QString path = it.next();
                const bool redis = path.mid(m_root.size()).contains(QLatin1String("/redis"));
                const QString found = redis ? offence(read(path)) : QString();
                QVERIFY2(found.isEmpty(), qPrintable(path + QStringLiteral(": ") + found));
                files += redis ? 1 : 0;
            }
        }
        QVERIFY(files > 20);
    }

    void scriptsCompareBeforeTheyDelete()
    {
        QDirIterator it(m_root + QStringLiteral("/resources/lua"), {QStringLiteral("*.lua")}, QDir::Files);
        int removing = 0;
        static const QRegularExpression comment(QStringLiteral("--[^\n]*"));
        // The beginning of the fair lock's scripts. It drops waiters that let their turn pass, as Redisson
        // does.
        const QString queue = read(m_root + QStringLiteral("/resources/lua/redis_redisson_queue.lua"));
        while (it.hasNext()) {
            const QString path = it.next();
            if (path.endsWith(QLatin1String("_queue.lua")))
                continue;
            const bool fair = path.contains(QLatin1String("_fair_"));
            QString text = (fair ? queue : QString()) + read(path);
            text.remove(comment);
            static const QRegularExpression removal(QStringLiteral("call\\('(DEL|ZREM|HDEL)'"));
            const qsizetype del = text.indexOf(removal);
            QVERIFY(!text.contains(QLatin1String("FLUSH")) && !text.contains(QLatin1String("'UNLINK'")));
            if (del < 0)
                continue;
            ++removing;
            const QStringView before = QStringView(text).first(del);
            // A member of a set, or a field of a hash, is named by the command itself.
            static const QRegularExpression own(QStringLiteral(
                "^call\\('(ZREM|HDEL)', (KEYS\\[1\\], ARGV\\[1\\]|timeouts, (first|me)|lock, me)\\)"));
            const bool member = text.mid(del).contains(own);
            static const QRegularExpression compared(QStringLiteral("~= (ARGV\\[|value)"));
            if (!member)
                QVERIFY(before.contains(compared));
            QVERIFY((fair ? QStringView(text) : before).contains(QLatin1String("redis.call('TYPE'")));
        }
        QCOMPARE(removing, 9);
    }

private:
    static QString read(const QString &path)
    {
        QFile file(path);
        return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
    }

    /** The first literal that begins with a command which may take a lock away; empty: none. */
    static QString offence(QString code)
    {
        // A literal that is compared with the server's own words is no command, nor is the name of an event.
        static const QRegularExpression event(QStringLiteral("\\w+ == \"\\w+\"|\\bevent : \\{[^}]*\\}"));
        code.remove(event);
        static const QRegularExpression bare(
            QStringLiteral(
                "\"(DEL|UNLINK|FLUSHDB|FLUSHALL|GETDEL|RENAME|RENAMENX|MOVE|RESTORE|EXPIRE|PEXPIRE|EXPIREAT|"
                "PEXPIREAT|PERSIST|GETSET|SETRANGE|APPEND|KEYS|SETEX|PSETEX|MSET|SWAPDB)[\" ]"),
            QRegularExpression::CaseInsensitiveOption);
        static const QRegularExpression set(QStringLiteral("\"SET\"(?![^;]*\"NX\")"),
                                            QRegularExpression::CaseInsensitiveOption);
        const auto match = bare.match(code);
        return match.hasMatch() ? match.captured() : set.match(code).captured();
    }

    QString m_root;
};

LOCKKEEPER_TEST(TestRedisSources)

} // namespace tst_redis_sources

#include "tst_redis_sources.moc"
