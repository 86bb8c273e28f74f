// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/timeline_formatter.h"
#include "app/timeline/bars_model.h"
#include "app/timeline/lane_order.h"
#include "app/timeline/scene.h"
#include "app/timeline/timeline_reader.h"
#include "app/timeline/view_range.h"
#include "app/views/table/list_view.h"

#include <QTimer>

class QComboBox;
class QPushButton;
class QStackedWidget;
class QToolButton;

namespace lockkeeper::app::views {

class FilterLine;
class PlainLabel;
class ElidedLabel;
class StatePage;
class TimelineCanvas;
class TimelineLegend;
class TimelineStrip;

/** The lanes that the timeline shows. */
enum class LaneChoice : quint8 { Locks = 0, Holders, Sources, Selected };

/**
 * Shows holds and waits over time; the operator can zoom, pan and brush, or see the same as a table. Asks the
 * agent for as much as a screen can show. Follows the present until the operator moves the range, and then
 * stays. GUI thread.
 */
class TimelineView : public ListView
{
    Q_OBJECT

public:
    explicit TimelineView(const ConsoleContext &context, QWidget *parent = nullptr);
    ~TimelineView() override;

    QByteArray id() const override { return QByteArrayLiteral("timeline"); }
    QString title() const override;
    QString iconName() const override { return QStringLiteral("view-timeline"); }
    bool selectsLocks() const override { return true; }
    bool showsLock(const domain::LockKey &key) const override;
    /** The number of lanes, or of the table's rows. */
    std::optional<qint64> shownRows() const override;
    qint64 selectedRows() const override;
    void activate() override;
    void refresh() override;
    void setFilter(const QString &text) override;
    bool copyText() override;
    bool exportRows() override;
    bool canExport() const override { return m_reader.hasRead(); }
    std::optional<ViewPicture> picture() const override;
    QVariantMap saveState() const override;
    void restoreState(const QVariantMap &state) override;

    /** Shows the lanes of these locks. */
    void showLocks(const QList<domain::LockKey> &keys);
    /** Shows the minutes around `us`, with the mark there. */
    void lookAt(qint64 us);

    /** All lanes as PNG, or as SVG by the file's name. */
    QByteArray pictureFor(const QString &path) const;

    TimelineCanvas *canvas() const { return m_canvas; }
    timeline::BarsModel *model() { return &m_model; }
    const timeline::TimelineReader &reader() const { return m_reader; }
    const timeline::ViewRange &viewRange() const { return m_range; }

Q_SIGNALS:
    void detailAsked();

protected:
    void showEvent(QShowEvent *event) override;

private:
    void build();
    QWidget *buildBar();
    QWidget *buildFoot();
    void connectCanvas();
    void connectState();
    void retranslate() final;
    LaneChoice choice() const;
    void applyLanes(bool rankAgain);
    void tick();
    void takeEvents(const QList<events::LockEvent> &events);
    timeline::SeenUntil seenUntil() const;
    void showRange();
    void moveRange(const timeline::TimeRange &range);
    void showChart();
    void showState();
    void showMoment();
    void showBrush();
    void showStrip();
    void select();
    void togglePin(const timeline::LaneId &lane);
    void showMenu(const QPoint &global, const timeline::Hit &hit, qint64 us);
    std::optional<domain::LockKey> lockOf(const timeline::Hit &hit) const;
    void askHistory(const timeline::TimeRange &range);
    void copyPicture() const;

    presentation::TimelineFormatter m_words;
    timeline::TimelineReader m_reader;
    timeline::ViewRange m_range;
    timeline::LaneOrder m_order;
    timeline::BarsModel m_model;
    timeline::LaneFilter m_filtered; ///< the typed filter, without the choice of lanes
    QList<domain::LockKey> m_chosen; ///< of LaneChoice::Selected
    bool m_rankAgain = true;         ///< the next chart comes in the agent's order; otherwise lanes stay
    bool m_selecting = false;
    bool m_wasLoading = false;
    timeline::SeenUntil m_seen;
    std::optional<qint64> m_hoverUs;
    qsizetype m_hoverLane = -1;
    QTimer m_second;
    QTimer m_again; ///< limits the readings that events cause
    QTimer m_slow;  ///< "Reading…" after a moment

    FilterLine *m_filter = nullptr;
    QComboBox *m_lanes = nullptr;
    QToolButton *m_zoomIn = nullptr;
    QToolButton *m_zoomOut = nullptr;
    QToolButton *m_back = nullptr;
    QPushButton *m_fit = nullptr;
    QPushButton *m_follow = nullptr;
    QPushButton *m_asTable = nullptr;
    ElidedLabel *m_shown = nullptr; ///< the range in words
    TimelineCanvas *m_canvas = nullptr;
    TimelineLegend *m_legend = nullptr;
    TimelineStrip *m_strip = nullptr;
    ListPage *m_list = nullptr; ///< the bars as a table
    StatePage *m_page = nullptr;
    QStackedWidget *m_stack = nullptr;
    ElidedLabel *m_moment = nullptr;
    QPushButton *m_stateAt = nullptr;
    QWidget *m_brushBar = nullptr;
    QPushButton *m_brushZoom = nullptr;
    QPushButton *m_brushHistory = nullptr;
    QPushButton *m_brushContention = nullptr;
    PlainLabel *m_note = nullptr;
};

} // namespace lockkeeper::app::views
