// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QAbstractItemModel>
#include <QObject>
#include <QStringList>

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

namespace lockkeeper::app::views {

/** How long an export may occupy the GUI thread at a time: half a frame. */
inline constexpr std::chrono::milliseconds kExportTurn{8};

/** Columns of a table as CSV (RFC 4180, formulas defused) or as JSON Lines of the texts that are shown. */
class ExportColumns
{
public:
    enum class Format : quint8 { Csv = 0, JsonLines };

    ExportColumns() = default;
    /** `names`: of a JSON object's members; `titles`: of a CSV file's first line. */
    ExportColumns(Format format, QList<QByteArray> names, QStringList titles);

    Format format() const { return m_format; }
    /** The bytes before all rows. */
    QByteArray header() const;
    void append(QByteArray &out, const QStringList &cells) const;

private:
    Format m_format = Format::Csv;
    QList<QByteArray> m_names;
    QStringList m_titles;
};

/** Produces an export part by part on request, so that only one part is kept in memory. GUI thread. */
class ExportSource : public QObject
{
    Q_OBJECT

public:
    /** Answers once, by part() or failed(), at once or later; works no longer than kExportTurn. */
    virtual void next() = 0;

Q_SIGNALS:
    /** `share`: the progress of the export including this part, 0 to 1; below 0: unknown. */
    void part(const QByteArray &bytes, qint64 rows, double share, bool last);
    void failed(const lockkeeper::base::Error &error);
};

/**
 * Exports the rows of a model that fits into memory, some in each turn. Rows that come, go or move meanwhile
 * restart the export, which would otherwise mix two tables. After some restarts one turn exports all rows.
 */
class ModelSource : public ExportSource
{
    Q_OBJECT

public:
    /** `model` isn't owned and outlives this; `shown` are its columns in their order. */
    ModelSource(const QAbstractItemModel *model, QList<int> shown, ExportColumns columns);

    void next() override;

private:
    void begin();

    const QAbstractItemModel *m_model;
    QList<int> m_shown;
    ExportColumns m_columns;
    QByteArray m_bytes;
    int m_row = 0;
    int m_beginnings = 0;
};

/** Exports rows that already exist as texts. */
class TextSource : public ExportSource
{
    Q_OBJECT

public:
    TextSource(QList<QStringList> rows, ExportColumns columns)
        : m_rows(std::move(rows)), m_columns(std::move(columns))
    {
    }

    void next() override;

private:
    QList<QStringList> m_rows;
    ExportColumns m_columns;
};

/** Exports all rows that the agent has, page by page, through a model that holds one page at a time. */
class PageSource : public ExportSource
{
    Q_OBJECT

public:
    struct Page
    {
        double share = -1; ///< see part()
        bool last = false;
    };
    using Loaded = std::function<void(const base::Result<Page> &)>;
    /** Makes the model show the next page. Drops the request when `context` is destroyed. */
    using Load = std::function<void(QObject *context, const Loaded &loaded)>;

    PageSource(std::unique_ptr<QAbstractItemModel> model, Load load, QList<int> shown, ExportColumns columns);

    void next() override;

private:
    std::unique_ptr<QAbstractItemModel> m_model;
    Load m_load;
    QList<int> m_shown;
    ExportColumns m_columns;
    bool m_begun = false;
};

} // namespace lockkeeper::app::views
