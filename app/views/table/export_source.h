// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/models/raw_model.h"
#include "app/records/csv_lines.h"
#include "shared/base/result.h"

#include <QJsonObject>
#include <QObject>

#include <chrono>
#include <functional>
#include <memory>
#include <utility>

namespace lockkeeper::app::views {

/** How long an export may occupy the GUI thread at a time: half a frame. */
inline constexpr std::chrono::milliseconds kExportTurn{8};

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
    /** `model` isn't owned and outlives this. */
    ModelSource(const models::RawModel *model, records::FileFormat::Syntax kind);

    void next() override;

private:
    void begin();

    const models::RawModel *m_model;
    records::FileFormat m_format;
    QByteArray m_bytes;
    int m_row = 0;
    int m_beginnings = 0;
};

/** Exports records that exist already. */
class ListSource : public ExportSource
{
    Q_OBJECT

public:
    ListSource(QList<QJsonObject> records, records::FileFormat format)
        : m_records(std::move(records)), m_format(std::move(format))
    {
    }

    void next() override;

private:
    QList<QJsonObject> m_records;
    records::FileFormat m_format;
};

/** Exports all rows that the agent has, page by page. */
class PageSource : public ExportSource
{
    Q_OBJECT

public:
    struct RecordPage
    {
        QList<QJsonObject> records;
        double share = -1; ///< see part()
        bool last = false;
    };
    using Loaded = std::function<void(const base::Result<RecordPage> &)>;
    /** Reads the next page. Drops the request when `context` is destroyed. */
    using Load = std::function<void(QObject *context, const Loaded &loaded)>;

    PageSource(Load load, records::FileFormat format) : m_load(std::move(load)), m_format(std::move(format))
    {
    }

    void next() override;

private:
    Load m_load;
    records::FileFormat m_format;
    bool m_begun = false;
};

} // namespace lockkeeper::app::views
