// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/address.h"

#include <QCoreApplication>
#include <QList>

namespace lockkeeper::app::connections {

/** An agent that the user has a name for. */
struct SavedAgent
{
    QString name;
    QString address; ///< as parseAddress() takes it
    bool operator==(const SavedAgent &) const = default;
};

/**
 * The user's names for agents, from agents.toml: [[agent]] with `name` and `address`. Read by whoever is
 * about to connect, never written.
 */
class SavedAgents
{
    Q_DECLARE_TR_FUNCTIONS(SavedAgents)

public:
    /** lockkeeper/agents.toml in the user's folder for configurations. */
    static QString defaultFile();
    /** A file that isn't there has no agents; one with a mistake is refused with its line. */
    static base::Result<SavedAgents> read(const QString &file);

    const QList<SavedAgent> &agents() const { return m_agents; }
    /** The address that stands for a name; what has a colon is an address already and stays. */
    base::Result<QString> addressOf(const QString &text) const;

private:
    QString m_file;
    QList<SavedAgent> m_agents;
};

/** The address that `text` is or, in the user's agents.toml, stands for. */
base::Result<transport::Address> resolveAgent(const QString &text, const QString &baseDir);

} // namespace lockkeeper::app::connections
