// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/application/console.h"
#include "app/private_agent/private_agent.h"
#include "app/settings/settings.h"
#include "app/views/discover/watch_store_dialog.h"
#include "app/views/window/main_window.h"
#include "shared/base/clock.h"
#include "tests/app/views/support/picture.h"

#include <QLocalSocket>
#include <QTemporaryDir>

#include <memory>

namespace lockkeeper::tests {

inline constexpr int kPatienceMs = 30'000;

inline QString s(const char *text)
{
    return QString::fromUtf8(text);
}

inline QString agentProgram()
{
    return qEnvironmentVariable("LOCKKEEPER_BIN") + QStringLiteral("/lockkeeper-agent");
}

inline bool serves(const QString &path)
{
    QLocalSocket socket;
    socket.connectToServer(path);
    return socket.waitForConnected(200);
}

/** A console with its own folders. */
struct WatchRig
{
    WatchRig() : settings(folder.filePath(s("console.ini")))
    {
        settings.setValue(app::settings::Key::Language, qEnvironmentVariable("LOCKKEEPER_LANGUAGE", s("en")));
        settings.setValue(app::settings::Key::Appearance,
                          qEnvironmentVariable("LOCKKEEPER_THEME", s("light")));
        restart();
    }
    void restart()
    {
        console.reset();
        console = std::make_unique<app::Console>(&settings, &clock, folder.filePath(s("p")));
        console->privateAgent()->setProgram(agentProgram());
        console->window()->show();
    }
    app::views::WatchStoreDialog *dialog() const
    {
        return console->window()->findChild<app::views::WatchStoreDialog *>();
    }
    QString socket() const { return console->privateAgent()->files().socketPath(); }

    QTemporaryDir folder;
    base::SystemClock clock;
    app::settings::Settings settings;
    std::unique_ptr<app::Console> console;
};

} // namespace lockkeeper::tests
