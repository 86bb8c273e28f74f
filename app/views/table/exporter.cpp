// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/table/exporter.h"

#include "app/views/widgets/export_file.h"

#include <QSaveFile>

#include <utility>

namespace lockkeeper::app::views {

Exporter::Exporter(const QString &path, std::unique_ptr<ExportSource> source, QObject *parent)
    : QObject(parent), m_file(std::make_shared<QSaveFile>(path)), m_source(std::move(source))
{
    connect(m_source.get(), &ExportSource::part, this,
            [this](const QByteArray &bytes, qint64 rows, double share, bool last) {
                Q_EMIT moved(share);
                take(bytes, rows, last);
            });
    connect(m_source.get(), &ExportSource::failed, this,
            [this](const base::Error &error) { end(tl::unexpected(error)); });
}

Exporter::~Exporter() = default;

void Exporter::start()
{
    take({}, 0, false);
}

void Exporter::cancel()
{
    end(base::failure(base::ErrorCode::Cancelled, QStringLiteral("the export was cancelled")));
}

/** Only one job uses the file at a time; the first job opens it. */
void Exporter::take(const QByteArray &bytes, qint64 rows, bool last)
{
    const auto write = [file = m_file, bytes, last] {
        const bool written = (file->isOpen() || file->open(QIODevice::WriteOnly)) &&
                             file->write(bytes) == bytes.size() && (!last || file->commit());
        return written ? QString() : file->errorString();
    };
    runInPool(write, this, [this, rows, last](const QString &error) {
        if (!m_source)
            return;
        m_rows += rows;
        if (!error.isEmpty())
            end(base::failure(base::ErrorCode::Storage, error));
        else if (last)
            end(m_rows);
        else
            m_source->next();
    });
}

void Exporter::end(const base::Result<qint64> &rows)
{
    if (!m_source)
        return;
    m_source.release()->deleteLater(); // it may be emitting right now
    m_file.reset();                    // without commit() no file remains
    Q_EMIT ended(rows);
}

} // namespace lockkeeper::app::views
