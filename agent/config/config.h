// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"
#include "shared/config/problem.h"
#include "shared/domain/grants.h"
#include "shared/stores/source_spec.h"

#include <QHostAddress>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>
#include <tl/expected.hpp>

namespace lockkeeper::agent::config {

using lockkeeper::config::Problem;

/** How the agent serves over TLS: [tls]. Paths are absolute. */
struct Tls
{
    /** How a client without a certificate of client_ca's logs in. */
    enum class Login : quint8 {
        Users,      ///< by a password, as the users file has it
        Pam,        ///< by a password, as PAM judges it
        Certificate ///< not at all
    };

    QString certificate;
    QString key;
    QString clientCa; ///< whose certificates are a login; empty: nobody's
    Login login = Login::Users;
    QString pamService;
    QString users; ///< the users file
    bool operator==(const Tls &) const = default;
};

/** One [[access]]: what some users and groups may do, and where. */
struct AccessRule
{
    QStringList users;  ///< by any way of login
    QStringList groups; ///< Unix groups of this machine
    domain::Grant grant;
    bool operator==(const AccessRule &) const = default;
};

/** How agents of the same sources elect the one that is active: by a lease in a store that they watch. */
struct Election
{
    /** That source, with the lock as its only set and without push. */
    stores::SourceSpec store;
    QByteArray lock;
    qint64 ttlUs = 15'000'000;
    bool operator==(const Election &) const = default;
};

/** The agent's configuration file, typed and checked. Durations and paths are resolved. */
struct Config
{
    QString file;
    QString name;       ///< of the agent
    QString dataDir;    ///< absolute
    QStringList listen; ///< addresses as written: "local:lockkeeper.sock"
    Tls tls;
    QString metrics;     ///< "host:port"; empty: no endpoint
    QString journalPath; ///< absolute
    QString auditKey;    ///< file of the key that signs the audit, absolute
    int keepDays = 30;
    int keepRollupsDays = 366;
    int keepMib = 4096;
    qint64 journalQueueBytes = 256LL << 20; ///< see journal::Options; not in the file
    QList<stores::SourceSpec> sources;
    QList<AccessRule> access;
    std::optional<Election> election;
    bool operator==(const Config &) const = default;
};

/** Whether any of the addresses to listen on is over TLS. */
bool servesTls(const Config &config);

/** Where the metrics are served. */
struct MetricsAddress
{
    QHostAddress host; ///< of this machine alone
    quint16 port = 0;
};

/** Reads "HOST:PORT". The endpoint has no login: any but a loopback address is refused. */
base::Result<MetricsAddress> parseMetricsAddress(const QString &text);

/** What read() makes of a file: a Config, or every problem found. */
using Outcome = tl::expected<Config, QList<Problem>>;

/** Reads and checks a file. Secrets are resolved (env:, file:); keychain: is refused with its remedy where
 * unsupported. */
Outcome read(const QString &path);

/** The same from text; `path` only names it in problems and anchors relative paths. */
Outcome parse(const QByteArray &toml, const QString &path);

/** Where in the file a lock set of a source begins, for problems that only a connection finds (a missing
 * table). */
int lineOfLockSet(const QByteArray &toml, const QString &source, int set);

} // namespace lockkeeper::agent::config
