// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/replica/replica.h"
#include "app/replica/selection.h"
#include "app/views/widgets/view.h"
#include "shared/base/clock.h"
#include "shared/base/result.h"
#include "shared/protocol/messages.h"

#include <functional>

class QPushButton;
class QSplitter;
class QStackedWidget;
class QTabWidget;

namespace lockkeeper::app::views {

class PlainLabel;
class StatePage;

/** A clock that stays at the time that was set. */
class StandingClock final : public base::Clock
{
public:
    qint64 monotonicUs() const override { return 0; }
    qint64 wallUs() const override { return m_us; }
    void set(qint64 us) { m_us = us; }

private:
    qint64 m_us = 0;
};

/**
 * Locks and chains as they were at a moment, in a frame, with the selected lock's details beside them. The
 * table is separate from the live table: one answer of the agent fills it, and no event changes it. The
 * navigation lists the view from showAt() until leave(); another agent ends it. GUI thread.
 */
class PastView : public View
{
    Q_OBJECT

public:
    struct PastViews
    {
        QList<View *> views;       ///< in the order of their tabs
        QWidget *detail = nullptr; ///< of the selected lock
    };
    /** Makes the views of the past, which show `past`. */
    using MakeViews = std::function<PastViews(const ConsoleContext &past)>;

    PastView(const ConsoleContext &context, const MakeViews &make, QWidget *parent = nullptr);
    ~PastView() override;

    QByteArray id() const override { return QByteArrayLiteral("past"); }
    QString title() const override;
    QString iconName() const override { return QStringLiteral("view-history"); }
    bool isAvailable() const override { return m_shown; }
    bool isPast() const override { return true; }
    std::optional<qint64> shownRows() const override;
    qint64 selectedRows() const override;
    std::optional<qint64> allLocks() const override { return m_replica.locks().size(); }
    TableColumns tableColumns() override { return front()->tableColumns(); }
    void focusFilter() override;
    void activate() override;
    void refresh() override;
    bool copyText() override;
    bool copyJson() override;
    bool exportRows() override;
    bool canExport() const override { return true; }

    /**
     * Requests the table of that moment. While a request is under way, only the last moment asked for is
     * kept.
     */
    void showAt(qint64 us);
    /** As showAt() once the view is brought to the front, unless another time is asked for by then. */
    void follow(qint64 us);
    /** Asks the operator for a time. */
    void choose();
    void leave();
    /** The details of the selected lock, also where the table has little room beside them. */
    void showDetail();

    qint64 us() const { return m_us; }
    replica::Replica *replica() { return &m_replica; }
    QWidget *detail() const { return m_detail; }
    /** The texts above the table and in its place. */
    QString text() const;

protected:
    void paintEvent(QPaintEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;

private:
    void build(const MakeViews &make);
    void ask();
    void take(qint64 us, const base::Result<protocol::SnapshotPage> &table);
    void retranslate() final;
    QString unseen() const;
    View *front() const;

    StandingClock m_clock;
    replica::Replica m_replica{m_clock};
    replica::Selection m_selection;
    ConsoleContext m_past;
    PlainLabel *m_head = nullptr;
    PlainLabel *m_unseen = nullptr;
    QPushButton *m_other = nullptr;
    QPushButton *m_back = nullptr;
    QTabWidget *m_tabs = nullptr;
    StatePage *m_page = nullptr;
    QStackedWidget *m_stack = nullptr;
    QSplitter *m_split = nullptr;
    QWidget *m_detail = nullptr;
    QList<View *> m_views;
    qint64 m_us = 0;                  ///< the requested moment
    std::optional<qint64> m_followUs; ///< requested once the view is in sight
    bool m_shown = false;
    bool m_detailAsked = false; ///< since the window was last wide enough for both
    bool m_asking = false;
};

} // namespace lockkeeper::app::views
