// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agent/config/alert_rule.h"
#include "agent/config/forward_settings.h"
#include "agent/config/liveness_rule.h"
#include "agent/config/receiver_settings.h"
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
struct TlsSettings
{
    /** How a client logs in without a certificate from `client_ca`. */
    enum class LoginMethod : quint8 {
        Users,      ///< by a password from the users file
        Pam,        ///< by a password that PAM verifies
        Certificate ///< can't log in
    };

    QString certificate;
    QString key;
    QString clientCa; ///< CA file; its certificates count as a login; empty: none do
    LoginMethod login = LoginMethod::Users;
    QString pamService;
    QString users; ///< the users file
    bool operator==(const TlsSettings &) const = default;
};

/** One [[access]] entry: what some users and groups may do, and where. */
struct AccessRule
{
    QStringList users;  ///< for every kind of login
    QStringList groups; ///< Unix groups of this machine
    domain::Grant grant;
    bool operator==(const AccessRule &) const = default;
};

/** How agents that watch the same sources elect the active one: by a lease in one of their stores. */
struct ElectionSettings
{
    /** The source that keeps the lease, with the lock as its only set and push disabled. */
    stores::SourceSpec store;
    QByteArray lock;
    qint64 ttlUs = 15'000'000;
    bool operator==(const ElectionSettings &) const = default;
};

/** The agent's configuration file, typed and checked. Durations and paths are resolved. */
struct Config
{
    QString file;
    QString name;       ///< of the agent
    QString dataDir;    ///< absolute
    QStringList listen; ///< addresses as written: "local:lockkeeper.sock"
    TlsSettings tls;
    QString metrics;     ///< "host:port"; empty: no endpoint
    QString journalPath; ///< absolute
    QString auditKey;    ///< file of the key that signs the audit, absolute
    int keepDays = 30;
    int keepRollupsDays = 366;
    int keepMib = 4096;
    qint64 journalQueueBytes = 256LL << 20; ///< see journal::JournalOptions; not in the file
    QList<stores::SourceSpec> sources;
    QList<AccessRule> access;
    AlertSettings alerts;
    QList<ReceiverSettings> receivers; ///< of alerts, each with a unique name
    QList<LivenessRule> liveness;
    QList<ForwardSettings> forwards; ///< each with a unique name
    std::optional<ElectionSettings> election;
    bool operator==(const Config &) const = default;
};

/** Whether any of the addresses to listen on is over TLS. */
bool servesTls(const Config &config);

struct MetricsAddress
{
    QHostAddress host; ///< a loopback address
    quint16 port = 0;
};

/** Reads "HOST:PORT". The endpoint has no login: any but a loopback address is refused. */
base::Result<MetricsAddress> parseMetricsAddress(const QString &text);

/** The result of read(): a Config, or every problem found. */
using Outcome = tl::expected<Config, QList<Problem>>;

/** Reads and checks a file. Secrets are resolved (env:, file:); keychain: is refused with its remedy where
 * unsupported. */
Outcome read(const QString &path);

/** Same as read(), but from text; `path` only names it in problems and anchors relative paths. */
Outcome parse(const QByteArray &toml, const QString &path);

/** The line on which a source's lock set begins, for problems that only a connection finds (a missing table).
 * 0: not found. */
int lineOfLockSet(const QByteArray &toml, const QString &source, int set);

} // namespace lockkeeper::agent::config
