// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/words.h"

#include <QSet>
#include <QTest>

using namespace lockkeeper;
using app::presentation::Words;

/** Every code has words, and no two codes of a kind the same ones. */
class WordsTest : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void badges()
    {
        distinct(app::state::kBadgeCount, [](int i) { return Words::badge(app::state::Badge(i)); });
    }
    void events()
    {
        distinct(int(events::Kind::SourceDown) + 1, [](int i) { return Words::event(events::Kind(i)); });
    }
    void outcomes()
    {
        distinct(int(domain::Outcome::Probed) + 1, [](int i) { return Words::outcome(domain::Outcome(i)); });
        distinct(int(domain::Outcome::Probed) + 1,
                 [](int i) { return Words::outcomeSentence(domain::Outcome(i)); });
    }
    void errors()
    {
        distinct(int(base::ErrorCode::Shutdown) + 1, [](int i) { return Words::error(base::ErrorCode(i)); });
    }
    void releases()
    {
        distinct(int(domain::ReleaseOff::ReadOnly) + 1,
                 [](int i) { return Words::releaseOff(domain::ReleaseOff(i)); });
    }
    void evidence()
    {
        distinct(int(domain::Evidence::Notification) + 1,
                 [](int i) { return Words::evidence(domain::Evidence(i)); });
    }
    void links()
    {
        distinct(3, [](int i) { return Words::link(domain::Link(i)); });
        distinct(2, [](int i) { return Words::mode(domain::ObservationMode(i)); });
        distinct(3, [](int i) { return Words::because(domain::Because(i)); });
    }
    void holdEnds()
    {
        QCOMPARE(Words::holdEnd("released"), Words::event(events::Kind::Released));
        QCOMPARE(Words::holdEnd("force_released"), Words::event(events::Kind::ForceReleased));
        QVERIFY(Words::holdEnd({}) != Words::holdEnd("gap"));
        QCOMPARE(Words::holdEnd("of_a_later_version"), QStringLiteral("of_a_later_version"));
    }

private:
    static void distinct(int count, const std::function<QString(int)> &word)
    {
        QSet<QString> seen;
        for (int i = 0; i < count; ++i) {
            QVERIFY2(!word(i).isEmpty(), qPrintable(QString::number(i)));
            QVERIFY2(!seen.contains(word(i)), qPrintable(word(i)));
            seen.insert(word(i));
        }
    }
};

QTEST_MAIN(WordsTest)
#include "tst_words.moc"
