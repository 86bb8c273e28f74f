// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/widgets/export_file.h"

#include <QSaveFile>
#include <QThreadPool>

namespace lockkeeper::app::views {

namespace {

/** Lives in the caller's thread; only run() is called from another thread. */
class PoolJob : public QObject
{
    Q_OBJECT

public:
    explicit PoolJob(std::function<QString()> work) : m_work(std::move(work)) {}

    void run()
    {
        const QString result = m_work();
        m_work = nullptr; // with all that it holds
        Q_EMIT done(result);
        deleteLater();
    }

Q_SIGNALS:
    void done(const QString &result);

private:
    std::function<QString()> m_work;
};

} // namespace

void runInPool(std::function<QString()> work, QObject *context, std::function<void(const QString &)> then)
{
    auto *job = new PoolJob(std::move(work));
    QObject::connect(job, &PoolJob::done, context, std::move(then), Qt::QueuedConnection);
    QThreadPool::globalInstance()->start([job] { job->run(); });
}

void writeFile(const QString &path, const QByteArray &bytes, QObject *context,
               std::function<void(base::Result<void>)> answer)
{
    const auto write = [path, bytes] {
        QSaveFile file(path);
        const bool written =
            file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.commit();
        return written ? QString() : file.errorString();
    };
    runInPool(write, context, [answer = std::move(answer)](const QString &error) {
        answer(error.isEmpty() ? base::Result<void>() : base::failure(base::ErrorCode::Storage, error));
    });
}

} // namespace lockkeeper::app::views

#include "export_file.moc"
