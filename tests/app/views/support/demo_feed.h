// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/application/console.h"
#include "shared/base/clock.h"

#include <QList>
#include <QTemporaryDir>

namespace lockkeeper::tests {

/** Locks of every condition that the two schemes can show, as of one moment, for tests and pictures. */
class DemoFeed
{
public:
    explicit DemoFeed(const base::Clock &clock) : m_clock(clock) {}

    /** `count` locks; the first ones are of every condition, hostile names among them, the rest mostly held.
     */
    QList<domain::LockState> locks(int count) const;
    QList<domain::SourceState> sources() const;
    /** Hands a whole table to the replica, as a session would. */
    void load(app::replica::Replica &replica, const QList<domain::LockState> &locks) const;

private:
    domain::LockState redis(const QByteArray &name, const QByteArray &owner, qint64 heldS,
                            qint64 leftS) const;
    domain::LockState shedlock(const QByteArray &name, const QByteArray &owner, qint64 heldS,
                               qint64 leftS) const;
    domain::LockState stuck(const QByteArray &name) const;
    domain::LockState expired(const QByteArray &name) const;
    domain::LockState contended(const QByteArray &name, int waiters) const;
    domain::LockState free(const QByteArray &name) const;

    const base::Clock &m_clock;
};

/** A console with its own settings file and without an agent: the feed is its session. */
struct ConsoleRig
{
    explicit ConsoleRig(const base::Clock &wallClock)
        : settings(folder.filePath(QStringLiteral("console.ini"))), feed(wallClock)
    {
        settings.setValue(app::settings::Key::Language, QStringLiteral("en"));
        settings.setValue(app::settings::Key::Appearance, QStringLiteral("light"));
        settings.setValue(app::settings::Key::TimeZone, QStringLiteral("utc"));
        settings.setValue(app::settings::Key::DefaultView,
                          QStringLiteral("locks")); // what most tests look at
        console = std::make_unique<app::Console>(&settings, &wallClock);
    }

    QTemporaryDir folder;
    app::settings::Settings settings;
    DemoFeed feed;
    std::unique_ptr<app::Console> console;
};

} // namespace lockkeeper::tests
