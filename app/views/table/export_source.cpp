// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/table/export_source.h"

#include <QDeadlineTimer>

#include <utility>

namespace lockkeeper::app::views {

namespace {

constexpr int kBeginnings = 5;

} // namespace

ModelSource::ModelSource(const models::RawModel *model, records::FileFormat::Syntax kind)
    : m_model(model), m_format{kind, model->recordColumns()}
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
    m_bytes = m_format.header();
    m_row = 0;
    ++m_beginnings;
}

void ModelSource::next()
{
    const QDeadlineTimer turn(m_beginnings < kBeginnings ? QDeadlineTimer(kExportTurn)
                                                         : QDeadlineTimer(QDeadlineTimer::Forever));
    const int count = m_model->rowCount();
    for (; m_row < count && !turn.hasExpired(); ++m_row)
        m_bytes += m_format.line(m_model->record(m_row));
    const bool last = m_row == count;
    Q_EMIT part(last ? m_bytes : QByteArray(), last ? count : 0, count > 0 ? double(m_row) / count : 1, last);
}

void ListSource::next()
{
    QByteArray bytes = m_format.header();
    for (const QJsonObject &record : std::as_const(m_records))
        bytes += m_format.line(record);
    Q_EMIT part(bytes, m_records.size(), 1, true);
}

void PageSource::next()
{
    m_load(this, [this](const base::Result<RecordPage> &page) {
        if (!page) {
            Q_EMIT failed(page.error());
            return;
        }
        QByteArray bytes = std::exchange(m_begun, true) ? QByteArray() : m_format.header();
        for (const QJsonObject &record : page->records)
            bytes += m_format.line(record);
        Q_EMIT part(bytes, page->records.size(), page->share, page->last);
    });
}

} // namespace lockkeeper::app::views
