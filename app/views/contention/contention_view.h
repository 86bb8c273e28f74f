// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/contention_model.h"
#include "app/presentation/contention_formatter.h"
#include "app/views/table/rows_view.h"
#include "shared/events/observed.h"

#include <QDateTime>

class QComboBox;
class QDateTimeEdit;
class QScrollArea;
class QSplitter;
class QStackedWidget;

namespace lockkeeper::app::views {

class BannerArea;
class BlockersPanel;
class ContentionPanel;
class DataTable;
class FilterLine;
class PlainLabel;
class StatePage;

/** A range of the contention view. */
enum class ContentionRange : quint8 { Hour = 0, LastNight, Day, Week, Custom };

/**
 * The ends of a range in microseconds. `now` is in the displayed zone, where last night lasts from 22:00 to
 * 8:00. Custom returns the last day. Pure.
 */
std::pair<qint64, qint64> boundsOf(ContentionRange range, const QDateTime &now);

/** The length of a range's slices in microseconds; a range has some hundred slices at most. Pure. */
qint64 stepFor(qint64 rangeUs);

/**
 * Ranks locks by their cost in a range of time, with the selected lock's course below. Reads the agent's
 * journal when the view is shown and on F5. Shows how much of the range was observed, and where a scheme
 * doesn't show the waiters. GUI thread.
 */
class ContentionView : public RowsView
{
    Q_OBJECT

public:
    explicit ContentionView(const ConsoleContext &context, QWidget *parent = nullptr);
    ~ContentionView() override;

    QByteArray id() const override { return QByteArrayLiteral("contention"); }
    QString title() const override;
    QString iconName() const override { return QStringLiteral("view-contention"); }
    void activate() override;
    void refresh() override;
    std::optional<ViewPicture> picture() const override;
    void focusFilter() override;
    void setFilter(const QString &text) override;
    void setRange(qint64 fromUs, qint64 toUs) override;
    QVariantMap saveState() const override;
    void restoreState(const QVariantMap &state) override;

    models::ContentionModel *model() { return &m_model; }
    const ContentionPanel *panel() const { return m_panel; }
    BlockersPanel *blockers() const { return m_blockers; }

protected:
    void resizeEvent(QResizeEvent *event) override;
    bool eventFilter(QObject *watched, QEvent *event) override;

private:
    void build();
    void retranslate() final;
    QWidget *buildBar();
    void fitCourse();
    void chooseRange();
    filter::Query takeRange(const filter::Query &query);
    void dropTyped();
    events::Interval editedRange() const; ///< milliseconds exact
    void showZone();
    void select();
    void open(int row);
    void showMenu(const QPoint &at);
    void askHistory(const domain::LockKey &key, events::Interval span, const QString &more = {});
    void showGroup(const domain::LockKey &key);
    void askWaits(const domain::LockKey &waiter, events::Interval span);
    void showCourse();
    void showState();
    void showStale(const base::Error &error, DataTable *table, events::Interval range);
    /** Holders or statements are ranked; empty: locks, their groups, or waiters. */
    std::optional<domain::ContentionRanking> blockerRanking() const;
    void chooseRanking();
    void showBlockers();
    void showPage(const base::Error &error, bool isLoading, bool hasRead);
    QString observedText() const;

    models::ContentionModel m_model;
    presentation::ContentionFormatter m_formatter;
    DataTable *m_table = nullptr;
    StatePage *m_page = nullptr;
    QSplitter *m_split = nullptr;
    QScrollArea *m_course = nullptr; ///< the panel; scrolls in a low window
    QStackedWidget *m_stack = nullptr;
    QComboBox *m_range = nullptr;
    QComboBox *m_group = nullptr;
    FilterLine *m_filter = nullptr;
    QDateTimeEdit *m_from = nullptr;
    QDateTimeEdit *m_to = nullptr;
    std::optional<events::Interval> m_typed; ///< in the filter; box and fields show it
    PlainLabel *m_observed = nullptr;
    ContentionPanel *m_panel = nullptr;
    BlockersPanel *m_blockers = nullptr;
    std::optional<domain::LockKey> m_selected;
    BannerArea *m_banner = nullptr;
    PlainLabel *m_note = nullptr;
};

} // namespace lockkeeper::app::views
