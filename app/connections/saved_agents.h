// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/transport/address.h"

#include <QCoreApplication>
#include <QList>

namespace lockkeeper::app::connections {

/** The credentials that a user presents to an agent over TLS, as written in the file. */
struct Credentials
{
    QString user;
    QString password;    ///< a reference: env:NAME or file:PATH; empty: prompt
    QString certificate; ///< path of a client certificate
    QString key;         ///< path of its key; empty: in the certificate's file
    QString ca;          ///< path of the authorities that vouch for the agent; empty: the system's, or a pin
    bool operator==(const Credentials &) const = default;
};

/** An agent that the user has named. */
struct SavedAgent
{
    QString name;
    QString address; ///< as parseAddress() takes it
    Credentials credentials = {};
    bool operator==(const SavedAgent &) const = default;
};

/**
 * The user's names for agents, from agents.toml: [[agent]] with `name` and `address`, and over TLS the
 * members of Credentials by the same names. The file is read before each connection and never written.
 */
class SavedAgents
{
    Q_DECLARE_TR_FUNCTIONS(SavedAgents)

public:
    /** lockkeeper/agents.toml in the user's folder for configurations. */
    static QString defaultFile();
    /** A missing file has no agents; a file with a mistake is an Error with the line. */
    static base::Result<SavedAgents> read(const QString &file);

    const QList<SavedAgent> &agents() const { return m_agents; }
    base::Result<SavedAgent> find(const QString &name) const;

private:
    QString m_file;
    QList<SavedAgent> m_agents;
};

} // namespace lockkeeper::app::connections
