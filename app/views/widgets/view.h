// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/console_context.h"
#include "app/views/widgets/table_columns.h"
#include "app/views/widgets/view_picture.h"
#include "shared/domain/lock_key.h"

#include <QEvent>
#include <QVariantMap>
#include <QWidget>

#include <optional>

namespace lockkeeper::app::views {

/**
 * One entry of the navigation and the page it opens. The window owns its views, shows one at a time, and
 * keeps the result of saveState() between runs. When the language changes, retranslate() sets the texts
 * again, and titleChanged() follows. GUI thread.
 */
class View : public QWidget
{
    Q_OBJECT

public:
    View(const ConsoleContext &context, QWidget *parent = nullptr) : QWidget(parent), m_context(context) {}

    /** Stable: the key of settings and of Requests::viewAsked(). */
    virtual QByteArray id() const = 0;
    virtual QString title() const = 0;
    /** A name that presentation::icon() knows. */
    virtual QString iconName() const = 0;
    /** The badge beside the title in the navigation: how many rows need attention; empty: none. */
    virtual std::optional<qint64> count() const { return std::nullopt; }
    /** False: the agent doesn't offer the view's data; the navigation leaves the view out. */
    virtual bool isAvailable() const { return true; }

    /** The entries below the title in the navigation, such as saved filters. */
    virtual QStringList subEntries() const { return {}; }
    /** How many rows each sub-entry would show, if that is known. */
    virtual QList<qint64> subCounts() const { return {}; }
    /** The active sub-entry; −1: none. */
    virtual int currentSubEntry() const { return -1; }
    /** −1: cancels the sub-entry that is in force. */
    virtual void openSubEntry(int) {}

    /** True if the view shows a past moment: the window disables releases and hides the present. */
    virtual bool isPast() const { return false; }
    /** True where a row is a lock, so that the lock's details belong beside it. */
    virtual bool selectsLocks() const { return false; }
    /** False where the view needs its width for itself: the lock's details come when they are asked for. */
    virtual bool hasRoomForDetail() const { return selectsLocks(); }
    /** False where the view has no visible row of the lock: no action of the window or dock aims at it. */
    virtual bool showsLock(const domain::LockKey &) const { return true; }
    /** Rows that are shown and that are selected, for the status bar; empty: the view has no rows. */
    virtual std::optional<qint64> shownRows() const { return std::nullopt; }
    virtual qint64 selectedRows() const { return 0; }
    /** Of how many locks they are; empty: a row isn't a lock. */
    virtual std::optional<qint64> allLocks() const { return std::nullopt; }

    /** For the View menu: the visible table. */
    virtual TableColumns tableColumns() { return {}; }
    /** Ctrl+F. A view without a filter does nothing. */
    virtual void focusFilter() {}
    virtual void setFilter(const QString &) {}
    /** Shows the time from `fromUs` to `toUs`, in views over a range of time. */
    virtual void setRange(qint64 /*fromUs*/, qint64 /*toUs*/) {}
    /** The view was brought to the front: load what is missing. */
    virtual void activate() {}
    /** F5, for views that read from the agent rather than from the replica. */
    virtual void refresh() {}
    /** Ctrl+C, Ctrl+Shift+C and Ctrl+E; false where there is nothing to copy or export. */
    virtual bool copyText() { return false; }
    virtual bool copyJson() { return false; }
    virtual bool exportRows() { return false; }
    virtual bool canExport() const { return false; }
    /** The picture to save or print; empty: the view has none, or nothing to show. */
    virtual std::optional<ViewPicture> picture() const { return std::nullopt; }

    virtual QVariantMap saveState() const { return {}; }
    virtual void restoreState(const QVariantMap &) {}

Q_SIGNALS:
    void titleChanged();
    void countChanged();
    void availableChanged();
    /** The sub-entries changed, or another sub-entry is in force. */
    void subEntriesChanged();
    void rowsChanged();

protected:
    const ConsoleContext &context() const { return m_context; }

    virtual void retranslate() {}
    void changeEvent(QEvent *event) override
    {
        if (event->type() == QEvent::LanguageChange) {
            retranslate();
            Q_EMIT titleChanged();
        }
        QWidget::changeEvent(event);
    }

private:
    ConsoleContext m_context;
};

} // namespace lockkeeper::app::views
