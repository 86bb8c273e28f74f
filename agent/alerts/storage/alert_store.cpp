// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/storage/alert_store.h"

#include "agent/journal/storage/migrations.h"
#include "agent/journal/storage/synced_file.h"

#include <QFile>
#include <QLoggingCategory>

#include <algorithm>

Q_LOGGING_CATEGORY(lcAlertStore, "lockkeeper.alerts")

namespace lockkeeper::agent::alerts {

using domain::Alert;

namespace {

constexpr qint64 kDayUs = 24 * base::kHourUs;
constexpr qint64 kKeepUs = 30 * kDayUs;
const char *const kCursor = "cursor";

} // namespace

base::Result<void> AlertStore::open(const QString &path)
{
    const auto opened = openSound(path);
    if (opened || opened.error().code != base::ErrorCode::Corrupt)
        return opened;
    m_connection.close();
    const QString suffix = journal::corruptSuffix(m_clock.wallUs());
    for (const QString &name : {path + QLatin1String("-wal"), path + QLatin1String("-shm"), path}) {
        if (QFile::exists(name) && !QFile::rename(name, name + suffix))
            return base::failure(base::ErrorCode::Storage,
                                 QStringLiteral("%1 is damaged and can't be renamed").arg(name),
                                 QStringLiteral("Make its folder writable for the agent's user"));
    }
    m_setAside = path + suffix;
    qCCritical(lcAlertStore).noquote() << "the store of alerts is damaged:" << opened.error().line()
                                       << "The file is" << m_setAside << "now, and a new one begins.";
    return openSound(path);
}

base::Result<void> AlertStore::openSound(const QString &path)
{
    if (!journal::openSynced(m_connection, path) || !journal::isIntact(m_connection))
        return tl::unexpected(m_connection.error());
    return journal::migrate(m_connection, journal::Schema::Alerts);
}

base::Result<StoredAlerts> AlertStore::load()
{
    StoredAlerts stored;
    journal::SqliteStatement &rows = m_connection.statement("alert_recent");
    if (!m_connection.run(rows.bind(m_clock.wallUs() - kDayUs)))
        return tl::unexpected(m_connection.error());
    QList<QByteArray> unreadable;
    while (rows.next()) {
        if (auto alert = unpackAlert(rows.bytes(1)))
            stored.alerts.append(*std::move(alert));
        else
            unreadable.append(rows.bytes(0));
    }
    const auto drop = [this](const QByteArray &id) {
        qCCritical(lcAlertStore).noquote() << "the stored alert" << id << "can't be read and is dropped";
        return m_connection.run(m_connection.statement("alert_delete").bindBytes(id));
    };
    if (!m_connection.endReading() || !std::all_of(unreadable.cbegin(), unreadable.cend(), drop))
        return tl::unexpected(m_connection.error());
    if (const auto cursor = m_connection.meta(kCursor))
        stored.cursor = cursor->toULongLong();
    return stored;
}

base::Result<void> AlertStore::commit(const QList<Alert> &changed, const QList<Notice> &notices,
                                      quint64 cursor)
{
    const bool done = m_connection.transact([&] {
        return std::all_of(changed.cbegin(), changed.cend(),
                           [this](const Alert &alert) { return save(alert); }) &&
               m_outbox.add(notices) && m_connection.setMeta(kCursor, QByteArray::number(cursor)) &&
               forgetOld();
    });
    if (!done)
        return tl::unexpected(m_connection.error());
    m_outbox.copyLongLog();
    return {};
}

bool AlertStore::save(const Alert &alert)
{
    journal::SqliteStatement &row = m_connection.statement("alert_save");
    row.bindBytes(alert.id).bind(alert.firedUs).bind(alert.resolvedUs);
    return m_connection.run(row.bindBytes(packAlert(alert)));
}

bool AlertStore::forgetOld()
{
    const qint64 nowUs = m_clock.wallUs();
    if (nowUs >= m_forgotUs && nowUs - m_forgotUs < base::kHourUs)
        return true;
    m_forgotUs = nowUs;
    return m_outbox.expire() &&
           m_connection.run(m_connection.statement("alert_forget").bind(nowUs - kKeepUs));
}

} // namespace lockkeeper::agent::alerts
