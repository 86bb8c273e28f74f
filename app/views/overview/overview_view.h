// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/overview/attention_model.h"
#include "app/overview/live_overview.h"
#include "app/views/overview/attention_formatter.h"
#include "app/views/overview/past_reader.h"
#include "app/views/widgets/view.h"

#include <QTimer>

#include <array>

class QLabel;
class QMenu;
class QPushButton;
class QStackedWidget;

namespace lockkeeper::app::views {

class AttentionTable;
class BannerArea;
class CostsPanel;
class FigureTile;
class FiredList;
class LiveFreeze;
class PlainLabel;
class SourceStrip;
class StatePage;
class VerdictBand;
class WaitingPanel;

/**
 * Shows if anything is wrong now: a verdict with its numbers, and the locks that need attention. Also shows
 * the last hour beside others, the highest waiting costs, the force-releases, and the sources with their
 * gaps. Every number opens the items that it counts. Values follow each second; rows move at the tick, and
 * not while frozen. GUI thread.
 */
class OverviewView : public View
{
    Q_OBJECT

public:
    explicit OverviewView(const ConsoleContext &context, QWidget *parent = nullptr);
    ~OverviewView() override;

    QByteArray id() const override { return QByteArrayLiteral("overview"); }
    QString title() const override;
    QString iconName() const override { return QStringLiteral("view-overview"); }
    bool selectsLocks() const override { return true; }
    bool hasRoomForDetail() const override { return false; }
    bool showsLock(const domain::LockKey &key) const override;
    std::optional<qint64> shownRows() const override { return m_model.rowCount(); }
    qint64 selectedRows() const override;
    void activate() override;
    void refresh() override;
    bool copyText() override;

    /** The window's Lock menu; not owned. */
    void setContextMenu(QMenu *menu);
    /** Refreshes the view, once a second; `tick`: rows may move, too. */
    void look(bool tick);
    overview::AttentionModel *model() { return &m_model; }
    AttentionTable *table() const { return m_table; }

protected:
    void showEvent(QShowEvent *event) override;

private:
    enum Tile {
        UnseenTile,
        HeldTile,
        UnreadableTile,
        StuckTile,
        ExpiredTile,
        ContendedTile,
        WaitingTile,
        LongestTile
    };
    static constexpr std::size_t kTiles = LongestTile + 1;

    void build();
    QWidget *buildTiles();
    QWidget *buildAttention();
    void retranslate() final;
    void second();
    void updatePage();
    void askPast();
    qint64 agentNowUs() const;
    void showPast();
    void connectPast();
    void showVerdict();
    void showTiles();
    std::optional<qint64> waitingNow() const;
    bool isAnySeen() const; ///< false: the counts of locks aren't known
    void openTile(int tile);
    void openLock(const domain::LockKey &key);
    void openLocks(const QString &filter);

    overview::LiveOverview m_live;
    overview::AttentionModel m_model;
    AttentionFormatter m_formatter;
    overview::Overview m_overview;
    PastReader m_past;
    WaitingPanel *m_waiting = nullptr;
    CostsPanel *m_costs = nullptr;
    BannerArea *m_banner = nullptr;
    QTimer m_slow; ///< running out means that the first answer is late
    VerdictBand *m_verdict = nullptr;
    FiredList *m_fired = nullptr;
    std::array<FigureTile *, kTiles> m_tiles{};
    PlainLabel *m_sourceTilesTitle = nullptr;
    PlainLabel *m_lockTilesTitle = nullptr;
    QLabel *m_attentionTitle = nullptr;
    QStackedWidget *m_attentionStack = nullptr;
    AttentionTable *m_table = nullptr;
    PlainLabel *m_calm = nullptr;
    QPushButton *m_more = nullptr;
    QLabel *m_sourcesTitle = nullptr;
    SourceStrip *m_sources = nullptr;
    LiveFreeze *m_freeze = nullptr;
    StatePage *m_page = nullptr;
    QStackedWidget *m_stack = nullptr;
    QTimer m_second;
    QTimer m_tick;
    bool m_due = true; ///< rows may move at the next look
};

} // namespace lockkeeper::app::views
