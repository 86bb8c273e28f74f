// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/history_model.h"
#include "app/presentation/event_formatter.h"
#include "app/views/table/list_page.h"
#include "app/views/table/list_view.h"

#include <QTimeZone>
#include <QTimer>

#include <memory>

class QLineEdit;
class QPushButton;
class QStackedWidget;
class QTabBar;
class QToolButton;

namespace lockkeeper::app::views {

class FieldError;
class HoldsPage;
class LiveFreeze;
class PlainLabel;
class TimeBar;

/**
 * Shows the journal's events, newest first, and reads them from the agent in pages while the operator
 * scrolls. Tails the journal while the newest row is in sight, no row is selected and the mouse isn't on the
 * table; otherwise shows how many events are new. Each gap is a row. GUI thread.
 */
class HistoryView : public ListView
{
    Q_OBJECT

public:
    explicit HistoryView(const ConsoleContext &context, QWidget *parent = nullptr);
    ~HistoryView() override;

    QByteArray id() const override { return QByteArrayLiteral("history"); }
    QString title() const override;
    QString iconName() const override { return QStringLiteral("view-history"); }
    void setFilter(const QString &text) override;
    void activate() override;
    void refresh() override;
    QVariantMap saveState() const override;
    void restoreState(const QVariantMap &state) override;

    models::HistoryModel *model() const { return m_model.get(); }
    HoldsPage *holds() const { return m_holds; }

protected:
    void showEvent(QShowEvent *event) override;
    void hideEvent(QHideEvent *event) override;

private:
    void build();
    QWidget *buildBar();
    void buildEvents();
    void buildFoot();
    void buildTabs();
    EmptyList emptyText();
    void connectModel();
    void retranslate() final;
    void showTab();
    bool onHolds() const;
    void showEventText();
    QWidget *buildEventText();
    const events::LockEvent *currentEvent() const;
    void openTimeline(const events::LockEvent &event);
    void showPhase();
    QString readingText() const;
    void showReading();
    void readOn();
    void showFoot();
    void onScrolled();
    void follow();
    void prefetch();
    void keepTop(int rows);
    void goToNewest();
    void setGoTo(qint64 us);
    void restateGoTo();
    void goToTyped();
    void buildTimeBar();
    void showTimeBarLater();
    void showTimeBar();
    void askOldest();

    std::unique_ptr<models::HistoryModel> m_model;
    models::ReleaseLookup m_releases;
    presentation::EventFormatter m_formatter;
    QTabBar *m_tabs = nullptr;
    QStackedWidget *m_pages = nullptr; ///< events and holds
    HoldsPage *m_holds = nullptr;
    PlainLabel *m_eventText = nullptr; ///< the current event in full
    QPushButton *m_stateAt = nullptr;  ///< at its time
    QPushButton *m_around = nullptr;   ///< the timeline around its time
    FieldError *m_goToError = nullptr;
    LiveFreeze *m_freeze = nullptr;
    QLineEdit *m_goTo = nullptr;
    QPushButton *m_go = nullptr;
    QToolButton *m_new = nullptr;
    ListPage *m_events = nullptr;
    PlainLabel *m_progress = nullptr;
    QPushButton *m_cancel = nullptr;
    TimeBar *m_timeBar = nullptr;
    QTimeZone m_goToZone; ///< the zone of the time field
    QTimer m_timeBarLater;
    qint64 m_oldestUs = 0; ///< of the journal; 0: not known yet
    bool m_asked = false;
    bool m_followed = false; ///< the view tailed when it was hidden
};

} // namespace lockkeeper::app::views
