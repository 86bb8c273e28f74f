// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/connections/saved_agents.h"
#include "shared/base/signing_key.h"
#include "shared/domain/release.h"
#include "shared/events/lock_event.h"

#include <QByteArray>
#include <QByteArrayList>
#include <QList>
#include <QString>
#include <QStringList>

#include <optional>
#include <variant>

namespace lockkeeper::app::cli {

struct StatusOptions
{
};

/** The order of the live table; ties are sorted by source, scheme, place and name. */
enum class LocksOrder : quint8 { Severity = 0, Name, Source, Held, Remaining, Waiters };

struct LocksOptions
{
    QString source;
    std::optional<domain::Condition> state;
    QByteArray nameGlob;
    std::optional<LocksOrder> order = {}; ///< empty: by severity; JSON in the agent's order
    std::optional<qint64> atUs = {};      ///< empty: now
    QByteArray placeGlob = {};            ///< empty: all
};

struct WatchOptions
{
    std::optional<quint64> since;
    std::optional<qint64> forUs;
    bool renewals = false;
    bool reconnect = true;
    QString source;                         ///< empty: all
    QByteArray lockGlob;                    ///< empty: all
    QList<events::Kind> kinds;              ///< empty: all
    std::optional<domain::Condition> state; ///< only events that bring a lock into this state
};

struct HistoryOptions
{
    QString source;
    QByteArray lockGlob;
    QList<events::Kind> kinds;
    std::optional<qint64> fromUs;
    std::optional<qint64> toUs;
    std::optional<quint64> afterSeq;
    std::optional<quint64> beforeSeq;
    qint64 limit = 1000; ///< 0: all
};

struct HoldsOptions
{
    QString source;
    QByteArray lockGlob;
    std::optional<qint64> fromUs;
    std::optional<qint64> toUs;
    int limit = 200;
};

struct ReleaseOptions
{
    QString source;
    QString lock;   ///< in its text form
    QString place;  ///< empty: any
    QString scheme; ///< empty: any
    std::optional<QString> holder;
    QByteArray guard;
    QString reason;
    domain::Because because = domain::Because::Operator;
    bool ifNotRenewed = false;
    std::optional<qint64> expiresUs; ///< with the guard: the deadline shown beside it
    bool dryRun = false;
    bool yes = false;
    bool wait = false; ///< for the decision if a second person must approve
};

struct WhoAmIOptions
{
};

struct ApprovalsOptions
{
};

struct DecideOptions
{
    QString agent = {}; ///< one of several agents; empty: the agent with the request
    qint64 request = 0;
    bool approve = false;
    QString reason; ///< of a rejection
    bool yes = false;
};

struct AuditOptions
{
    bool verify = false;
    std::optional<base::PublicKey> key = {}; ///< with `verify`: the key that must have signed the chain
    qint64 limit = 1000;                     ///< 0: all
    qint64 atLeast = 0;                      ///< with `verify`: the least expected number of records
    QByteArray head = {};                    ///< with `verify`: the hash of an expected record
    bool printsHead = false;                 ///< prints only the head, for a later comparison
};

struct ExportOptions
{
    bool csv = false;
    QString file; ///< empty: standard output
    std::variant<LocksOptions, HistoryOptions> what;

    bool ofHistory() const { return std::holds_alternative<HistoryOptions>(what); }
};

struct ChainsOptions
{
    QString source;                  ///< empty: all
    std::optional<qint64> atUs = {}; ///< empty: now
};

struct ContentionOptions
{
    QString source;      ///< empty: all
    QByteArray lockGlob; ///< empty: all
    std::optional<qint64> fromUs;
    std::optional<qint64> toUs;
    int top = 20;
};

struct ProbeOptions
{
    QString source;
    qint64 forUs = 2'000'000;
    qint64 commands = 100'000;
    QString reason;
    bool yes = false;
};

struct OverviewOptions
{
};

struct BridgeOptions
{
};

struct DiscoverOptions
{
    QStringList urls;      ///< as typed: they may hold a password, so they are never repeated
    QString password;      ///< reference: env:NAME or file:PATH; empty: none
    bool all = false;      ///< also tables without locks
    bool viaAgent = false; ///< the agent searches, from its machine
};

/** The store that a command accesses directly: by a URL, or as a source of an agent's configuration. */
struct StoreOptions
{
    QString url;      ///< as typed: it may contain a password, so it is never repeated
    QString password; ///< reference: env:NAME or file:PATH; empty: none
    QString config;   ///< file; empty: by the URL
    QString source;   ///< in the file
    QString scheme;
    QString table; ///< SQL; empty: the scheme's default
    QString acl;   ///< ZooKeeper: additional grants on the znodes; empty: none
};

/** The action on the command if its lock is lost while it runs. */
enum class OnLost : quint8 { Terminate, Kill, Ignore };

struct RunOptions
{
    StoreOptions store;
    QByteArray lock;
    qint64 ttlUs = 0;
    std::optional<qint64> waitUs; ///< empty: for ever
    OnLost onLost = OnLost::Terminate;
    qint64 killAfterUs = 10'000'000; ///< after SIGTERM
    QByteArray owner;                ///< empty: this process
    bool createTable = false;
    QByteArrayList command; ///< and its arguments
};

/** A workload of locks, from a scenario. */
struct SimulateOptions
{
    QString scenario; ///< file
    std::optional<quint32> seed;
    std::optional<qint64> forUs;
};

using CommandOptions =
    std::variant<StatusOptions, LocksOptions, WatchOptions, HistoryOptions, HoldsOptions, ReleaseOptions,
                 AuditOptions, ExportOptions, DiscoverOptions, ChainsOptions, ContentionOptions, ProbeOptions,
                 OverviewOptions, BridgeOptions, WhoAmIOptions, ApprovalsOptions, DecideOptions, RunOptions,
                 SimulateOptions>;

/** The parsed command line. */
struct Options
{
    connections::Credentials credentials;
    QString trust;      ///< a fingerprint, as typed; empty: the known one
    QStringList agents; ///< addresses as given; none: LOCKKEEPER_AGENT or the default
    bool json = false;
    QString logLevel = QStringLiteral("warning");
    CommandOptions command;
};

/** The output and the exit status if there is nothing to run: for help, the version, or a usage error. */
struct Stop
{
    int status = 0;
    QString text; ///< with status 0 for standard output, otherwise one line for standard error
};

/**
 * Reads the arguments (without the program's name); `run` uses them byte by byte. `nowUs`: wall clock, for
 * relative times.
 */
std::variant<Options, Stop> parseOptions(const QByteArrayList &arguments, qint64 nowUs);

/** True if the command queries an agent. */
bool asksAgent(const CommandOptions &command);

/**
 * The agents' addresses as text, without duplicates: from the option, from LOCKKEEPER_AGENT, or the first
 * default socket that the user may use.
 */
QStringList agentAddresses(const Options &options);

} // namespace lockkeeper::app::cli
