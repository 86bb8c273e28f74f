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

/** What the live table is sorted by; ties by source, scheme, place and name. */
enum class LocksOrder : quint8 { Severity = 0, Name, Source, Held, Remaining, Waiters };

struct LocksOptions
{
    QString source;
    std::optional<domain::Condition> state;
    QByteArray nameGlob;
    std::optional<LocksOrder> order = {}; ///< empty: by severity, and JSON as the agent tells it
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
    std::optional<domain::Condition> state; ///< only what brings a lock into this state
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
    std::optional<qint64> expiresUs; ///< with it: the deadline that stood beside the guard
    bool dryRun = false;
    bool yes = false;
    bool wait = false; ///< for the decision, where a second person must approve
};

struct WhoAmIOptions
{
};

struct ApprovalsOptions
{
};

struct DecideOptions
{
    QString agent = {}; ///< of several; empty: whichever has the request
    qint64 request = 0;
    bool approve = false;
    QString reason; ///< of a rejection
    bool yes = false;
};

struct AuditOptions
{
    bool verify = false;
    std::optional<base::PublicKey> key = {}; ///< with `verify`: must have signed the chain
    qint64 limit = 1000;                     ///< 0: all
    qint64 atLeast = 0;                      ///< with `verify`: so many records are expected
    QByteArray head = {};                    ///< with `verify`: the hash of a record that is expected
    bool printsHead = false;                 ///< the head alone, to be compared with later
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
    bool all = false;      ///< also the tables that aren't of locks
    bool viaAgent = false; ///< the agent looks, from where it runs
};

/** Which store a command of its own talks to: by a URL, or as a source of an agent's configuration. */
struct StoreOptions
{
    QString url;      ///< as typed: it may hold a password, so it is never repeated
    QString password; ///< reference: env:NAME or file:PATH; empty: none
    QString config;   ///< file; empty: by the URL
    QString source;   ///< in it
    QString scheme;
    QString table; ///< SQL; empty: the scheme's own
    QString acl;   ///< ZooKeeper: what else the znodes grant; empty: nothing
};

/** What becomes of the command when its lock is lost while it runs. */
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

/** The command line, understood. */
struct Options
{
    connections::Credentials credentials;
    QString trust;      ///< a fingerprint, as typed; empty: as it is known
    QStringList agents; ///< addresses as given; none: LOCKKEEPER_AGENT or the default
    bool json = false;
    QString logLevel = QStringLiteral("warning");
    CommandOptions command;
};

/** What to print and which status to end with, where there is nothing to run: help, the version, a mistake.
 */
struct Stop
{
    int status = 0;
    QString text; ///< for standard output with status 0, else one line for standard error
};

/** Reads the arguments (without the program's name), which `run` takes byte by byte. `nowUs`: wall clock, for
 * relative times. */
std::variant<Options, Stop> parseOptions(const QByteArrayList &arguments, qint64 nowUs);

/** Whether the command asks an agent at all. */
bool asksAgent(const CommandOptions &command);

/** The agents' addresses in text: the option's, LOCKKEEPER_AGENT, or the first default socket that fits the
 * user. Each once. */
QStringList agentAddresses(const Options &options);

} // namespace lockkeeper::app::cli
