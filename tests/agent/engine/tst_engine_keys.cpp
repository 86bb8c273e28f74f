// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/agent/engine/engine_rig.h"

#include <QTest>

using namespace lockkeeper::tests;

/** Keys that stay when nobody holds them, and permits that others remove. */
class EngineKeysTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void keysThatStay_data();
    void keysThatStay();
};

void EngineKeysTest::keysThatStay_data()
{
    QTest::addColumn<QString>("script");
    QTest::addColumn<QString>("expected");
    const auto row = [](const char *name, const char *script, const char *expected) {
        QTest::newRow(name) << QString::fromLatin1(script) << QString::fromLatin1(expected);
    };
    row("given back, with another end of its run", "at 500\n pass j;H;8800|run=1\n at 1000\n pass j;H;-|idle",
        "acquired j by H at 500 window 500 ttl 8800\n released j by H at 1000 window 500 ttl 8800 seen 500");
    row("another one took it and gave it back, unseen: only what was seen is told",
        "at 500\n pass j;H;8800|run=1\n at 1000\n pass j;K;-|idle",
        "acquired j by H at 500 window 500 ttl 8800\n released j by H at 1000 window 500 ttl 8800 seen 500");
    row("written by two at once", "at 500\n pass j;H;8800|run=1\n at 900\n pass j;K;8800|run=1",
        "acquired j by H at 500 window 500 ttl 8800\n"
        "taken_over j by K at 900 window 400 ttl 8800 {\"previous\":\"H\"}");
    row("idle, and its key runs out", "at 500\n pass j;H;-|idle\n at 1000\n pass\n at 1001\n look j",
        "~ j free by H\n ? j\n - j");
    row("a permit is given back", "at 500\n pass j;H;800|permit\n at 900\n pass\n at 901\n look j",
        "acquired j by H at 500 window 500 ttl 800\n ? j\n released j by H at 901 window 401 ttl 800 seen "
        "500");
    row("a permit that has run out is removed by the next client",
        "at 500\n pass j;H;800|permit\n at 1400\n pass\n at 1401\n look j",
        "acquired j by H at 500 window 500 ttl 800\n ? j\n expired j by H at 1300 ttl 800 seen 500");
    row("a permit that has run out is still there",
        "at 500\n pass j;H;800|permit\n at 1400\n pass j;H;-100|permit",
        "acquired j by H at 500 window 500 ttl 800\n expired j by H at 1300 ttl 800 seen 500");
}

void EngineKeysTest::keysThatStay()
{
    QFETCH(QString, script);
    QFETCH(QString, expected);
    EngineRig rig(EngineRig::redisSpec());
    rig.run(QStringLiteral("up\npass"));
    QStringList wanted;
    for (const QString &line : expected.split(QLatin1Char('\n'), Qt::SkipEmptyParts))
        wanted.append(line.trimmed());
    QCOMPARE(rig.run(script).trimmed(), wanted.join(QLatin1Char('\n')));
}

QTEST_GUILESS_MAIN(EngineKeysTest)
#include "tst_engine_keys.moc"
