// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/release/bulk_dialog.h"
#include "app/views/release/release_dialog.h"
#include "app/views/release/release_facts.h"
#include "tests/app/views/release/release_rig.h"
#include "tests/support/test_program.h"

#include <QCheckBox>
#include <QClipboard>
#include <QGuiApplication>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QTableWidget>
#include <QtTest>

namespace tst_release_dialog {

using namespace lockkeeper;
using namespace lockkeeper::app::views;
using tests::ReleaseRig;

class TestReleaseDialog : public QObject
{
    Q_OBJECT

private Q_SLOTS:
    void stuckLockIsReleasedWithAReason();
    void enterMovesOnAndNeverReleases();
    void disabledActionSaysWhatIsMissing();
    void whatWillRunIsShownWhole();
    void whatStaysOnTheLeaseIsSaid();
    void actionKeepsItsWord();
    void factsAreWholeWhereThereIsRoom();
    void fitsASmallScreen_data();
    void fitsASmallScreen();
    void actionNeedsReasonNameAndASecond();
    void expiredLeaseNeedsNoName();
    void liveLockOffersOnlyIfNotRenewed();
    void aDeadHoldersLockIsGuardedLikeALiveOne();
    void anotherHolderVoidsTheDialog();
    void anotherCaseVoidsTheDialogAcrossASilence();
    void guardGrowsOld();
    void factsRunOnWhilePaused();
    void agentLostSwitchesReleaseOff();
    void aRefusedReadingSaysWhy();
    void unknownOutcomeOffersNoRetry();
    void anotherHolderAfterALostAnswerIsTold();
    void storeIsLeftAloneOnceAnswered();
    void neverSentIsNotUnknown();
    void doubleClickSendsOnce();
    void hostileNameIsShownLiterally();
    void buttonsKeepTheirPlaces();
    void connectionIsKilledByName();
    void aRowIsNamedAsInTheList();
    void clientsOfOtherStoresAreNotKilled();
    void factsEndWithTheLock();
    void refusalsNameTheirRemedy_data();
    void refusalsNameTheirRemedy();
    void eachNodeHasALine();
    void bulkReleasesOneByOneAndSkipsTheLive();
    void bulkStopLeavesTheRest();
    void bulkShowsTheLocksAsTheyAre();
    void bulkLeavesRoomForNames();
    void bulkKeepsWhatIsTyped();
    void bulkButtonsKeepTheirPlaces();

private:
    struct Open
    {
        std::unique_ptr<ReleaseRig> rig;
        ReleaseDialog *dialog = nullptr;
        QPushButton *action() const { return dialog->findChild<QPushButton *>(QStringLiteral("action")); }
        QPushButton *again() const { return dialog->findChild<QPushButton *>(QStringLiteral("again")); }
        QPushButton *cancel() const { return dialog->findChild<QPushButton *>(QStringLiteral("cancel")); }
        QLineEdit *reason() const { return dialog->findChild<QLineEdit *>(QStringLiteral("reason")); }
        QLineEdit *name() const { return dialog->findChild<QLineEdit *>(QStringLiteral("name")); }
        QLabel *outcome() const { return dialog->findChild<QLabel *>(QStringLiteral("outcome")); }
        QPoint placeOf(const QWidget *part) const { return part->mapTo(dialog, QPoint()); }
        void arm() const
        {
            QTest::keyClicks(reason(), QStringLiteral("paged by on-call"));
            if (name()->isVisible())
                name()->setText(QStringLiteral("lock:a"));
            rig->clock.advanceUs(1'100'000);
        }
        /** Arms the dialog, and clicks once it lets the user. */
        bool release() const
        {
            arm();
            if (!QTest::qWaitFor([this] { return action()->isEnabled(); }, 20'000))
                return false;
            QTest::mouseClick(action(), Qt::LeftButton);
            return true;
        }
    };
    static Open open(const domain::LockState &state, const QByteArray &name = "lock:a");
};

TestReleaseDialog::Open TestReleaseDialog::open(const domain::LockState &state, const QByteArray &name)
{
    Open made;
    made.rig = std::make_unique<ReleaseRig>();
    made.rig->reading = ReleaseRig::readingOf(state);
    made.rig->result.outcome = domain::Outcome::Released;
    made.rig->result.storeUs = 1'795'000'000'000'000;
    if (!made.rig->connectWith({state}) ||
        !QTest::qWaitFor([&] { return made.rig->replica.find(state.key).has_value(); }))
        return made;
    made.dialog =
        new ReleaseDialog(made.rig->context, {state.key.source, state.key.scheme, state.key.place, name},
                          made.rig->controller.get(), &made.rig->window);
    made.dialog->show();
    if (!QTest::qWaitFor([&] { return made.dialog->releaseCase() != ReleaseCase::Reading; }))
        return made;
    return made;
}

void TestReleaseDialog::stuckLockIsReleasedWithAReason()
{
    const Open it = open(ReleaseRig::stuckLock("lock:a"));
    QVERIFY(it.dialog);
    it.rig->answerRelease = false;
    QCOMPARE(it.dialog->releaseCase(), ReleaseCase::Stuck);
    QVERIFY(!it.action()->isEnabled());
    QVERIFY(it.release());
    QTRY_COMPARE(it.rig->sent.size(), 1);
    const protocol::ForceRelease &sent = it.rig->sent.first();
    QCOMPARE(sent.because, domain::Because::Stuck);
    QCOMPARE(sent.reason, QStringLiteral("paged by on-call"));
    QVERIFY(sent.ticket.startsWith("ticket-"));
    QCOMPARE(sent.command.size(), 32);
    QVERIFY(it.rig->replica.isReleasing(sent.key));
    QVERIFY(!it.outcome()->isVisible());
    it.rig->sendResult();
    QTRY_VERIFY(it.outcome()->isVisible());
    QVERIFY(it.outcome()->text().contains(QStringLiteral("Confirmed by the store")));
    QVERIFY(!it.action()->isEnabled());
    QVERIFY(!it.rig->replica.isReleasing(sent.key));
    QCOMPARE(it.rig->commands.at(0)->outcome, domain::Outcome::Released);
}

void TestReleaseDialog::connectionIsKilledByName()
{
    domain::LockState state = ReleaseRig::lock("lock:a");
    state.key.scheme = "sql.row";
    state.session = domain::Session();
    state.session->id = "17";
    state.session->user = "app";
    state.session->client = "10.2.3.4:4711";
    const Open it = open(state);
    QVERIFY(it.dialog);
    QCOMPARE(it.dialog->releaseCase(), ReleaseCase::Connection);
    QCOMPARE(it.dialog->windowTitle(), QStringLiteral("Kill connection 17 to free “lock:a”?"));
    QCOMPARE(it.action()->text(), QStringLiteral("Kill connection"));
    const auto said = [&](const QString &part) {
        const auto labels = it.dialog->findChildren<QLabel *>();
        return std::any_of(labels.cbegin(), labels.cend(),
                           [&](const QLabel *label) { return label->text().contains(part); });
    };
    QVERIFY(said(QStringLiteral("Between check and kill it may begin other work.")));
    QVERIFY(said(QStringLiteral("The program behind the connection isn't stopped.")));
    QVERIFY(it.name()->isVisible());
    QVERIFY(it.release());
    QTRY_COMPARE(it.rig->sent.size(), 1);
    QCOMPARE(it.rig->sent.first().because, domain::Because::Operator);
}

/** "148" alone could be a row of any table. */
void TestReleaseDialog::aRowIsNamedAsInTheList()
{
    domain::LockState state = ReleaseRig::lock("148");
    state.key.scheme = "sql.row";
    state.key.place = "app.stock/PRIMARY";
    state.session = domain::Session();
    state.session->id = "17";
    const Open it = open(state, "148");
    QVERIFY(it.dialog);
    QCOMPARE(it.dialog->windowTitle(), QStringLiteral("Kill connection 17 to free “stock 148”?"));
    QTest::keyClicks(it.reason(), QStringLiteral("paged by on-call"));
    it.rig->clock.advanceUs(1'100'000);
    it.name()->setText(QStringLiteral("148"));
    QVERIFY(!it.action()->isEnabled());
    it.name()->setText(QStringLiteral("stock 148"));
    QTRY_VERIFY(it.action()->isEnabled());
}

/** ZooKeeper shows a holder's session, and a release leaves that session alone. */
void TestReleaseDialog::clientsOfOtherStoresAreNotKilled()
{
    domain::LockState state = ReleaseRig::lock("lock:a");
    state.key.scheme = "zookeeper.sequence";
    state.session = domain::Session();
    state.session->id = "0x17";
    const Open it = open(state);
    QVERIFY(it.dialog);
    QCOMPARE(it.dialog->releaseCase(), ReleaseCase::Live);
    QCOMPARE(it.action()->text(), QStringLiteral("Break live lock"));
    for (const QLabel *label : it.dialog->findChildren<QLabel *>()) {
        for (const QString &word : {QStringLiteral("onnection"), QStringLiteral("ransaction")})
            QVERIFY2(!label->text().contains(word), qPrintable(label->text()));
    }
}

/** A released lock isn't held any longer. */
void TestReleaseDialog::factsEndWithTheLock()
{
    domain::LockState state = ReleaseRig::stuckLock("lock:a");
    state.acquiredUs = 1'794'999'940'000'000;
    const Open it = open(state);
    QVERIFY(it.dialog);
    QVERIFY(it.release());
    QTRY_VERIFY(it.outcome()->isVisible());
    const auto says = [&it](const QString &part) {
        const auto labels = it.dialog->findChildren<QLabel *>();
        return std::any_of(labels.cbegin(), labels.cend(),
                           [&part](const QLabel *label) { return label->text().contains(part); });
    };
    QVERIFY(says(QStringLiteral("1 min 0 s"))); // until the store confirmed it
    it.rig->clock.advanceUs(600'000'000);
    QTRY_VERIFY(says(QStringLiteral("Checked 10 min")));
    QVERIFY(says(QStringLiteral("1 min 0 s")));
}

void TestReleaseDialog::refusalsNameTheirRemedy_data()
{
    QTest::addColumn<domain::ReleaseOff>("why");
    QTest::addColumn<QString>("remedy");
    QTest::newRow("never") << domain::ReleaseOff::BreakNever
                           << QStringLiteral("Set break = \"guarded\" in the lock set");
    QTest::newRow("truncated") << domain::ReleaseOff::Truncated << QStringLiteral("store's own client");
    QTest::newRow("type") << domain::ReleaseOff::WrongType << QStringLiteral("Correct the scheme");
    QTest::newRow("down") << domain::ReleaseOff::SourceDown << QStringLiteral("The Sources view names");
    QTest::newRow("rights") << domain::ReleaseOff::NotPermitted << QStringLiteral("names the grant");
    QTest::newRow("unsupported") << domain::ReleaseOff::Unsupported << QStringLiteral("Stop the holder");
    QTest::newRow("malformed") << domain::ReleaseOff::Malformed << QStringLiteral("Correct the scheme");
    QTest::newRow("shared") << domain::ReleaseOff::SeveralHolders
                            << QStringLiteral("once a single holder is left");
    QTest::newRow("instrument") << domain::ReleaseOff::Instrument << QStringLiteral("turns it on");
    QTest::newRow("system") << domain::ReleaseOff::System << QStringLiteral("End it on the server");
    QTest::newRow("XA") << domain::ReleaseOff::PreparedXa << QStringLiteral("XA ROLLBACK");
    QTest::newRow("young") << domain::ReleaseOff::TooYoung << QStringLiteral("Wait a few seconds");
    QTest::newRow("replica") << domain::ReleaseOff::ReadOnly << QStringLiteral("at the primary");
    QTest::newRow("plain value") << domain::ReleaseOff::NoIdentity
                                 << QStringLiteral("break = \"unsafe\" in the lock set allows a release "
                                                   "without a guard, which may end a later hold");
}

void TestReleaseDialog::refusalsNameTheirRemedy()
{
    QFETCH(domain::ReleaseOff, why);
    QFETCH(QString, remedy);
    domain::LockState state = ReleaseRig::lock("lock:a");
    state.session = domain::Session();
    state.release = {domain::ReleaseSafety::Off, why};
    const Open it = open(state);
    QVERIFY(it.dialog);
    QCOMPARE(it.dialog->releaseCase(), ReleaseCase::Off);
    QVERIFY(!it.action()->isEnabled());
    QVERIFY2(!it.reason()->isEnabled() && !it.name()->isVisible(), "nothing is asked in vain");
    QCOMPARE(it.dialog->findChild<QPlainTextEdit *>(QStringLiteral("willRun"))->toPlainText(),
             QStringLiteral("—")); // nothing can run
    const auto labels = it.dialog->findChildren<QLabel *>();
    QVERIFY(std::any_of(labels.cbegin(), labels.cend(),
                        [&](const QLabel *label) { return label->text().contains(remedy); }));
}

/** Enter keeps the typed text; only the operator's cancel drops it. */
void TestReleaseDialog::enterMovesOnAndNeverReleases()
{
    const Open it = open(ReleaseRig::stuckLock("lock:a"));
    QVERIFY(it.dialog);
    QVERIFY(it.cancel()->isDefault());
    QVERIFY(!it.action()->isDefault() && !it.action()->autoDefault());
    it.dialog->activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(it.dialog));
    QTRY_VERIFY(it.reason()->hasFocus());
    it.arm();
    QTRY_VERIFY(it.action()->isEnabled());
    QTest::keyClick(it.reason(), Qt::Key_Return);
    QVERIFY(it.dialog->isVisible());
    QVERIFY(it.name()->hasFocus());
    QTest::keyClick(it.name(), Qt::Key_Enter);
    QVERIFY(it.dialog->isVisible());
    QCOMPARE(it.reason()->text(), QStringLiteral("paged by on-call"));
    QCOMPARE(it.rig->sent.size(), 0);
    QTest::keyClick(it.reason(), Qt::Key_Escape);
    QVERIFY(!it.dialog->isVisible());
    QCOMPARE(it.rig->sent.size(), 0);
}

void TestReleaseDialog::disabledActionSaysWhatIsMissing()
{
    const Open it = open(ReleaseRig::stuckLock("lock:a"));
    QVERIFY(it.dialog);
    const auto *missing = it.dialog->findChild<QLabel *>(QStringLiteral("missing"));
    QVERIFY(missing);
    QTRY_COMPARE(missing->text(), QStringLiteral("Enter a reason and type the lock's name."));
    QCOMPARE(it.action()->toolTip(), missing->text());
    it.reason()->setText(QStringLiteral("why"));
    QCOMPARE(missing->text(), QStringLiteral("Type the lock's name exactly as shown above."));
    it.name()->setText(QStringLiteral("lock:A"));
    QCOMPARE(missing->text(), QStringLiteral("Type the lock's name exactly as shown above."));
    it.name()->setText(QStringLiteral("lock:a"));
    it.reason()->clear();
    QCOMPARE(missing->text(), QStringLiteral("Enter a reason."));
    it.reason()->setText(QStringLiteral("why"));
    it.rig->clock.advanceUs(1'100'000);
    QTRY_VERIFY(it.action()->isEnabled());
    QCOMPARE(missing->text(), QString());
    QCOMPARE(it.action()->toolTip(), QString());
    it.rig->answerInspect = false;
    it.rig->clock.advanceUs(5'000'000);
    QTRY_COMPARE(missing->text(),
                 QStringLiteral("This information is out of date: the lock is being read again."));
}

void TestReleaseDialog::whatWillRunIsShownWhole()
{
    const domain::LockState state = ReleaseRig::stuckLock("lock:a");
    const Open it = open(state);
    QVERIFY(it.dialog);
    QString command = QStringLiteral("EVAL: IF TYPE 'lock:a' = string");
    for (int i = 0; i < 20; ++i)
        command += QStringLiteral(" AND HGET 'lock:a' 'a field with a long name %1' = …").arg(i);
    it.rig->reading.willRun = command;
    const auto *shown = it.dialog->findChild<QPlainTextEdit *>(QStringLiteral("willRun"));
    QVERIFY(shown);
    const int height = shown->height();
    QTRY_COMPARE_WITH_TIMEOUT(shown->toPlainText(), command, 10'000);
    QVERIFY(shown->isReadOnly());
    QCOMPARE(shown->height(), height); // scrolling instead of growing
    QVERIFY(shown->verticalScrollBar()->maximum() > 0);
    QVERIFY(shown->horizontalScrollBar()->maximum() == 0);
}

void TestReleaseDialog::whatStaysOnTheLeaseIsSaid()
{
    domain::LockState state = ReleaseRig::stuckLock("lk/a");
    const auto facts = [](const Open &it) { return it.dialog->findChild<ReleaseFacts *>()->text(); };
    {
        const Open it = open(state, "lk/a");
        QVERIFY(it.dialog);
        QVERIFY(!facts(it).contains(QLatin1String("Its lease:")));
    }
    state.key.scheme = "etcd.lease";
    const Open it = open(state, "lk/a");
    QVERIFY(it.dialog);
    QVERIFY(facts(it).contains(QLatin1String("Its lease:"))); // already before the reading
    it.rig->reading.companions = {7, {"app/a", "app/\x07"}};
    QTRY_VERIFY_WITH_TIMEOUT(
        facts(it).contains(QLatin1String("Its lease: stays; other keys on it: 7 (app/a, app/\\x07, ")),
        10'000);
    it.rig->reading.companions = {1, {}};
    QTRY_VERIFY_WITH_TIMEOUT(facts(it).contains(QLatin1String("Its lease: stays; other keys on it: 1\n")),
                             10'000);
}

/** The button keeps the word for the offered act, and neither button moves, whatever happens to the lock. */
void TestReleaseDialog::actionKeepsItsWord()
{
    const QByteArray name = "lock:orders:settlement:eu-central-1:checkout:2026-11";
    domain::LockState state = ReleaseRig::lock(name);
    state.key.scheme = "sql.row";
    state.session = domain::Session();
    state.session->id = "17";
    const Open it = open(state, name);
    QVERIFY(it.dialog);
    QCOMPARE(it.dialog->releaseCase(), ReleaseCase::Connection);
    const QRect action(it.placeOf(it.action()), it.action()->size());
    const QRect cancel(it.placeOf(it.cancel()), it.cancel()->size());
    const auto same = [&] {
        QCoreApplication::processEvents(); // the layout's turn
        QCOMPARE(it.action()->text(), QStringLiteral("Kill connection"));
        QCOMPARE(QRect(it.placeOf(it.action()), it.action()->size()), action);
        QCOMPARE(QRect(it.placeOf(it.cancel()), it.cancel()->size()), cancel);
    };
    domain::LockState next = state;
    next.guard = "guard-2";
    it.rig->reading = ReleaseRig::readingOf(next);
    QTRY_COMPARE_WITH_TIMEOUT(it.dialog->releaseCase(), ReleaseCase::Changed, 10'000);
    same();
    it.rig->reading = {};
    QTRY_COMPARE_WITH_TIMEOUT(it.dialog->releaseCase(), ReleaseCase::Gone, 10'000);
    same();
}

/** F9 freezes the tables. The reading for a release and the durations beside it stay current. */
void TestReleaseDialog::factsRunOnWhilePaused()
{
    domain::LockState state = ReleaseRig::lock("lock:a");
    state.expiry = domain::ExpiryKind::At;
    state.expiresUs = tests::FakeClock().wallUs() + 3'600'000'000;
    const Open it = open(state);
    QVERIFY(it.dialog);
    const auto *facts = it.dialog->findChild<ReleaseFacts *>();
    QVERIFY2(facts->text().contains(QLatin1String("Remaining: 01:00:00")), qPrintable(facts->text()));
    it.rig->replica.setPaused(true);
    it.rig->clock.advanceUs(1'800'000'000);
    QTRY_VERIFY2(facts->text().contains(QLatin1String("Remaining: 00:30:00")), qPrintable(facts->text()));
}

void TestReleaseDialog::factsAreWholeWhereThereIsRoom()
{
    const Open it = open(ReleaseRig::stuckLock("lock:a"));
    QVERIFY(it.dialog);
    const auto *facts = it.dialog->findChild<QScrollArea *>(QStringLiteral("facts"));
    QVERIFY(facts);
    QTRY_COMPARE(facts->verticalScrollBar()->maximum(), 0);
}

void TestReleaseDialog::fitsASmallScreen_data()
{
    QTest::addColumn<QString>("language");
    QTest::addColumn<bool>("live");
    for (const char *language : {"en", "zh_CN"}) {
        for (const bool live : {false, true})
            QTest::addRow("%s %s", language, live ? "live" : "stuck")
                << QString::fromLatin1(language) << live;
    }
}

/**
 * 1920 × 1080 at 200 %, less the desktop's own space: everything that an operator has to read and do fits on
 * the screen, and only the facts scroll.
 */
void TestReleaseDialog::fitsASmallScreen()
{
    QFETCH(QString, language);
    QFETCH(bool, live);
    const QByteArray name = "lock:orders:settlement:eu-central-1:checkout:2026-11";
    domain::LockState state = live ? ReleaseRig::lock(name) : ReleaseRig::stuckLock(name);
    for (int i = 1; i <= 5; ++i)
        state.nodes.append(
            {"10.0.0." + QByteArray::number(i) + ":6379", domain::NodeHolds::Holder, "w1", {}});
    const Open it = open(state, name);
    QVERIFY(it.dialog);
    it.rig->language.setLanguage(language);
    constexpr int kLow = 480;
    it.dialog->resize(it.dialog->width(), kLow);
    QCoreApplication::processEvents();
    QCOMPARE(it.dialog->height(), kLow);
    tests::picture(it.dialog, live ? "release-low-live" : "release-low");
    QList<QWidget *> parts{it.action(), it.cancel(), it.reason(), it.name()};
    for (const char *part : {"title", "explanation", "warning"})
        parts.append(it.dialog->findChild<QWidget *>(QLatin1String(part)));
    for (const QWidget *part : std::as_const(parts)) {
        QVERIFY(part && part->isVisible());
        QVERIFY2(it.placeOf(part).y() + part->height() <= kLow, qPrintable(part->objectName()));
        QTRY_VERIFY2(part->visibleRegion().boundingRect() == part->rect(), qPrintable(part->objectName()));
        const auto whole = [part] { return part->height() >= part->heightForWidth(part->width()); };
        QTRY_VERIFY2(whole(), qPrintable(part->objectName()));
    }
}

void TestReleaseDialog::actionNeedsReasonNameAndASecond()
{
    const Open it = open(ReleaseRig::stuckLock("lock:a"));
    QVERIFY(it.dialog);
    it.reason()->setText(QStringLiteral("why"));
    it.name()->setText(QStringLiteral("lock:a"));
    QVERIFY(!it.action()->isEnabled()); // a second has not passed
    it.rig->clock.advanceUs(1'100'000);
    QTRY_VERIFY(it.action()->isEnabled());
    it.name()->setText(QStringLiteral("lock:A"));
    QVERIFY(!it.action()->isEnabled());
    it.name()->setText(QStringLiteral("lock:a"));
    QVERIFY(it.action()->isEnabled());
    it.reason()->setText(QStringLiteral("   "));
    QVERIFY(!it.action()->isEnabled());
}

void TestReleaseDialog::expiredLeaseNeedsNoName()
{
    const Open it = open(ReleaseRig::expiredLock("lock:a"));
    QVERIFY(it.dialog);
    QCOMPARE(it.dialog->releaseCase(), ReleaseCase::Expired);
    QVERIFY(!it.name()->isVisible());
    QVERIFY(it.release());
    QTRY_COMPARE(it.rig->sent.size(), 1);
    QCOMPARE(it.rig->sent.first().because, domain::Because::Expired);
}

void TestReleaseDialog::liveLockOffersOnlyIfNotRenewed()
{
    const Open it = open(ReleaseRig::lock("lock:a"));
    QVERIFY(it.dialog);
    QCOMPARE(it.dialog->releaseCase(), ReleaseCase::Live);
    auto *box = it.dialog->findChild<QCheckBox *>();
    QVERIFY(box->isVisible() && box->isChecked());
    QVERIFY(it.release());
    QTRY_COMPARE(it.rig->sent.size(), 1);
    QVERIFY(it.rig->sent.first().ifNotRenewed);
    QCOMPARE(it.rig->sent.first().because, domain::Because::Operator);
}

void TestReleaseDialog::aDeadHoldersLockIsGuardedLikeALiveOne()
{
    domain::LockState orphan = ReleaseRig::lock("lock:a");
    orphan.stuck = domain::StuckReason::HolderGone;
    const Open it = open(orphan);
    QVERIFY(it.dialog);
    QCOMPARE(it.dialog->releaseCase(), ReleaseCase::HolderGone);
    domain::HolderCheck check;
    check.lock = orphan.key;
    check.guard = orphan.guard;
    check.verdict = domain::HolderVerdict::Dead;
    check.evidence = domain::HolderEvidence::ProcessGone;
    check.target = "4711";
    it.rig->holderChecks = {check};
    const auto *facts = it.dialog->findChild<ReleaseFacts *>();
    it.rig->clock.advanceUs(app::replica::HolderChecks::kAskEveryUs);
    QTRY_VERIFY2(facts->text().contains(QStringLiteral("; probed: dead: process 4711 doesn't exist (")),
                 qPrintable(facts->text()));
    auto *box = it.dialog->findChild<QCheckBox *>();
    QVERIFY(box->isVisible());
    QVERIFY(box->isChecked());
    QVERIFY(it.release());
    QTRY_COMPARE(it.rig->sent.size(), 1);
    QVERIFY(it.rig->sent.first().ifNotRenewed);
    QCOMPARE(it.rig->sent.first().because, domain::Because::Operator);
}

void TestReleaseDialog::anotherHolderVoidsTheDialog()
{
    const Open it = open(ReleaseRig::stuckLock("lock:a"));
    QVERIFY(it.dialog);
    it.arm();
    QTRY_VERIFY(it.action()->isEnabled());
    it.rig->reading = ReleaseRig::readingOf(ReleaseRig::stuckLock("lock:a", "guard-2"));
    QTRY_COMPARE_WITH_TIMEOUT(it.dialog->releaseCase(), ReleaseCase::Changed, 10'000);
    QVERIFY(!it.action()->isEnabled());
    QVERIFY(it.again()->isVisible());
    QTest::mouseClick(it.again(), Qt::LeftButton);
    QTRY_COMPARE(it.dialog->releaseCase(), ReleaseCase::Stuck);
    QVERIFY(!it.action()->isEnabled()); // the name is to be typed again
    QCOMPARE(it.rig->sent.size(), 0);
}

/**
 * An operator who armed the breaking of a live lock finds no other button under the pointer once its store is
 * back.
 */
void TestReleaseDialog::anotherCaseVoidsTheDialogAcrossASilence()
{
    const Open it = open(ReleaseRig::lock("lock:a"));
    QVERIFY(it.dialog);
    QCOMPARE(it.dialog->releaseCase(), ReleaseCase::Live);
    it.arm();
    it.rig->reading.error = base::Error{base::ErrorCode::Unreachable, QStringLiteral("down"), {}};
    QTRY_COMPARE_WITH_TIMEOUT(it.dialog->releaseCase(), ReleaseCase::Unreachable, 20'000);
    it.rig->reading = ReleaseRig::readingOf(ReleaseRig::expiredLock("lock:a")); // the same acquisition
    QTRY_VERIFY_WITH_TIMEOUT(it.dialog->releaseCase() != ReleaseCase::Unreachable, 20'000);
    QCOMPARE(it.dialog->releaseCase(), ReleaseCase::Changed);
    QVERIFY(!it.action()->isEnabled());
    QTest::mouseClick(it.again(), Qt::LeftButton);
    QTRY_COMPARE(it.dialog->releaseCase(), ReleaseCase::Expired);
}

void TestReleaseDialog::guardGrowsOld()
{
    const Open it = open(ReleaseRig::stuckLock("lock:a"));
    QVERIFY(it.dialog);
    it.arm();
    QTRY_VERIFY(it.action()->isEnabled());
    it.rig->answerInspect = false; // the agent doesn't answer any more
    it.rig->clock.advanceUs(5'000'000);
    QTRY_VERIFY(!it.action()->isEnabled());
}

void TestReleaseDialog::agentLostSwitchesReleaseOff()
{
    const Open it = open(ReleaseRig::stuckLock("lock:a"));
    QVERIFY(it.dialog);
    it.arm();
    QTRY_VERIFY(it.action()->isEnabled());
    it.rig->agent.stop();
    QTRY_COMPARE_WITH_TIMEOUT(it.dialog->releaseCase(), ReleaseCase::Unreachable, 10'000);
    QVERIFY(!it.action()->isEnabled());
    const auto *explanation = it.dialog->findChild<QLabel *>(QStringLiteral("explanation"));
    QCOMPARE(explanation->text(), // no mention of the store
             QStringLiteral(
                 "Its agent isn't connected, so the lock can't be read. Force-release is unavailable."));
}

/** A store that refuses a reading can be reached: the dialog reports the refusal. */
void TestReleaseDialog::aRefusedReadingSaysWhy()
{
    const Open it = open(ReleaseRig::stuckLock("lock:a"));
    QVERIFY(it.dialog);
    const auto *explanation = it.dialog->findChild<QLabel *>(QStringLiteral("explanation"));
    it.rig->reading.error = base::Error{base::ErrorCode::PermissionDenied, QStringLiteral("NOPERM"), {}};
    QTRY_VERIFY2_WITH_TIMEOUT(explanation->text().startsWith(QStringLiteral("The lock can't be read: ")),
                              qPrintable(explanation->text()), 20'000);
    QVERIFY2(explanation->text().contains(QStringLiteral("NOPERM")), qPrintable(explanation->text()));
    QVERIFY(!it.action()->isEnabled());
    it.rig->reading.error->code = base::ErrorCode::Unreachable;
    QTRY_VERIFY2_WITH_TIMEOUT(explanation->text().startsWith(QStringLiteral("Can't reach s (last seen")),
                              qPrintable(explanation->text()), 20'000);
}

void TestReleaseDialog::unknownOutcomeOffersNoRetry()
{
    const Open it = open(ReleaseRig::stuckLock("lock:a"));
    QVERIFY(it.dialog);
    it.rig->result.outcome = domain::Outcome::Unknown;
    QVERIFY(it.release());
    QTRY_VERIFY(it.outcome()->isVisible());
    QVERIFY(it.outcome()->text().startsWith(QStringLiteral("Outcome unknown")));
    QVERIFY(!it.action()->isEnabled());
    QCOMPARE(it.again()->text(), QStringLiteral("Read again"));
    QCOMPARE(it.rig->sent.size(), 1);
    it.rig->reading.present = false; // it was carried out, probably
    QTest::mouseClick(it.again(), Qt::LeftButton);
    QTRY_COMPARE(it.dialog->releaseCase(), ReleaseCase::Gone);
    QTest::mouseClick(it.dialog->findChild<QPushButton *>(QStringLiteral("copy")), Qt::LeftButton);
    const QString said = QGuiApplication::clipboard()->text();
    QVERIFY2(said.contains(QStringLiteral("The request whose answer was lost may have released it")),
             qPrintable(said));
    QVERIFY2(!said.contains(QStringLiteral("Nothing was released")), qPrintable(said));
}

/** The hold that the lost request was meant for may have ended by that request. */
void TestReleaseDialog::anotherHolderAfterALostAnswerIsTold()
{
    const Open it = open(ReleaseRig::stuckLock("lock:a"));
    QVERIFY(it.dialog);
    it.rig->result.outcome = domain::Outcome::Unknown;
    QVERIFY(it.release());
    QTRY_VERIFY(it.outcome()->isVisible());
    it.rig->reading = ReleaseRig::readingOf(ReleaseRig::stuckLock("lock:a", "guard-2"));
    QTest::mouseClick(it.again(), Qt::LeftButton);
    QTRY_VERIFY(it.dialog->releaseCase() != ReleaseCase::Reading);
    QCOMPARE(it.dialog->releaseCase(), ReleaseCase::Changed);
    const QString said = it.dialog->findChild<QLabel *>(QStringLiteral("explanation"))->text();
    QVERIFY2(said.contains(QStringLiteral("The request whose answer was lost may have released it before")),
             qPrintable(said));
    QVERIFY2(!said.contains(QStringLiteral("Nothing was released")), qPrintable(said));
    QTest::mouseClick(it.again(), Qt::LeftButton);
    QTRY_COMPARE(it.dialog->releaseCase(), ReleaseCase::Stuck);
}

void TestReleaseDialog::storeIsLeftAloneOnceAnswered()
{
    const Open it = open(ReleaseRig::stuckLock("lock:a"));
    QVERIFY(it.dialog);
    QVERIFY(it.release());
    QTRY_VERIFY(it.outcome()->isVisible());
    const int readings = it.rig->readings;
    Q_EMIT it.rig->replica.offlineChanged(); // a further occasion to read, as every two seconds
    bool answered = false;
    it.rig->session.askAgentOf({}, protocol::StatusQuery(), this,
                               [&answered](const base::Result<protocol::Status> &) { answered = true; });
    QTRY_VERIFY(answered); // with it, the earlier questions as well
    QCOMPARE(it.rig->readings, readings);
}

/** With several agents, the console may be the last to learn that one agent has gone. */
void TestReleaseDialog::neverSentIsNotUnknown()
{
    ReleaseRig rig;
    std::optional<domain::Outcome> told;
    rig.controller->send({ReleaseRig::lock("lock:a").key, "ticket-1", {}, false, QStringLiteral("why")},
                         &rig.window,
                         [&told](const protocol::ReleaseResult &result) { told = result.outcome; });
    QTRY_VERIFY(told);
    QCOMPARE(*told, domain::Outcome::Unreachable); // nothing sent, hence nothing released
    QCOMPARE(rig.commands.at(0)->outcome, *told);
}

void TestReleaseDialog::doubleClickSendsOnce()
{
    const Open it = open(ReleaseRig::stuckLock("lock:a"));
    QVERIFY(it.dialog);
    it.rig->answerRelease = false;
    it.arm();
    QTRY_VERIFY(it.action()->isEnabled());
    QTest::mouseDClick(it.action(), Qt::LeftButton);
    QTest::mouseClick(it.action(), Qt::LeftButton);
    QTRY_COMPARE(it.rig->sent.size(), 1);
    QVERIFY(it.rig->replica.isReleasing(it.rig->sent.first().key));
    it.rig->answerRelease = true;
}

void TestReleaseDialog::hostileNameIsShownLiterally()
{
    const QByteArray name = "<img src=x>\xe2\x80\xae"
                            "a";
    const Open it = open(ReleaseRig::stuckLock(name), name);
    QVERIFY(it.dialog);
    const auto labels = it.dialog->findChildren<QLabel *>();
    bool shown = false;
    for (const QLabel *label : labels) {
        QCOMPARE(label->textFormat(), Qt::PlainText);
        shown = shown || label->text().contains(QStringLiteral("<img src=x>\\u202ea"));
    }
    QVERIFY(shown);
    it.name()->setText(QStringLiteral("<img src=x>\\u202ea"));
    it.reason()->setText(QStringLiteral("why"));
    it.rig->clock.advanceUs(1'100'000);
    QTRY_VERIFY(it.action()->isEnabled());
    QTest::mouseClick(it.action(), Qt::LeftButton);
    QTRY_COMPARE(it.rig->sent.size(), 1);
    QCOMPARE(it.rig->sent.first().key.name, name);
}

void TestReleaseDialog::buttonsKeepTheirPlaces()
{
    const Open it = open(ReleaseRig::stuckLock("lock:a"));
    QVERIFY(it.dialog);
    const QPoint action = it.placeOf(it.action());
    const QPoint cancel = it.placeOf(it.cancel());
    QVERIFY(it.cancel()->geometry().right() + 24 <= it.action()->geometry().left());
    it.rig->reading = ReleaseRig::readingOf(ReleaseRig::stuckLock("lock:a", "guard-2"));
    QTRY_COMPARE_WITH_TIMEOUT(it.dialog->releaseCase(), ReleaseCase::Changed, 10'000);
    QCOMPARE(it.placeOf(it.action()), action);
    QCOMPARE(it.placeOf(it.cancel()), cancel);
}

/**
 * The user can read and copy a Redlock's nodes and the commands that will run. Continuing moves no button.
 */
void TestReleaseDialog::eachNodeHasALine()
{
    domain::LockState state = ReleaseRig::stuckLock("lock:a");
    state.nodes = {{"10.0.0.1:6379", domain::NodeHolds::Holder, "w1", {}},
                   {"10.0.0.2:6379", domain::NodeHolds::Holder, "w1", {}},
                   {"10.0.0.3:6379", domain::NodeHolds::Unreachable, {}, {}}};
    const Open it = open(state);
    QVERIFY(it.dialog);
    QTest::mouseClick(it.dialog->findChild<QPushButton *>(QStringLiteral("copy")), Qt::LeftButton);
    const QString copied = QGuiApplication::clipboard()->text();
    for (const char *part : {"10.0.0.1:6379: holder's token, no expiry\n",
                             "10.0.0.3:6379: can't be reached\n", "DEL if the value is still w1\n"})
        QVERIFY2(copied.contains(QLatin1String(part)), qPrintable(copied));
    const QPoint action = it.placeOf(it.action());
    const QPoint reason = it.placeOf(it.reason());
    domain::LockState changed = ReleaseRig::stuckLock("lock:a", "guard-2");
    it.rig->reading = ReleaseRig::readingOf(changed);
    QTRY_COMPARE_WITH_TIMEOUT(it.dialog->releaseCase(), ReleaseCase::Changed, 10'000);
    QTest::mouseClick(it.again(), Qt::LeftButton);
    QTRY_COMPARE(it.dialog->releaseCase(), ReleaseCase::Stuck);
    QCoreApplication::processEvents(); // the layout's turn
    QCOMPARE(it.placeOf(it.action()), action);
    QCOMPARE(it.placeOf(it.reason()), reason);
}

void TestReleaseDialog::bulkReleasesOneByOneAndSkipsTheLive()
{
    ReleaseRig rig;
    const QList<domain::LockState> locks{ReleaseRig::stuckLock("a", "ga"), ReleaseRig::lock("b", "gb"),
                                         ReleaseRig::stuckLock("c", "gc")};
    rig.result.outcome = domain::Outcome::Released;
    QVERIFY(rig.connectWith(locks));
    QTRY_COMPARE(rig.replica.locks().size(), 3);
    const auto usual = rig.agent.answer;
    rig.agent.answer = [&](const protocol::Message &message) {
        if (const auto *inspect = std::get_if<protocol::Inspect>(&message)) {
            for (const domain::LockState &lock : locks) {
                if (lock.key.name == inspect->key.name)
                    rig.reading = ReleaseRig::readingOf(lock);
            }
        }
        return usual(message);
    };
    BulkDialog dialog(rig.context, {locks.at(0).key, locks.at(1).key, locks.at(2).key}, rig.controller.get());
    dialog.show();
    auto *action = dialog.findChild<QPushButton *>(QStringLiteral("action"));
    dialog.findChild<QLineEdit *>(QStringLiteral("reason"))->setText(QStringLiteral("why"));
    dialog.findChild<QLineEdit *>(QStringLiteral("number"))->setText(QStringLiteral("3"));
    rig.clock.advanceUs(1'100'000);
    QVERIFY(!action->isEnabled()); // two of them can be released
    dialog.findChild<QLineEdit *>(QStringLiteral("number"))->setText(QStringLiteral("2"));
    QTRY_VERIFY(action->isEnabled());
    QTest::mouseClick(action, Qt::LeftButton);
    QTRY_VERIFY(dialog.items().at(2).result.has_value());
    QCOMPARE(rig.sent.size(), 2);
    QCOMPARE(rig.sent.at(0).key.name, QByteArray("a"));
    QCOMPARE(rig.sent.at(1).key.name, QByteArray("c"));
    QVERIFY(rig.sent.at(0).ticket != rig.sent.at(1).ticket);
    QCOMPARE(dialog.items().at(1).skip, Skip::Live);
    QVERIFY(!action->isEnabled());
}

void TestReleaseDialog::bulkStopLeavesTheRest()
{
    ReleaseRig rig;
    const QList<domain::LockState> locks{ReleaseRig::stuckLock("a"), ReleaseRig::stuckLock("b")};
    rig.answerInspect = false; // the first stays under way
    QVERIFY(rig.connectWith(locks));
    QTRY_COMPARE(rig.replica.locks().size(), 2);
    BulkDialog dialog(rig.context, {locks.at(0).key, locks.at(1).key}, rig.controller.get());
    dialog.show();
    dialog.findChild<QLineEdit *>(QStringLiteral("reason"))->setText(QStringLiteral("why"));
    dialog.findChild<QLineEdit *>(QStringLiteral("number"))->setText(QStringLiteral("2"));
    rig.clock.advanceUs(1'100'000);
    auto *action = dialog.findChild<QPushButton *>(QStringLiteral("action"));
    QTRY_VERIFY(action->isEnabled());
    QTest::mouseClick(action, Qt::LeftButton);
    QTest::mouseClick(dialog.findChild<QPushButton *>(QStringLiteral("stop")), Qt::LeftButton);
    QCOMPARE(dialog.items().at(1).skip, Skip::Stopped);
    QCOMPARE(rig.sent.size(), 0);
}

/** A live lock that the bulk release leaves out is renewed meanwhile: it isn't about to expire. */
void TestReleaseDialog::bulkShowsTheLocksAsTheyAre()
{
    ReleaseRig rig;
    domain::LockState live = ReleaseRig::lock("b", "gb");
    live.expiry = domain::ExpiryKind::At;
    live.ttlMs = 30'000;
    live.expiresUs = rig.clock.wallUs() + 29'000'000;
    const domain::LockState stuck = ReleaseRig::stuckLock("a", "ga");
    rig.reading = ReleaseRig::readingOf(stuck);
    rig.result.outcome = domain::Outcome::Released;
    QVERIFY(rig.connectWith({stuck, live}));
    QTRY_COMPARE(rig.replica.locks().size(), 2);
    domain::SourceState source = rig.source(live.key.source);
    source.pollMs = 600'000; // nothing observes: it mustn't look stale meanwhile
    rig.show({source});
    QTRY_VERIFY(!rig.replica.sources().isEmpty());
    BulkDialog dialog(rig.context, {stuck.key, live.key}, rig.controller.get());
    dialog.show();
    const auto *table = dialog.findChild<QTableWidget *>();
    QCOMPARE(table->item(1, 0)->text(), QStringLiteral("Held"));
    rig.clock.advanceUs(26'000'000);
    live.expiresUs = rig.clock.wallUs() + 29'000'000;
    events::LockEvent renewed = tests::acquired(live);
    renewed.kind = events::EventKind::Renewed;
    rig.agent.publish(renewed);
    rig.agent.publish(tests::released(stuck));
    rig.replica.flush();
    QTRY_VERIFY(!rig.replica.find(stuck.key));
    dialog.findChild<QLineEdit *>(QStringLiteral("reason"))->setText(QStringLiteral("why"));
    dialog.findChild<QLineEdit *>(QStringLiteral("number"))->setText(QStringLiteral("1"));
    auto *action = dialog.findChild<QPushButton *>(QStringLiteral("action"));
    QTRY_VERIFY(action->isEnabled());
    QTest::mouseClick(action, Qt::LeftButton);
    QTRY_VERIFY(dialog.items().at(0).result.has_value());
    QTRY_COMPARE(table->item(1, 0)->text(), QStringLiteral("Held"));
    QCOMPARE(table->item(0, 0)->text(), QStringLiteral("Free"));
}

/** The columns with a few words about each lock leave the rest of the width to the names. */
void TestReleaseDialog::bulkLeavesRoomForNames()
{
    ReleaseRig rig;
    const QByteArray name = "lock:orders:checkout:2026-11-26:eu-west-1";
    const QList<domain::LockState> locks{ReleaseRig::stuckLock(name), ReleaseRig::lock("live")};
    QVERIFY(rig.connectWith(locks));
    QTRY_COMPARE(rig.replica.locks().size(), 2);
    BulkDialog dialog(rig.context, {locks.at(0).key, locks.at(1).key}, rig.controller.get());
    dialog.resize(800, 480);
    dialog.show();
    const auto *table = dialog.findChild<QTableWidget *>();
    const auto fits = [table](int row, int column) {
        return table->fontMetrics().horizontalAdvance(table->item(row, column)->text()) + 16 <=
               table->columnWidth(column);
    };
    QTRY_VERIFY2(fits(0, 1), qPrintable(QString::number(table->columnWidth(1))));
    for (const int column : {2, 3})
        QVERIFY(fits(0, column) && fits(1, column));
    tests::picture(&dialog, "bulk");
    const int verdicts = table->columnWidth(3);
    table->item(0, 0)->setCheckState(Qt::Unchecked); // nothing moves under the pointer
    QVERIFY(fits(0, 3));
    QCOMPARE(table->columnWidth(3), verdicts);
}

void TestReleaseDialog::bulkKeepsWhatIsTyped()
{
    ReleaseRig rig;
    const QList<domain::LockState> locks{ReleaseRig::stuckLock("a"), ReleaseRig::stuckLock("b")};
    QVERIFY(rig.connectWith(locks));
    QTRY_COMPARE(rig.replica.locks().size(), 2);
    BulkDialog dialog(rig.context, {locks.at(0).key, locks.at(1).key}, rig.controller.get());
    dialog.show();
    dialog.activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&dialog));
    auto *reason = dialog.findChild<QLineEdit *>(QStringLiteral("reason"));
    auto *number = dialog.findChild<QLineEdit *>(QStringLiteral("number"));
    const auto *action = dialog.findChild<QPushButton *>(QStringLiteral("action"));
    const auto *summary = dialog.findChild<QLabel *>(QStringLiteral("summary"));
    QVERIFY(summary);
    QTRY_COMPARE(summary->text(), QStringLiteral("Enter a reason and type the number %1.").arg(2));
    reason->setText(QStringLiteral("why"));
    QTest::keyClick(reason, Qt::Key_Return);
    QVERIFY(dialog.isVisible());
    QVERIFY(number->hasFocus());
    QCOMPARE(summary->text(), QStringLiteral("Type the number %1 to confirm.").arg(2));
    number->setText(QStringLiteral("2"));
    QTest::keyClick(number, Qt::Key_Return);
    QVERIFY(dialog.isVisible());
    rig.clock.advanceUs(1'100'000);
    QTRY_VERIFY(action->isEnabled());
    QCOMPARE(summary->text(), QString());
    QCOMPARE(rig.sent.size(), 0);
}

void TestReleaseDialog::bulkButtonsKeepTheirPlaces()
{
    ReleaseRig rig;
    QList<domain::LockState> locks;
    QList<domain::LockKey> keys;
    for (int i = 0; i < 10; ++i) {
        locks.append(ReleaseRig::stuckLock("lock-" + QByteArray::number(i)));
        keys.append(locks.last().key);
    }
    QVERIFY(rig.connectWith(locks));
    QTRY_COMPARE(rig.replica.locks().size(), 10);
    BulkDialog dialog(rig.context, keys, rig.controller.get());
    dialog.show();
    const auto *cancel = dialog.findChild<QPushButton *>(QStringLiteral("cancel"));
    const auto *action = dialog.findChild<QPushButton *>(QStringLiteral("action"));
    QTRY_COMPARE(action->text(), QStringLiteral("Force-release %1").arg(10));
    QCoreApplication::processEvents(); // the layout's turn
    const QRect cancelAt = cancel->geometry();
    const QRect actionAt = action->geometry();
    dialog.findChild<QTableWidget *>()->item(0, 0)->setCheckState(Qt::Unchecked);
    QCOMPARE(action->text(), QStringLiteral("Force-release %1").arg(9));
    QVERIFY(action->sizeHint().width() < actionAt.width());
    QCoreApplication::processEvents();
    QCOMPARE(cancel->geometry(), cancelAt);
    QCOMPARE(action->geometry(), actionAt);
}

LOCKKEEPER_TEST(TestReleaseDialog)

} // namespace tst_release_dialog

#include "tst_release_dialog.moc"
