// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/login/user_command.h"

#include <QString>
#include <QStringList>

#include <optional>

namespace lockkeeper::agent::application {

/** The command line, read. */
struct Options
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
    std::optional<QString> acceptsAudit; ///< why an audit that isn't whole is to go on

    /** It only looks at, or helps, the agent that a unit runs, whose environment it needs. */
    bool isAside() const { return check || stop || makeCertificate || fingerprint || user || acceptsAudit; }
};

/** Reads the command line. Empty: the program is to end with `status` (help, version, or a usage error that
 * was printed). */
std::optional<Options> readOptions(int argc, char **argv, int &status);

} // namespace lockkeeper::agent::application
