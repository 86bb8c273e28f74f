// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/table/export_source.h"
#include "shared/base/result.h"

#include <memory>

class QSaveFile;

namespace lockkeeper::app::views {

/**
 * Writes a source's parts into a file, on a thread of the pool. It requests the next part when the last part
 * is written, so that memory stays bounded. The file exists whole or not at all, even if the export is
 * cancelled or destroyed meanwhile. GUI thread.
 */
class Exporter : public QObject
{
    Q_OBJECT

public:
    Exporter(const QString &path, std::unique_ptr<ExportSource> source, QObject *parent = nullptr);
    ~Exporter() override;

    void start();
    /** Ends with the error Cancelled, unless it has ended. */
    void cancel();

Q_SIGNALS:
    void moved(double share); ///< see ExportSource::part()
    /** Called once, with the number of written rows or the error. */
    void ended(const lockkeeper::base::Result<qint64> &rows);

private:
    void take(const QByteArray &bytes, qint64 rows, bool last);
    void end(const base::Result<qint64> &rows);

    std::shared_ptr<QSaveFile> m_file;
    std::unique_ptr<ExportSource> m_source; ///< null once it has ended
    qint64 m_rows = 0;
};

} // namespace lockkeeper::app::views
