// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/advice_formatter.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QRegularExpression>
#include <QSet>
#include <QTest>

namespace tst_advice_formatter {

using namespace lockkeeper;
using app::words::AdviceFormatter;
using domain::Advice;
using domain::AdviceCode;

/** Advice in words, and its document. */
class TestAdviceFormatter : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void eachCode_data();
    void eachCode();
    void leaseTooShort();
    void hostileTextIsEscaped();
    void durations_data();
    void durations();
};

void TestAdviceFormatter::eachCode_data()
{
    QTest::addColumn<int>("code");
    for (int code = 0; code <= int(domain::kLastAdviceCode); ++code)
        QTest::newRow(domain::adviceCodeName(AdviceCode(code)).data()) << code;
}

/** Each has its own words without a hole in them, and a section in both languages. */
void TestAdviceFormatter::eachCode()
{
    QFETCH(int, code);
    Advice advice;
    advice.code = AdviceCode(code);
    static const QRegularExpression hole(QStringLiteral("%[0-9]"));
    static QSet<QString> seen;
    for (const QString &text : {AdviceFormatter::title(advice.code), AdviceFormatter::evidence(advice),
                                AdviceFormatter::change(advice)}) {
        QVERIFY(!text.isEmpty() && !text.contains(hole));
        QVERIFY2(!seen.contains(text), qPrintable(text));
        seen.insert(text);
    }
    if (advice.code == AdviceCode::Unknown)
        return;
    const QByteArray heading = "\n## " + domain::adviceCodeName(advice.code).toByteArray() + '\n';
    for (const char *place : {"", "zh-CN/"}) {
        QFile document(qEnvironmentVariable("LOCKKEEPER_SOURCE") +
                       QStringLiteral("/resources/docs/operators/") + QLatin1String(place) +
                       QStringLiteral("advice.md"));
        QVERIFY(document.open(QIODevice::ReadOnly));
        QVERIFY2(document.readAll().contains(heading), place);
    }
}

void TestAdviceFormatter::leaseTooShort()
{
    Advice advice;
    advice.code = AdviceCode::LeaseTooShort;
    advice.figures = {{QStringLiteral("holds"), 400},
                      {QStringLiteral("ttl_us"), 10'000'000},
                      {QStringLiteral("late"), 12},
                      {QStringLiteral("expired"), 0}};
    advice.ttlUs = 20'000'000;
    QCOMPARE(AdviceFormatter::evidence(advice),
             QStringLiteral("The lease lasts 10 s. 12 of 400 holds took more than four fifths of it."));
    QCOMPARE(AdviceFormatter::change(advice),
             QStringLiteral("Use a lease of 20 s, or renew the lock while the work runs."));
    advice.figures.insert(QStringLiteral("expired"), 3);
    QVERIFY(
        AdviceFormatter::evidence(advice).endsWith(QStringLiteral("3 more ended only because it ran out.")));
}

void TestAdviceFormatter::hostileTextIsEscaped()
{
    Advice advice;
    advice.code = AdviceCode::UnusuallyLongHold;
    advice.holder = "w1\n\x1b[31m%1";
    const QString text = AdviceFormatter::evidence(advice);
    QVERIFY2(!text.contains(QLatin1Char('\n')) && !text.contains(QChar(0x1b)), qPrintable(text));
}

void TestAdviceFormatter::durations_data()
{
    QTest::addColumn<qint64>("us");
    QTest::addColumn<QString>("text");
    QTest::newRow("milliseconds") << 340'000LL << QStringLiteral("340 ms");
    QTest::newRow("seconds") << 9'240'000LL << QStringLiteral("9.2 s");
    QTest::newRow("whole seconds") << 10'000'000LL << QStringLiteral("10 s");
    QTest::newRow("minutes") << 720'000'000LL << QStringLiteral("12 min");
    QTest::newRow("hours") << 12'600'000'000LL << QStringLiteral("3.5 h");
}

void TestAdviceFormatter::durations()
{
    QFETCH(qint64, us);
    QTEST(AdviceFormatter::duration(us), "text");
}

LOCKKEEPER_TEST(TestAdviceFormatter)

} // namespace tst_advice_formatter

#include "tst_advice_formatter.moc"
