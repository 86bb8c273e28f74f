// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QString>
#include <QTextStream>

namespace lockkeeper::agent::hub {

/** `lockkeeper-agent hub`: exactly one of printing and installing. */
struct HubCommand
{
    bool printsSchema = false;
    QString url;   ///< of the database to install into; empty: prints
    QString owner; ///< role that then owns the schema; empty: the one that logs in
};

/**
 * Carries it out. Prints the schema, or the applied files and the statements that an operator runs next.
 * Blocks until the database has answered. Errors: those of installHubSchema(); Usage for a URL with a
 * password, which other users of the machine could read.
 */
base::Result<void> run(const HubCommand &command, QTextStream &out);

} // namespace lockkeeper::agent::hub
