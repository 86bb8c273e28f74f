// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/table/export_source.h"

#include "app/models/raw_model.h"
#include "app/views/widgets/table_text.h"
#include "shared/base/json_line.h"

#include <QDeadlineTimer>

#include <utility>

namespace lockkeeper::app::views {

namespace {

constexpr int kBeginnings = 5;

QStringList cellsOf(const QAbstractItemModel &model, int row, const QList<int> &columns)
{
    QStringList cells;
    for (const int column : columns)
        cells.append(model.index(row, column).data(models::kWholeRole).toString());
    return cells;
}

} // namespace

ExportColumns::ExportColumns(Format format, QList<QByteArray> names, QStringList titles)
    : m_format(format), m_names(std::move(names)), m_titles(std::move(titles))
{
}

QByteArray ExportColumns::header() const
{
    return m_format == Format::Csv ? toCsv({m_titles}) : QByteArray();
}

void ExportColumns::append(QByteArray &out, const QStringList &cells) const
{
    if (m_format == Format::Csv) {
        out += toCsv({cells});
        return;
    }
    base::JsonLine line(out);
    for (qsizetype i = 0; i < cells.size(); ++i)
        line.text(m_names.at(i), cells.at(i).toUtf8());
}

ModelSource::ModelSource(const QAbstractItemModel *model, QList<int> shown, ExportColumns columns)
    : m_model(model), m_shown(std::move(shown)), m_columns(std::move(columns))
{
    begin();
    connect(model, &QAbstractItemModel::modelReset, this, &ModelSource::begin);
    connect(model, &QAbstractItemModel::layoutChanged, this, &ModelSource::begin);
    connect(model, &QAbstractItemModel::rowsInserted, this, &ModelSource::begin);
    connect(model, &QAbstractItemModel::rowsRemoved, this, &ModelSource::begin);
    connect(model, &QAbstractItemModel::rowsMoved, this, &ModelSource::begin);
}

void ModelSource::begin()
{
    m_bytes = m_columns.header();
    m_row = 0;
    ++m_beginnings;
}

void ModelSource::next()
{
    const QDeadlineTimer turn(m_beginnings < kBeginnings ? QDeadlineTimer(kExportTurn)
                                                         : QDeadlineTimer(QDeadlineTimer::Forever));
    const int count = m_model->rowCount();
    for (; m_row < count && !turn.hasExpired(); ++m_row)
        m_columns.append(m_bytes, cellsOf(*m_model, m_row, m_shown));
    const bool last = m_row == count;
    Q_EMIT part(last ? m_bytes : QByteArray(), last ? count : 0, count > 0 ? double(m_row) / count : 1, last);
}

void TextSource::next()
{
    QByteArray bytes = m_columns.header();
    for (const QStringList &row : std::as_const(m_rows))
        m_columns.append(bytes, row);
    Q_EMIT part(bytes, m_rows.size(), 1, true);
}

PageSource::PageSource(std::unique_ptr<QAbstractItemModel> model, Load load, QList<int> shown,
                       ExportColumns columns)
    : m_model(std::move(model)),
      m_load(std::move(load)),
      m_shown(std::move(shown)),
      m_columns(std::move(columns))
{
}

void PageSource::next()
{
    m_load(this, [this](const base::Result<Page> &page) {
        if (!page) {
            Q_EMIT failed(page.error());
            return;
        }
        QByteArray bytes = std::exchange(m_begun, true) ? QByteArray() : m_columns.header();
        const int count = m_model->rowCount();
        for (int row = 0; row < count; ++row)
            m_columns.append(bytes, cellsOf(*m_model, row, m_shown));
        Q_EMIT part(bytes, count, page->share, page->last);
    });
}

} // namespace lockkeeper::app::views
