// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/holder_words.h"
#include "tests/support/test_program.h"

#include <QSet>
#include <QTest>

namespace tst_holder_words {

using namespace lockkeeper;
using app::words::HolderWords;
using domain::HolderEvidence;

class TestHolderWords : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void everyEvidenceHasItsOwnWords();
    void verdictEvidenceAndAge();
    void hostileTextIsEscaped();
    void nothingToShowWithoutARule();
};

void TestHolderWords::everyEvidenceHasItsOwnWords()
{
    QSet<QString> texts;
    for (int i = 0; i <= int(domain::kLastHolderEvidence); ++i) {
        domain::HolderCheck check;
        check.evidence = HolderEvidence(i);
        check.target = "target";
        check.number = 503;
        check.error.cause = QStringLiteral("no route to host");
        const QString text = HolderWords::evidence(check);
        QVERIFY2(!text.isEmpty() && !text.contains(QLatin1Char('%')), qPrintable(text));
        texts.insert(text);
    }
    QCOMPARE(texts.size(), int(domain::kLastHolderEvidence) + 1);
}

void TestHolderWords::verdictEvidenceAndAge()
{
    domain::HolderCheck check;
    check.verdict = domain::HolderVerdict::Dead;
    check.evidence = HolderEvidence::PodGone;
    check.target = "shop/orders-7f9";
    QCOMPARE(HolderWords::line(check, 4'000'000),
             QStringLiteral("dead: pod shop/orders-7f9 doesn't exist (4.0 s ago)"));
    check.verdict = domain::HolderVerdict::Unknown;
    check.evidence = HolderEvidence::HttpStatus;
    check.target = "http://10.0.0.7/healthz";
    check.number = 503;
    QCOMPARE(HolderWords::line(check, -5), // another clock
             QStringLiteral("unknown: http://10.0.0.7/healthz answered with status 503 (0 ms ago)"));
}

void TestHolderWords::hostileTextIsEscaped()
{
    domain::HolderCheck check;
    check.evidence = HolderEvidence::PodGone;
    check.target = "a\n\xe2\x80\xae%1";
    const QString text = HolderWords::line(check, 0);
    QVERIFY2(!text.contains(QLatin1Char('\n')) && !text.contains(QChar(0x202e)), qPrintable(text));
}

void TestHolderWords::nothingToShowWithoutARule()
{
    domain::HolderCheck check;
    QVERIFY(!HolderWords::hasAnswer(check));
    check.evidence = HolderEvidence::TimedOut;
    QVERIFY(HolderWords::hasAnswer(check));
}

LOCKKEEPER_TEST(TestHolderWords)

} // namespace tst_holder_words

#include "tst_holder_words.moc"
