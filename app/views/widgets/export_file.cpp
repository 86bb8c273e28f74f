// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/export_file.h"

#include <QSaveFile>
#include <QThreadPool>

namespace lockkeeper::app::views {

namespace {

/** One file being written. Lives in the asker's thread; only run() is called from another. */
class ExportJob : public QObject
{
    Q_OBJECT

public:
    ExportJob(QString path, QByteArray bytes) : m_path(std::move(path)), m_bytes(std::move(bytes)) {}

    void run()
    {
        QSaveFile file(m_path);
        const bool written =
            file.open(QIODevice::WriteOnly) && file.write(m_bytes) == m_bytes.size() && file.commit();
        Q_EMIT done(written ? QString() : file.errorString());
        deleteLater();
    }

Q_SIGNALS:
    void done(const QString &error);

private:
    QString m_path;
    QByteArray m_bytes;
};

} // namespace

void writeFile(const QString &path, const QByteArray &bytes, QObject *context,
               std::function<void(base::Result<void>)> answer)
{
    auto *job = new ExportJob(path, bytes);
    QObject::connect(
        job, &ExportJob::done, context,
        [answer = std::move(answer)](const QString &error) {
            answer(error.isEmpty() ? base::Result<void>() : base::failure(base::ErrorCode::Storage, error));
        },
        Qt::QueuedConnection);
    QThreadPool::globalInstance()->start([job] { job->run(); });
}

} // namespace lockkeeper::app::views

#include "export_file.moc"
