// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/glob.h"
#include "shared/base/text.h"
#include "tests/support/test_program.h"

#include <QElapsedTimer>
#include <QRandomGenerator>
#include <QTest>

#include <array>

namespace tst_glob_relation {

using namespace lockkeeper;
using base::GlobRelation;
using base::relationOf;

/** The relation of two globs: known pairs, and random pairs checked against every short name. */
class GlobRelationTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void pairs_data();
    void pairs();
    void randomGlobsAgreeWithTheirNames();
    void staysFast_data();
    void staysFast();
};

void GlobRelationTest::pairs_data()
{
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    QTest::addColumn<int>("relation");
    const auto row = [](const char *name, const char *a, const char *b, GlobRelation relation) {
        QTest::newRow(name) << QByteArray(a) << QByteArray(b) << int(relation);
    };
    row("equal", "lock:*", "lock:*", GlobRelation::Same);
    row("written otherwise", "lock:**", "lock:*", GlobRelation::Same);
    row("quoted letter", "\\lock:[a]", "lock:a", GlobRelation::Same);
    row("star and question mark swap", "*?", "?*", GlobRelation::Same);
    row("all", "*", "lock:*", GlobRelation::Wider);
    row("prefix", "lock:*", "lock:pay:*", GlobRelation::Wider);
    row("prefix, the other way", "lock:pay:*", "lock:*", GlobRelation::Narrower);
    row("one name", "lock:*", "lock:a", GlobRelation::Wider);
    row("the empty rest", "lock:*", "lock:", GlobRelation::Wider);
    row("suffix", "*:lock", "a:*:lock", GlobRelation::Wider);
    row("class", "job-[a-z]", "job-[x-z]", GlobRelation::Wider);
    row("negated class", "job-?", "job-[^x]", GlobRelation::Wider);
    row("class covers in parts", "[ab]*", "[ab]?*", GlobRelation::Wider);
    row("two stars", "*a*", "*a*a*", GlobRelation::Wider);
    row("permits beside locks", "*", "{*}:timeout", GlobRelation::Wider);
    row("crossing ends", "lock:*", "*:pay", GlobRelation::Crossing);
    row("crossing classes", "[a-m]*", "[k-z]*", GlobRelation::Crossing);
    row("crossing lengths", "a??*", "?b*", GlobRelation::Crossing);
    row("other prefixes", "lock:*", "job:*", GlobRelation::Apart);
    row("other lengths", "lock:?", "lock:??", GlobRelation::Apart);
    row("other capitals", "Lock:*", "lock:*", GlobRelation::Apart);
    row("a quoted star", "lock:\\*", "lock:a", GlobRelation::Apart);
    row("classes apart", "[^a]*", "a*", GlobRelation::Apart);
    row("a bracket that stays open", "a[b", "a[b", GlobRelation::Same);
    row("bytes that aren't UTF-8", "\xff*", "\xff\xfe*", GlobRelation::Wider);
}

void GlobRelationTest::pairs()
{
    QFETCH(const QByteArray, a);
    QFETCH(const QByteArray, b);
    QFETCH(const int, relation);
    QCOMPARE(int(relationOf(a, b)), relation);
    const GlobRelation back = relation == int(GlobRelation::Wider)      ? GlobRelation::Narrower
                              : relation == int(GlobRelation::Narrower) ? GlobRelation::Wider
                                                                        : GlobRelation(relation);
    QCOMPARE(int(relationOf(b, a)), int(back));
}

void GlobRelationTest::randomGlobsAgreeWithTheirNames()
{
    constexpr std::array<const char *, 8> kParts{"a", "b", "*", "*", "?", "[ab]", "[^a]", "\\a"};
    QList<QByteArray> names{QByteArray()};
    for (qsizetype i = 0; names.size() < 1'093; ++i) { // all of up to six of these letters
        for (const char c : {'a', 'b', 'c'})
            names.append(names.at(i) + c);
    }
    QRandomGenerator random(20261128);
    const auto glob = [&] {
        QByteArray text;
        for (quint32 left = random.bounded(5U); left > 0; --left)
            text += kParts.at(random.bounded(quint32(kParts.size())));
        return text;
    };
    for (int round = 0; round < 3'000; ++round) {
        const QByteArray a = glob();
        const QByteArray b = glob();
        bool both = false;
        bool onlyA = false;
        bool onlyB = false;
        for (const QByteArray &name : std::as_const(names)) {
            const bool inA = base::globMatches(a, name);
            const bool inB = base::globMatches(b, name);
            both = both || (inA && inB);
            onlyA = onlyA || (inA && !inB);
            onlyB = onlyB || (inB && !inA);
        }
        const GlobRelation wanted = !both            ? GlobRelation::Apart
                                    : onlyA && onlyB ? GlobRelation::Crossing
                                    : onlyA          ? GlobRelation::Wider
                                    : onlyB          ? GlobRelation::Narrower
                                                     : GlobRelation::Same;
        QVERIFY2(relationOf(a, b) == wanted, (a + " and " + b).constData());
    }
}

void GlobRelationTest::staysFast_data()
{
    QTest::addColumn<QByteArray>("a");
    QTest::addColumn<QByteArray>("b");
    QTest::newRow("many stars") << QByteArray("*a").repeated(40) + '*' << QByteArray("*b").repeated(40) + '*';
    QTest::newRow("long") << QByteArray("x").repeated(5'000) + '*' << QByteArray("x").repeated(6'000);
    QTest::newRow("question marks") << '*' + ('a' + QByteArray("?").repeated(40))
                                    << "*b" + QByteArray("?").repeated(39);
}

/** A configuration is read at each start and reload, so any pattern must be compared quickly. */
void GlobRelationTest::staysFast()
{
    QFETCH(const QByteArray, a);
    QFETCH(const QByteArray, b);
    QElapsedTimer timer;
    timer.start();
    QVERIFY(relationOf(a, b) != GlobRelation::Apart);
    QVERIFY2(timer.elapsed() < 10'000, qPrintable(QString::number(timer.elapsed())));
}

LOCKKEEPER_TEST(GlobRelationTest)

} // namespace tst_glob_relation

#include "tst_glob_relation.moc"
