// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QByteArray>
#include <QList>
#include <QString>

#include <utility>

namespace lockkeeper::agent::application {

/** The assignments of a file that systemd's EnvironmentFile= reads (systemd.exec(5)). Pure. */
QList<std::pair<QByteArray, QByteArray>> assignmentsOf(const QByteArray &text);

/**
 * Sets the variables that the file `environment` beside the configuration assigns, as the unit does for the
 * running agent. Variables that are already set stay. Without such a file nothing happens.
 */
base::Result<void> takeEnvironmentBeside(const QString &configFile);

} // namespace lockkeeper::agent::application
