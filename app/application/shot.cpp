// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/application/shot.h"

#include "app/application/console.h"
#include "app/views/locks/locks_view.h"
#include "app/views/window/main_window.h"

#include <QCoreApplication>
#include <QPixmap>
#include <QTimer>

#include <cstdio>

namespace lockkeeper::app {

Shot::Shot(Console *console, ShotOptions options, QObject *parent)
    : QObject(parent), m_console(console), m_options(std::move(options))
{
    // Selects a little earlier, so that the dock's answers have arrived.
    QTimer::singleShot(m_options.afterMs * 2 / 3, this, &Shot::selectLock);
    // After this second's updates are done: then values shown twice agree.
    QTimer::singleShot(m_options.afterMs, Qt::VeryCoarseTimer, this,
                       [this] { QTimer::singleShot(0, this, &Shot::take); });
}

void Shot::selectLock()
{
    if (!m_options.select.isEmpty())
        m_console->window()->showView(QByteArrayLiteral("locks"));
    const models::LocksProxy *proxy = m_console->locks()->proxy();
    const models::LockRow *chosen = nullptr;
    for (int row = 0; row < proxy->rowCount(); ++row) {
        const models::LockRow *lock = proxy->lockAt(row);
        if (!lock)
            continue;
        if (m_options.select.isEmpty() || lock->lock.key().name == m_options.select.toUtf8()) {
            chosen = lock;
            break;
        }
    }
    if (chosen)
        m_console->selection()->selectOne(chosen->lock.key());
}

void Shot::take()
{
    const bool written = m_console->window()->grab().save(m_options.file, "PNG");
    if (!written)
        std::fprintf(stderr, "lockkeeper: %s can't be written; name a folder that exists\n",
                     qPrintable(m_options.file));
    QCoreApplication::exit(written ? 0 : 1);
}

} // namespace lockkeeper::app
