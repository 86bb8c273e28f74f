// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/hub/hub_command.h"
#include "agent/login/user_command.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace lockkeeper::agent::application {

/** The parsed command line. */
struct AgentOptions
{
    QString config;
    QString logLevel = QStringLiteral("info");
    bool check = false;
    bool exitWithParent = false;
    bool stop = false;
    bool makeCertificate = false;
    QStringList hosts; ///< with makeCertificate
    bool fingerprint = false;
    std::optional<login::UserCommand> user;
    std::optional<hub::HubCommand> hub;  ///< needs no configuration
    std::optional<QString> acceptsAudit; ///< why an incomplete audit may continue

    /** True if this process only checks or helps an agent that a systemd unit runs; it needs the unit's
     * environment. */
    bool isAside() const { return check || stop || makeCertificate || fingerprint || user || acceptsAudit; }
};

/** Reads the command line. Empty: the program must exit with `status` (help, version, or a usage error that
 * was printed). */
std::optional<AgentOptions> readOptions(int argc, char **argv, int &status);

} // namespace lockkeeper::agent::application
