// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/contention_model.h"
#include "app/presentation/contention_formatter.h"
#include "app/views/table/list_page.h"
#include "app/views/table/list_view.h"
#include "shared/events/observed.h"

class QComboBox;
class QScrollArea;
class QStackedWidget;

namespace lockkeeper::app::views {

class BlockersPanel;
class ContentionPanel;
class PlainLabel;
class RangeBar;

/**
 * Ranks locks by their cost in a range of time, with the selected lock's course below. Reads the agent's
 * journal when the view is shown and on F5. Shows how much of the range was observed, and where a scheme
 * doesn't show the waiters. GUI thread.
 */
class ContentionView : public ListView
{
    Q_OBJECT

public:
    explicit ContentionView(const ConsoleContext &context, QWidget *parent = nullptr);
    ~ContentionView() override;

    QByteArray id() const override { return QByteArrayLiteral("contention"); }
    QString title() const override;
    QString iconName() const override { return QStringLiteral("view-contention"); }
    void activate() override { refresh(); }
    void refresh() override;
    std::optional<ViewPicture> picture() const override;
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
    void buildRanking();
    void retranslate() final;
    QWidget *buildBar();
    void showGroups();
    void fitCourse();
    filter::Query takeRange(const filter::Query &query);
    void select();
    void open(int row);
    void fillMenu(QMenu *menu, int row);
    void askHistory(const domain::LockKey &key, events::Interval span, const QString &more = {});
    void showGroup(const domain::LockKey &key);
    void askWaits(const domain::LockKey &waiter, events::Interval span);
    void showCourse();
    void showState();
    QStringList notes() const;
    QString unreadText(const base::Error &error, events::Interval range) const;
    /** Holders or statements are ranked; empty: locks, their groups, or waiters. */
    std::optional<domain::ContentionRanking> blockerRanking() const;
    void chooseRanking();
    void showBlockers();
    EmptyList emptyText(bool hasRead);
    QString observedText() const;

    models::ContentionModel m_model;
    presentation::ContentionFormatter m_formatter;
    ListPage *m_ranking = nullptr;   ///< of locks, their groups, or waiters
    QScrollArea *m_course = nullptr; ///< the panel; scrolls in a low window
    QStackedWidget *m_stack = nullptr;
    RangeBar *m_range = nullptr;
    QComboBox *m_group = nullptr;
    PlainLabel *m_observed = nullptr;
    ContentionPanel *m_panel = nullptr;
    BlockersPanel *m_blockers = nullptr;
    std::optional<domain::LockKey> m_selected;
};

} // namespace lockkeeper::app::views
