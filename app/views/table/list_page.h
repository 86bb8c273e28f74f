// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/table/export_source.h"
#include "app/views/widgets/console_context.h"
#include "app/views/widgets/state_page.h"
#include "app/views/widgets/translated.h"
#include "shared/domain/lock_key.h"
#include "shared/events/observed.h"

#include <QWidget>

#include <optional>

class QHBoxLayout;
class QMenu;
class QStackedWidget;
class QVBoxLayout;

namespace lockkeeper::app::views {

class BannerArea;
class DataTable;
class PlainLabel;

/** The state of the reading behind a list. */
struct ListReading
{
    bool isLoading = false;
    base::Error error = {};  ///< of the last reading; no cause: none
    QString progress = {};   ///< shown while it loads; empty: "Reading…"
    QString unreadText = {}; ///< names the error above old rows; empty: a sentence for any list
};

/** Replaces the rows of a list that was read and has none: why, and the ways out. */
struct EmptyList
{
    QString text;
    QString detail;
    QList<StatePage::Action> ways = {};
};

/** The locks that a row is about, for the ways from the row to other views. */
struct RowSubject
{
    QList<domain::LockKey> locks;              ///< the row's own first; a timeline shows all
    std::optional<events::Interval> time = {}; ///< the time that the row is about; empty: now
    bool hasHistory = true;                    ///< false: the list has its own way to the history
};

/**
 * The rows of a view: a table with its context menu, the page that replaces missing rows, a note and banners
 * below them, and copies and exports. A part that shows more about the current row stands below the table,
 * behind a splitter. The model isn't owned: destroy the list before it. GUI thread.
 */
class ListPage : public Translated<QWidget>
{
    Q_OBJECT

public:
    using Act = std::function<void()>;

    /** Takes `table` over. */
    ListPage(const ConsoleContext &context, DataTable *table, QWidget *parent = nullptr);

    DataTable *table() const { return m_table; }
    /** For a reason that showState() has no words for. */
    StatePage *page() const { return m_page; }
    /** Below everything, so that a banner doesn't move the rows. */
    BannerArea *banners() const { return m_banners; }

    /** Ends a reading, and starts another one. */
    void setReading(const Act &cancel, const Act &again);
    /** A column to the right of the rows. */
    void addBeside(QWidget *widget);
    /** A part between the rows and the note. */
    void addBelow(QWidget *widget);
    /** To the right of the note. */
    void addToFoot(QWidget *widget);
    /**
     * A part about the current row. `shares`: of the height, for the rows and for this. The operator's
     * division is kept under `view`. It is hidden while there are no rows, unless it `stays`.
     */
    void setDetail(QWidget *detail, const QByteArray &view, std::pair<int, int> shares, bool stays = false);
    /** The entries of a row's menu: the ways to its locks, then those that `fill` adds, then the copies. */
    void setSubject(std::function<RowSubject(int row)> subject) { m_subject = std::move(subject); }
    void setMenu(std::function<void(QMenu *menu, int row)> fill) { m_fill = std::move(fill); }
    /** `fileName`: the default name of an export, without a suffix. By default all rows are exported. */
    void setExport(const QString &fileName,
                   std::function<std::unique_ptr<ExportSource>(records::FileFormat::Syntax)> source = {});

    /** Shows the rows, or the reason why there are none; warns above old rows that weren't read again. */
    void showState(const ListReading &reading, const EmptyList &empty);
    /** Sentences about the rows; none: no note. */
    void setNote(const QStringList &sentences);

    qint64 rowCount() const;
    qint64 selectedRows() const;
    /** The selected rows as lockkeeperctl prints them, one JSON object a line; false: none is selected. */
    bool copyJson() const;
    /** Asks for a path; false: there are no rows. */
    bool exportRows();
    std::unique_ptr<ExportSource> exportSource(records::FileFormat::Syntax kind) const;

Q_SIGNALS:
    /** Rows came, went or were selected. */
    void rowsChanged();

private:
    void retranslate() final;
    void showMissing(const ListReading &reading, const EmptyList &empty);
    void showUnread(const ListReading &reading);
    void showMenu(const QPoint &at);
    void addWays(QMenu *menu, const RowSubject &subject);

    ConsoleContext m_context;
    DataTable *m_table;
    QWidget *m_rows; ///< the table and its neighbours
    StatePage *m_page;
    QStackedWidget *m_stack;
    QVBoxLayout *m_column;
    QHBoxLayout *m_side; ///< of m_rows
    QHBoxLayout *m_foot;
    PlainLabel *m_note;
    BannerArea *m_banners;
    QWidget *m_detail = nullptr; ///< if it hides while there are no rows
    QString m_loadingWord;       ///< of the button on the page of a reading; empty: another page is shown
    QString m_fileName;
    Act m_cancel;
    Act m_again;
    std::function<RowSubject(int)> m_subject;
    std::function<void(QMenu *, int)> m_fill;
    std::function<std::unique_ptr<ExportSource>(records::FileFormat::Syntax)> m_source;
};

} // namespace lockkeeper::app::views
