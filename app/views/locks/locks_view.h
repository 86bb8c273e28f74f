// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/filter_counts.h"
#include "app/models/locks_proxy.h"
#include "app/presentation/lock_formatter.h"
#include "app/views/table/export_source.h"
#include "app/views/widgets/view.h"

class QMenu;
class QStackedWidget;

namespace lockkeeper::app::views {

class ColumnLayout;
class FilterBar;
class LiveFreeze;
class LocksTable;
class StatePage;

/** The live table of locks with its filter bar. Keeps the shared selection by lock, never by row. */
class LocksView : public View
{
    Q_OBJECT

public:
    explicit LocksView(const ConsoleContext &context, QWidget *parent = nullptr);
    ~LocksView() override;

    QByteArray id() const override;
    QString title() const override;
    bool selectsLocks() const override { return true; }
    bool showsLock(const domain::LockKey &key) const override;
    QString iconName() const override;
    std::optional<qint64> count() const override;
    std::optional<qint64> shownRows() const override;
    qint64 selectedRows() const override;
    std::optional<qint64> allLocks() const override;
    QStringList subEntries() const override;
    QList<qint64> subCounts() const override;
    int currentSubEntry() const override;
    void openSubEntry(int index) override;
    TableColumns tableColumns() override;
    void focusFilter() override;
    void setFilter(const QString &text) override;
    void activate() override;
    bool copyText() override;
    bool copyJson() override;
    bool exportRows() override;
    std::unique_ptr<ExportSource> exportSource(records::FileFormat::Syntax kind) const;
    bool canExport() const override { return true; }

    /** The window's Lock menu; not owned. */
    void setContextMenu(QMenu *menu) { m_menu = menu; }
    /** `awaited` reports this console's pending requests; the rows of their locks show them. */
    void setAwaited(presentation::LockFormatter::Awaited awaited)
    {
        m_formatter.setAwaited(std::move(awaited));
    }
    /** Brings the lock into sight; a filter or a chip that hides it is cleared. */
    void reveal(const domain::LockKey &key);

    LocksTable *table() const { return m_table; }
    FilterBar *filterBar() const { return m_bar; }
    models::LocksProxy *proxy() const { return m_proxy; }
    LiveFreeze *freeze() const { return m_freeze; }

Q_SIGNALS:
    void detailAsked();

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void build();
    void connectModel();
    void restoreSettings();
    void keepColumns();
    void keepState();
    void applySettings();
    void resetLayout();
    void retranslate() final;
    void updatePage();
    void showHidden();
    void showAgents();
    void countSaved();
    void readFilters();
    void showMenu(const QPoint &at);
    void addRowActions(QMenu *menu, const domain::LockState &state);
    void fromTable();
    void toTable();
    QList<int> selectedRowNumbers() const;
    QList<const models::LockRow *> selectedLocks() const;
    domain::TimeUs asOf() const; ///< the past moment of the rows; empty: now

    presentation::LockFormatter m_formatter;
    models::LockModel *m_model;
    models::LocksProxy *m_proxy;
    models::FilterCounts *m_savedCounts;
    FilterBar *m_bar;
    LocksTable *m_table;
    StatePage *m_page;
    QStackedWidget *m_stack;
    ColumnLayout *m_columns;
    LiveFreeze *m_freeze;
    QMenu *m_menu = nullptr;
    std::optional<domain::LockKey> m_awaited; ///< to be revealed once the table has its row
    bool m_syncing = false;
    bool m_restoring = true;
};

} // namespace lockkeeper::app::views
