// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/options.h"

#include "app/cli/command.h"
#include "app/cli/exit_status.h"
#include "app/cli/language/parser_words.h"
#include "app/cli/times.h"
#include "app/findings/error_words.h"
#include "shared/base/clock.h"
#include "shared/base/nearest.h"
#include "shared/transport/address.h"

#include <QCoreApplication>
#include <QFile>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <functional>
#include <limits>

namespace lockkeeper::app::cli {

namespace {

constexpr qint64 kLongestTimerUs = 24 * 24 * base::kHourUs; ///< the limit of a timer's milliseconds

std::string help(const char *text)
{
    return tr(text).toStdString();
}

bool isHex(const QByteArray &text)
{
    return std::all_of(text.cbegin(), text.cend(),
                       [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); });
}

/** "Did you mean 'x'?", or the list of the known words. */
QString didYouMean(const QString &wanted, const QStringList &known)
{
    const QString nearest = base::nearestName(wanted, known);
    return nearest.isEmpty() ? tr("Use one of: %1").arg(known.join(QLatin1String(", ")))
                             : tr("Did you mean '%1'?").arg(nearest);
}

/** The raw texts of the options; converted to types once CLI11 has accepted the line as a whole. */
struct Raw
{
    std::string logLevel = "warning", source, state, name, forDuration, lock, from, to, at, since, after,
                before;
    std::string user, loginPassword, certificate, key, ca, trust;
    std::string commands, top, limit, place, scheme, holder, guard, reason,
        because = "operator", format = "json", file, password, sort, publicKey, atLeast, head;
    std::vector<std::string> agents, kinds, urls;
    std::string request;
    std::string store, config, table, acl, ttl, waitFor, onLost = "term", killAfter = "10s", owner, scenario,
                                                         seed;
    bool createTable = false;
    bool wait = false;
    bool json = false, renewals = false, noReconnect = false, ifNotRenewed = false, dryRun = false,
         yes = false;
    std::optional<qint64> expiresUs;
    bool verify = false, all = false, viaAgent = false, locks = false, history = false, holderGiven = false,
         headGiven = false;
};

constexpr std::array<const char *, 6> kOrders{"severity", "name", "source", "held", "remaining", "waiters"};

std::vector<std::string> orderNames()
{
    return {kOrders.begin(), kOrders.end()};
}

void addSource(CLI::App &app, Raw &raw)
{
    app.add_option("--source", raw.source, help("only this source"));
}

void addSpan(CLI::App &app, Raw &raw)
{
    app.add_option("--from", raw.from, help("since this time: RFC 3339, or -15m"));
    app.add_option("--to", raw.to, help("until this time"));
}

void addLocks(CLI::App &app, Raw &raw)
{
    addSource(app, raw);
    app.add_option("--state", raw.state, help("held (and healthy), free, expired, stuck, contended"))
        ->check(CLI::IsMember(
            {"held", "free", "expired", "stuck", "contended", "expiring", "optimistic", "unknown"}));
    app.add_option("--name", raw.name, help("only names that match this glob"));
    app.add_option("--place", raw.place, help("only places that match this glob: a database, a table"));
    app.add_option("--at", raw.at,
                   help("as it was at this time: RFC 3339, -15m, 02:00, \"yesterday 22:00\""));
    app.add_option("--sort", raw.sort,
                   help("severity (default: the worst first; with --json as they come), name, source, held "
                        "(the longest first), remaining (the least first), waiters (the most first)"))
        ->check(CLI::IsMember(orderNames()));
}

void addWatch(CLI::App &app, Raw &raw)
{
    app.add_option("--since", raw.since, help("events after this sequence number; 0: all available"));
    app.add_option("--for", raw.forDuration, help("end after this long: 500ms, 30s, 10m, 2h"));
    app.add_flag("--renewals", raw.renewals, help("also print renewals, which aren't journalled"));
    app.add_flag("--no-reconnect", raw.noReconnect, help("exit with status 3 when the link is lost"));
    addSource(app, raw);
    app.add_option("--lock", raw.lock,
                   help("only locks whose names match this glob, and gaps in the observation of the source"));
    app.add_option("--event", raw.kinds, help("only events of this kind; may be repeated"))->delimiter(',');
    app.add_option("--state", raw.state,
                   help("only events that bring a lock into this state, and gaps in the observation"))
        ->check(CLI::IsMember({"held", "free", "expired", "stuck", "contended"}));
}

void addHistory(CLI::App &app, Raw &raw, bool withSource)
{
    if (withSource)
        addSource(app, raw);
    app.add_option("--lock", raw.lock, help("only locks whose names match this glob"));
    app.add_option("--event", raw.kinds, help("only events of this kind; may be repeated"))->delimiter(',');
    addSpan(app, raw);
    app.add_option("--after", raw.after, help("only events with a greater sequence number"));
    app.add_option("--before", raw.before, help("only events with a smaller sequence number"));
    app.add_option("--limit", raw.limit, help("maximum number, 0: all (default 1000)"));
}

void addContention(CLI::App &app, Raw &raw)
{
    addSource(app, raw);
    app.add_option("--lock", raw.lock, help("only locks whose names match this glob"));
    app.add_option("--from", raw.from, help("since this time: RFC 3339, or -15m (default -1h)"));
    app.add_option("--to", raw.to, help("until this time (default now)"));
    app.add_option("--top", raw.top, help("maximum number (default 20, at most 1000)"));
}

void addProbe(CLI::App &app, Raw &raw)
{
    app.add_option("SOURCE", raw.source, help("the source whose clients to observe"))->required();
    app.add_option("--for", raw.forDuration, help("how long: 500ms, 2s (default), at most 10s"));
    app.add_option("--commands", raw.commands, help("end after this number of commands (default 100000)"));
    app.add_option("--reason", raw.reason, help("the reason, for the audit"));
    app.add_flag("--yes", raw.yes, help("don't ask for confirmation"));
}

void addRelease(CLI::App &app, Raw &raw)
{
    app.add_option("SOURCE", raw.source, help("the lock's source"))->required();
    app.add_option("LOCK", raw.lock, help("the lock's name as 'locks' shows it"))->required();
    app.add_option("--place", raw.place, help("the lock's place in the source, if the name is ambiguous"));
    app.add_option("--scheme", raw.scheme, help("the lock's scheme, if the name is ambiguous"));
    app.add_option("--holder", raw.holder, help("release only what this owner holds"));
    app.add_option("--guard", raw.guard, help("release only this acquisition ('guard' of 'locks --json')"));
    app.add_option("--reason", raw.reason, help("the reason, for the audit"))->required();
    app.add_option("--because", raw.because,
                   help("the claim to check; expired and stuck also require that it wasn't renewed"))
        ->check(CLI::IsMember({"operator", "expired", "stuck"}));
    app.add_flag("--if-not-renewed", raw.ifNotRenewed,
                 help("only if it wasn't renewed since the agent showed the guard's acquisition"));
    app.add_option("--expires-us", raw.expiresUs,
                   help("with --if-not-renewed: the expires_us shown beside the guard in locks --json"))
        ->needs("--if-not-renewed");
    app.add_flag("--dry-run", raw.dryRun, help("check everything, write nothing"));
    app.add_flag("--yes", raw.yes, help("don't ask for confirmation"));
    app.add_flag("--wait", raw.wait,
                 help("if a second person must approve: wait for the decision and the outcome"));
}

void addGeneral(CLI::App &app, Raw &raw)
{
    app.add_option("--agent", raw.agents,
                   help("the agent's address: local:PATH, ssh://[USER@]HOST[:PORT][/SOCKET], "
                        "tls://HOST[:PORT], or a name in your agents.toml (default: LOCKKEEPER_AGENT); may "
                        "be repeated to query several agents"))
        ->allow_extra_args(false);
    app.add_option("--user", raw.user, help("over TLS: log in as this user"));
    app.add_option("--password", raw.loginPassword,
                   help("over TLS: the password's source, env:NAME or file:PATH (default: prompt)"));
    app.add_option("--certificate", raw.certificate, help("over TLS: your certificate, used as the login"));
    app.add_option("--key", raw.key, help("its private key (default: in the same file)"));
    app.add_option("--ca", raw.ca, help("over TLS: the authorities that sign the agent's certificate"));
    app.add_option("--trust", raw.trust,
                   help("over TLS: trust the agent with this fingerprint from now on (see lockkeeper-agent "
                        "--fingerprint)"));
    app.add_flag("--json", raw.json, help("JSON Lines: one object a line"));
    app.add_option("--log-level", raw.logLevel, help("lowest level to log: debug, info, warning or error"))
        ->type_name("LEVEL")
        ->check(CLI::IsMember({"debug", "info", "warning", "error"}));
    app.set_version_flag("--version", "lockkeeperctl " LOCKKEEPER_VERSION, help("print the version"));
    app.require_subcommand(1);
    app.fallthrough();
}

void addRun(CLI::App &app, Raw &raw)
{
    CLI::Option *store = app.add_option("--store", raw.store,
                                        help("the lock's store: redis://HOST:PORT/0, "
                                             "mysql://USER@HOST/DATABASE, postgresql://…, sqlite:PATH, …"));
    CLI::Option *config =
        app.add_option("--config", raw.config,
                       help("instead of --store: an agent's configuration, for mapped tables and TLS"));
    store->excludes(config);
    CLI::Option *source = app.add_option("--source", raw.source, help("with --config: the source in it"));
    source->needs(config);
    config->needs(source);
    app.add_option("--scheme", raw.scheme, help("the lock's scheme: redis.token, sql.shedlock, …"));
    app.add_option("--table", raw.table, help("SQL: the table (sql.shedlock: shedlock by default)"));
    app.add_option("--acl", raw.acl, help("ZooKeeper: grant others rights on the znodes, as world:anyone:r"));
    app.add_option("--password", raw.password, help("the password's source: env:NAME or file:PATH"))
        ->excludes(config);
    app.add_option("--lock", raw.lock, help("the lock's name, byte by byte"))->required();
    app.add_option("--ttl", raw.ttl, help("lease length; renewed at one third of it: 30s, 10m"))->required();
    app.add_option("--wait", raw.waitFor,
                   help("how long to wait for the lock before ending with status 75; 0s: don't wait "
                        "(default: no limit)"));
    app.add_option(
           "--on-lost", raw.onLost,
           help("when the lock is lost while COMMAND runs: term (default; KILL follows), kill, ignore"))
        ->check(CLI::IsMember({"term", "kill", "ignore"}));
    app.add_option("--kill-after", raw.killAfter, help("delay between TERM and KILL (default 10s)"));
    app.add_option("--owner", raw.owner,
                   help("the holder's name, for others to read (default: host, process, user and command)"));
    app.add_flag("--create-table", raw.createTable, help("SQL: create the table if it is missing"));
}

void addSimulate(CLI::App &app, Raw &raw)
{
    app.add_option("SCENARIO", raw.scenario, help("a TOML file: stores, locks, workers and their behaviour"))
        ->required();
    app.add_option("--seed", raw.seed, help("the random seed (default: the scenario's)"));
    app.add_option("--for", raw.forDuration, help("end after this long (default: the scenario's, or never)"));
}

/** Converts the texts to values; stops at the first invalid one. */
class Typing
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli::Typing)

public:
    Typing(const Raw &raw, qint64 nowUs, QByteArrayList toRun)
        : m_raw(raw), m_nowUs(nowUs), m_toRun(std::move(toRun))
    {
    }

    QString fault;

    DecideOptions decision(bool approve)
    {
        const QString text = QString::fromStdString(m_raw.request);
        const qsizetype slash = text.lastIndexOf(QLatin1Char('/'));
        DecideOptions o;
        o.agent = text.left(std::max<qsizetype>(0, slash));
        o.request = number(text.mid(slash + 1).toStdString(), "ID").value_or(0);
        o.approve = approve;
        o.reason = QString::fromStdString(m_raw.reason);
        o.yes = m_raw.yes;
        if (slash == 0 || slash == text.size() - 1)
            blame("ID", {base::ErrorCode::Usage, tr("a request is ID or AGENT/ID"), {}});
        return o;
    }

    RunOptions running()
    {
        RunOptions o;
        o.store = {QString::fromStdString(m_raw.store),  QString::fromStdString(m_raw.password),
                   QString::fromStdString(m_raw.config), QString::fromStdString(m_raw.source),
                   QString::fromStdString(m_raw.scheme), QString::fromStdString(m_raw.table),
                   QString::fromStdString(m_raw.acl)};
        o.lock = QByteArray::fromStdString(m_raw.lock);
        o.ttlUs = duration(m_raw.ttl, "--ttl").value_or(0);
        o.waitUs = duration(m_raw.waitFor, "--wait");
        o.killAfterUs = duration(m_raw.killAfter, "--kill-after", kLongestTimerUs).value_or(o.killAfterUs);
        o.onLost = m_raw.onLost == "kill"     ? OnLost::Kill
                   : m_raw.onLost == "ignore" ? OnLost::Ignore
                                              : OnLost::Terminate;
        o.owner = QByteArray::fromStdString(m_raw.owner);
        o.createTable = m_raw.createTable;
        o.command = m_toRun;
        if (o.store.url.isEmpty() && o.store.config.isEmpty())
            blame("run", {base::ErrorCode::Usage, tr("the lock's store is missing"),
                          tr("Use --store URL, or --config FILE and --source NAME")});
        else if (o.store.config.isEmpty() && o.store.scheme.isEmpty())
            blame("run", {base::ErrorCode::Usage, tr("the lock's scheme is missing"),
                          tr("Add --scheme, for example redis.token or sql.shedlock")});
        else if (o.command.isEmpty())
            blame("run", {base::ErrorCode::Usage, tr("there is no command to run"),
                          tr("Put it after --: lockkeeperctl run … -- COMMAND")});
        return o;
    }

    SimulateOptions simulation()
    {
        SimulateOptions o;
        o.scenario = QString::fromStdString(m_raw.scenario);
        if (const auto seed = number(m_raw.seed, "--seed"))
            o.seed = quint32(*seed);
        o.forUs = duration(m_raw.forDuration, "--for", kLongestTimerUs);
        return o;
    }

    std::optional<qint64> duration(const std::string &text, const char *option,
                                   qint64 mostUs = std::numeric_limits<qint64>::max())
    {
        if (text.empty())
            return {};
        const auto us = base::parseDuration(QString::fromStdString(text));
        if (us && *us <= mostUs)
            return *us;
        blame(option, us ? base::Error{base::ErrorCode::Usage,
                                       tr("it lasts at most %1").arg(base::formatDuration(mostUs)),
                                       {}}
                         : us.error());
        return {};
    }

    std::optional<base::PublicKey> publicKey()
    {
        if (m_raw.publicKey.empty())
            return {};
        QFile file(QString::fromStdString(m_raw.publicKey));
        const bool opened = file.open(QIODevice::ReadOnly);
        const auto key = base::PublicKey::fromPem(opened ? file.read(10'000) : QByteArray());
        if (key)
            return *key;
        fault = QStringLiteral("--public-key %1: %2")
                    .arg(file.fileName(), opened ? key.error().cause : file.errorString());
        return {};
    }

    AuditOptions audit()
    {
        AuditOptions o{m_raw.verify, publicKey(), number(m_raw.limit, "--limit").value_or(1000)};
        o.atLeast = number(m_raw.atLeast, "--at-least").value_or(0);
        o.head = QByteArray::fromHex(QByteArray::fromStdString(m_raw.head));
        o.printsHead = m_raw.headGiven && m_raw.head.empty();
        if (m_raw.headGiven && !o.printsHead && (m_raw.head.size() != 64 || o.head.size() != 32))
            blame("--head", {base::ErrorCode::Usage, tr("a record's hash has 64 hexadecimal digits"),
                             tr("Copy it from what 'lockkeeperctl audit --head' printed")});
        else if (!o.verify && ((m_raw.headGiven && !o.printsHead) || o.atLeast > 0))
            blame(o.atLeast > 0 ? "--at-least" : "--head",
                  {base::ErrorCode::Usage, tr("it needs --verify"), {}});
        return o;
    }

    ChainsOptions chains() { return {QString::fromStdString(m_raw.source), pastTime()}; }

    DiscoverOptions discover() const
    {
        DiscoverOptions o{{}, QString::fromStdString(m_raw.password), m_raw.all, m_raw.viaAgent};
        for (const std::string &url : m_raw.urls)
            o.urls.append(QString::fromStdString(url));
        return o;
    }

    LocksOptions locks()
    {
        const auto order = std::find(kOrders.begin(), kOrders.end(), m_raw.sort);
        return {QString::fromStdString(m_raw.source),
                domain::conditionFromName(QByteArrayView(m_raw.state)),
                QByteArray::fromStdString(m_raw.name),
                m_raw.sort.empty() ? std::nullopt : std::optional(LocksOrder(order - kOrders.begin())),
                pastTime(),
                QByteArray::fromStdString(m_raw.place)};
    }

    std::optional<qint64> pastTime()
    {
        const auto at = time(m_raw.at, "--at");
        if (at && *at > m_nowUs)
            blame("--at", {base::ErrorCode::Usage, tr("%1 is in the future").arg(timeText(*at)),
                           tr("Write \"yesterday 22:00\" for a time before today")});
        return at;
    }

    WatchOptions watch()
    {
        WatchOptions o;
        if (const auto since = number(m_raw.since, "--since"))
            o.since = quint64(*since);
        o.forUs = duration(m_raw.forDuration, "--for", kLongestTimerUs);
        o.renewals = m_raw.renewals;
        o.reconnect = !m_raw.noReconnect;
        o.source = QString::fromStdString(m_raw.source);
        o.lockGlob = QByteArray::fromStdString(m_raw.lock);
        o.kinds = kinds();
        o.state = domain::conditionFromName(QByteArrayView(m_raw.state));
        return o;
    }

    QList<events::Kind> kinds()
    {
        QList<events::Kind> kinds;
        QStringList known;
        for (int i = 0; i <= int(events::kLastKind); ++i)
            known.append(QString::fromLatin1(events::kindName(events::Kind(i))));
        for (const std::string &name : m_raw.kinds) {
            if (const auto kind = events::kindFromName(QByteArrayView(name)))
                kinds.append(*kind);
            else
                blame("--event", {base::ErrorCode::Usage,
                                  tr("there is no event named '%1'")
                                      .arg(base::displayText(QByteArray::fromStdString(name))),
                                  didYouMean(QString::fromStdString(name), known)});
        }
        return kinds;
    }

    HistoryOptions history()
    {
        HistoryOptions o;
        o.source = QString::fromStdString(m_raw.source);
        o.lockGlob = QByteArray::fromStdString(m_raw.lock);
        o.kinds = kinds();
        o.fromUs = time(m_raw.from, "--from");
        o.toUs = time(m_raw.to, "--to");
        if (const auto after = number(m_raw.after, "--after"))
            o.afterSeq = quint64(*after);
        if (const auto before = number(m_raw.before, "--before"))
            o.beforeSeq = quint64(*before);
        o.limit = number(m_raw.limit, "--limit").value_or(o.limit);
        return o;
    }

    HoldsOptions holds()
    {
        HoldsOptions o;
        o.source = QString::fromStdString(m_raw.source);
        o.lockGlob = QByteArray::fromStdString(m_raw.lock);
        o.fromUs = time(m_raw.from, "--from");
        o.toUs = time(m_raw.to, "--to");
        const qint64 limit = number(m_raw.limit, "--limit").value_or(o.limit);
        if (limit < 1 || limit > 1000)
            blame("--limit", {base::ErrorCode::Usage, tr("holds come at most 1000 at a time"),
                              tr("Narrow --from and --to")});
        o.limit = int(limit);
        return o;
    }

    ContentionOptions contention()
    {
        ContentionOptions o;
        o.source = QString::fromStdString(m_raw.source);
        o.lockGlob = QByteArray::fromStdString(m_raw.lock);
        o.toUs = time(m_raw.to, "--to");
        o.fromUs = time(m_raw.from.empty() ? "-1h" : m_raw.from, "--from");
        const qint64 top = number(m_raw.top, "--top").value_or(o.top);
        if (top < 1 || top > 1000)
            blame("--top", {base::ErrorCode::Usage, tr("a ranking has 1 to 1000 locks"), {}});
        else if (o.fromUs && *o.fromUs >= o.toUs.value_or(m_nowUs))
            blame("--from", {base::ErrorCode::Usage, tr("the range ends before it begins"), {}});
        o.top = int(top);
        return o;
    }

    ProbeOptions probe()
    {
        ProbeOptions o;
        o.source = QString::fromStdString(m_raw.source);
        o.reason = QString::fromStdString(m_raw.reason);
        o.yes = m_raw.yes;
        o.commands = number(m_raw.commands, "--commands").value_or(o.commands);
        const auto duration =
            base::parseDuration(QString::fromStdString(m_raw.forDuration.empty() ? "2s" : m_raw.forDuration));
        if (!duration)
            blame("--for", duration.error());
        else if (*duration < 1'000 || *duration > 10'000'000)
            blame("--for", {base::ErrorCode::Usage, tr("a probe lasts at most 10 s"), {}});
        else if (o.commands < 1 || o.commands > 10'000'000)
            blame("--commands", {base::ErrorCode::Usage, tr("a probe reads 1 to 10000000 commands"), {}});
        o.forUs = duration.value_or(o.forUs);
        return o;
    }

    ReleaseOptions release()
    {
        ReleaseOptions o;
        o.source = QString::fromStdString(m_raw.source);
        o.lock = QString::fromStdString(m_raw.lock);
        o.place = QString::fromStdString(m_raw.place);
        o.scheme = QString::fromStdString(m_raw.scheme);
        if (m_raw.holderGiven)
            o.holder = QString::fromStdString(m_raw.holder);
        o.guard = QByteArray::fromStdString(m_raw.guard).trimmed().toLower();
        o.reason = QString::fromStdString(m_raw.reason);
        o.because = domain::becauseFromName(QByteArrayView(m_raw.because)).value_or(o.because);
        o.ifNotRenewed = m_raw.ifNotRenewed;
        o.expiresUs = m_raw.expiresUs;
        o.dryRun = m_raw.dryRun;
        o.yes = m_raw.yes;
        o.wait = m_raw.wait;
        if (!o.holder && o.guard.isEmpty())
            blame("release", {base::ErrorCode::Usage, tr("--guard or --holder is required"),
                              tr("Copy the guard from 'lockkeeperctl locks --json'")});
        else if (!isHex(o.guard))
            blame("--guard",
                  {base::ErrorCode::Usage, tr("a guard is hexadecimal digits"),
                   tr("Copy it from 'locks --json'; where it is null, nothing stored identifies the "
                      "acquisition, and only --holder can name it")});
        else if (o.reason.trimmed().isEmpty())
            blame("--reason",
                  {base::ErrorCode::Usage, tr("the reason is empty"), tr("Enter a reason for the audit")});
        return o;
    }

    ExportOptions exporting()
    {
        ExportOptions o;
        o.csv = m_raw.format == "csv";
        o.file = QString::fromStdString(m_raw.file);
        const bool ofHistory = !m_raw.lock.empty() || !m_raw.kinds.empty() || !m_raw.from.empty() ||
                               !m_raw.to.empty() || !m_raw.after.empty() || !m_raw.before.empty() ||
                               !m_raw.limit.empty();
        const bool ofLocks = !m_raw.state.empty() || !m_raw.name.empty() || !m_raw.place.empty() ||
                             !m_raw.at.empty() || !m_raw.sort.empty();
        if ((ofHistory && !m_raw.history) || (ofLocks && m_raw.history))
            blame("export",
                  {base::ErrorCode::Usage, tr("options of the live table and of the history are mixed"),
                   tr("Use --locks with --source, --state, --name, --place, --at, --sort, or --history with "
                      "the "
                      "options of 'history'")});
        if (m_raw.history)
            o.what = history();
        else
            o.what = locks();
        return o;
    }

    std::optional<qint64> number(const std::string &text, const char *option)
    {
        if (text.empty())
            return std::nullopt;
        bool ok = false;
        const qint64 value = QByteArray::fromStdString(text).toLongLong(&ok);
        if (!ok || value < 0) {
            blame(option,
                  {base::ErrorCode::Usage,
                   tr("'%1' isn't a number from 0").arg(base::displayText(QByteArray::fromStdString(text))),
                   {}});
            return std::nullopt;
        }
        return value;
    }

    std::optional<qint64> time(const std::string &text, const char *option)
    {
        if (text.empty())
            return std::nullopt;
        const auto value = parseTime(QString::fromStdString(text), m_nowUs);
        if (!value) {
            blame(option, value.error());
            return std::nullopt;
        }
        return *value;
    }

    void blame(const char *option, const base::Error &error)
    {
        if (fault.isEmpty())
            fault = QStringLiteral("%1: %2").arg(QLatin1String(option), findings::ErrorWords::line(error));
    }

private:
    const Raw &m_raw;
    qint64 m_nowUs;
    QByteArrayList m_toRun; ///< the command after `run … --`
};

/** A command, and the conversion of its options to values. */
struct Declared
{
    const CLI::App *command;
    std::function<CommandOptions(Typing &)> read;
};

std::vector<Declared> declare(CLI::App &app, Raw &raw)
{
    app.formatter(helpFormatter());
    app.option_defaults()->group(help("Options"));
    const auto addHelp = [](CLI::App &to) {
        to.set_help_flag("-h,--help", help("Print this help message and exit"));
    };
    addHelp(app);
    addGeneral(app, raw);
    std::vector<Declared> all;
    const auto add = [&](const char *name, const std::string &text,
                         std::function<CommandOptions(Typing &)> read, const char *example,
                         const char *another) -> CLI::App & {
        CLI::App *command = app.add_subcommand(name, text);
        command->group(help("Subcommands"));
        addHelp(*command);
        command->footer(help("Examples:") + "\n  lockkeeperctl " + example + "\n  lockkeeperctl " + another);
        all.push_back({command, std::move(read)});
        return *command;
    };
    add(
        "status", help("agent, sources, links, lag, counts, gaps"), [](Typing &) { return StatusOptions{}; },
        "status", "status --json | jq '.sources[] | select(.link != \"up\").name'");
    add(
        "overview", help("the current problems, in one screen"), [](Typing &) { return OverviewOptions{}; },
        "overview", "overview --json | jq .unseen");
    addLocks(add(
                 "locks", help("the live table, or as it was at a time"), [](Typing &t) { return t.locks(); },
                 "locks --state stuck", "locks --at 'yesterday 22:00' --sort held"),
             raw);
    addWatch(add(
                 "watch", help("events as they come"), [](Typing &t) { return t.watch(); },
                 "watch --event stuck,expired", "watch --source orders-redis --lock 'payment:*' --json"),
             raw);
    addHistory(add(
                   "history", help("events from the journal, oldest first"),
                   [](Typing &t) { return t.history(); },
                   "history --lock payment:70310 --from 02:00 --to 04:00",
                   "history --event force_released --from 'yesterday 22:00'"),
               raw, true);
    CLI::App &holds = add(
        "holds", help("who held a lock, from when to when, how it ended"),
        [](Typing &t) { return t.holds(); }, "holds --lock payment:70310",
        "holds --lock 'job:*' --source orders-db --from -24h");
    holds.add_option("--lock", raw.lock, help("locks whose names match this glob"))->required();
    addSource(holds, raw);
    addSpan(holds, raw);
    holds.add_option("--limit", raw.limit, help("maximum number, newest first (default 200, at most 1000)"));
    CLI::App &chains = add(
        "chains",
        help("waiters and the holders that block them, if the store shows them: sessions, queues, registered "
             "waiters"),
        [](Typing &t) { return t.chains(); }, "chains", "chains --source orders-db --json");
    addSource(chains, raw);
    chains.add_option("--at", raw.at, help("as it was at this time, by the locks' holders and waiters"));
    addContention(add(
                      "contention", help("locks ranked by waiting, with wait and hold times"),
                      [](Typing &t) { return t.contention(); }, "contention",
                      "contention --from 'yesterday 22:00' --to 06:00 --top 5"),
                  raw);
    addProbe(add(
                 "probe", help("count clients' attempts for a moment, by MONITOR"),
                 [](Typing &t) { return t.probe(); }, "probe orders-redis",
                 "probe orders-redis --for 5s --reason 'who asks for job:42?'"),
             raw);
    addRelease(
        add(
            "release", help("guarded force-release; prints the outcome"),
            [](Typing &t) { return t.release(); },
            "release orders-redis lock:a --guard 5f0c91d2 --reason 'its pod was killed' --dry-run",
            "release orders-db job:42 --holder billing-7 --because stuck --reason 'hangs since 02:00'"),
        raw);
    add(
        "whoami", help("your identity and your permissions at the agent"),
        [](Typing &) { return WhoAmIOptions{}; }, "whoami", "whoami --json | jq -r .role");
    add(
        "approvals", help("force-releases that await approval by a second person"),
        [](Typing &) { return ApprovalsOptions{}; }, "approvals",
        "approvals --json | jq 'select(.state == \"open\").id'");
    CLI::App &approve = add(
        "approve", help("approve another person's request, and release the lock"),
        [](Typing &t) { return t.decision(true); }, "approve 17", "approve 17 --yes");
    CLI::App &reject = add(
        "reject", help("reject a request, or withdraw your own"), [](Typing &t) { return t.decision(false); },
        "reject 17", "reject 17 --reason 'it is the nightly run'");
    for (CLI::App *decision : {&approve, &reject})
        decision->add_option("ID", raw.request, help("the request, as 'approvals' lists it"))->required();
    approve.add_flag("--yes", raw.yes, help("don't ask for confirmation"));
    reject.add_option("--reason", raw.reason, help("the reason, for the requester and the audit"));
    CLI::App &audit = add(
        "audit", help("force-releases: who, what, when, why, outcome"), [](Typing &t) { return t.audit(); },
        "audit", "audit --verify --limit 20");
    CLI::Option *verify = audit.add_flag("--verify", raw.verify, help("verify the chain of entries"));
    audit
        .add_option("--public-key", raw.publicKey,
                    help("the agent's audit.key.pub: the chain must be signed with its key"))
        ->needs(verify);
    audit.add_option("--at-least", raw.atLeast,
                     help("with --verify: the number of records that the audit must have"));
    audit
        .add_option("--head", raw.head,
                    help("print the number of records and the last one's hash, for a ticket or another "
                         "machine; with --verify and HASH: the audit must have a record with this hash"))
        ->expected(0, 1);
    audit.add_option("--limit", raw.limit, help("maximum number, newest first, 0: all (default 1000)"));
    CLI::App &exporting = add(
        "export", help("history or live table to a file"), [](Typing &t) { return t.exporting(); },
        "export --format csv -o locks.csv",
        "export --format json --history --from 2026-11-20 -o events.jsonl");
    exporting.add_option("--format", raw.format, help("csv or json (JSON Lines)"))
        ->required()
        ->check(CLI::IsMember({"csv", "json"}));
    CLI::Option *locks = exporting.add_flag("--locks", raw.locks, help("the live table (default)"));
    exporting.add_flag("--history", raw.history, help("events from the journal"))->excludes(locks);
    exporting.add_option("-o,--output", raw.file,
                         help("the file, replaced as a whole (default: standard output)"));
    addLocks(exporting, raw);
    addHistory(exporting, raw, false);
    CLI::App &discover = add(
        "discover", help("scan a store, print a section for an agent's configuration"),
        [](Typing &t) { return t.discover(); }, "discover redis://127.0.0.1:6379/0",
        "discover mysql://lockkeeper@db1/app --password env:DB_PASSWORD");
    discover
        .add_option(
            "URL", raw.urls,
            help("redis://HOST:PORT/0, mysql://USER@HOST/DATABASE, postgresql://…, sqlite:PATH; several "
                 "of Redis: the nodes of a Redlock"))
        ->required();
    discover.add_option("--password", raw.password, help("the password's source: env:NAME or file:PATH"));
    discover.add_flag("--all", raw.all, help("also list tables or keys that aren't locks, with the reason"));
    discover.add_flag("--via-agent", raw.viaAgent,
                      help("the agent scans from its own machine (needs the admin role)"));
    addRun(
        add(
            "run", help("hold a lock while the command after -- runs, like flock across machines"),
            [](Typing &t) { return t.running(); },
            "run --store redis://127.0.0.1/0 --scheme redis.token --lock nightly --ttl 30s -- backup.sh",
            "run --store mysql://app@db1/app --scheme sql.shedlock --password env:DB_PASSWORD --lock report "
            "--ttl 1m --wait 0s -- make report"),
        raw);
    addSimulate(add(
                    "simulate", help("acquire and release locks by a scenario, and print the events"),
                    [](Typing &t) { return t.simulation(); }, "simulate workload.toml --for 30s",
                    "simulate workload.toml --seed 7 > truth.jsonl"),
                raw);
    add(
        "bridge", help("connect standard input and output to the local agent (used by ssh:// addresses)"),
        [](Typing &) { return BridgeOptions{}; }, "--agent ssh://ops@db1 status",
        "--agent local:/run/lockkeeper.sock bridge");
    return all;
}

/**
 * The arguments as CLI11 needs them: "--holder=" is split, because otherwise CLI11 takes the next word for
 * the empty value.
 */
std::vector<std::string> words(const QByteArrayList &arguments)
{
    std::vector<std::string> words;
    bool options = true;
    for (const QByteArray &argument : arguments) {
        options = options && argument != "--";
        const bool empty =
            options && argument.startsWith("--") && argument.endsWith('=') && argument.count('=') == 1;
        words.push_back((empty ? argument.chopped(1) : argument).toStdString());
        if (empty)
            words.emplace_back();
    }
    return words;
}

/** The first word that belongs to no option; -1: none. */
qsizetype commandIn(const QByteArrayList &arguments)
{
    static const QByteArrayList kWithValue{"--agent",       "--log-level", "--user", "--password",
                                           "--certificate", "--key",       "--ca",   "--trust"};
    for (qsizetype i = 0; i < arguments.size(); ++i) {
        if (kWithValue.contains(arguments.at(i)))
            ++i; // its value
        else if (!arguments.at(i).startsWith('-'))
            return i;
    }
    return -1;
}

/** Empty if the first word that belongs to no option is a command, or if there is none. */
QString unknownCommand(const CLI::App &app, const QByteArrayList &arguments)
{
    QStringList known;
    for (const CLI::App *command : app.get_subcommands([](const CLI::App *) { return true; }))
        known.append(QString::fromStdString(command->get_name()));
    const qsizetype command = commandIn(arguments);
    const QString word = QString::fromUtf8(arguments.value(command));
    if (command < 0 || known.contains(word))
        return {};
    return tr("there is no command '%1'. %2").arg(base::displayText(word), didYouMean(word, known));
}

/** Removes from the arguments, and returns, the command after `run … --`, which we don't parse. */
QByteArrayList takeCommandToRun(QByteArrayList &arguments)
{
    const qsizetype command = commandIn(arguments);
    if (command < 0 || arguments.at(command) != "run")
        return {};
    const qsizetype end = arguments.indexOf("--", command);
    if (end < 0)
        return {};
    const QByteArrayList toRun = arguments.mid(end + 1);
    arguments.resize(end);
    return toRun;
}

/** The reason why the options don't work with this number of agents; empty if they do. */
QString agentsFault(const Options &options)
{
    const CommandOptions &command = options.command;
    if (!asksAgent(command))
        return options.agents.isEmpty()
                   ? QString()
                   : tr("--agent: this command doesn't query an agent. Remove the option");
    if (agentAddresses(options).size() == 1)
        return {};
    const auto *history = std::get_if<HistoryOptions>(&command);
    if (const auto *exporting = std::get_if<ExportOptions>(&command))
        history = std::get_if<HistoryOptions>(&exporting->what);
    const auto *watch = std::get_if<WatchOptions>(&command);
    const auto *audit = std::get_if<AuditOptions>(&command);
    if (std::holds_alternative<DiscoverOptions>(command) || std::holds_alternative<BridgeOptions>(command))
        return tr("this command queries a single agent. Use --agent once");
    if (watch && watch->since)
        return tr("--since: each agent numbers its own events. Remove the option, or query one agent");
    if (history && (history->afterSeq || history->beforeSeq))
        return tr(
            "--after, --before: each agent numbers its own events. Use --from and --to, or query one agent");
    if (audit && audit->key)
        return tr("--public-key: each agent signs with its own key. Query one agent");
    if (audit && (audit->printsHead || !audit->head.isEmpty() || audit->atLeast > 0))
        return tr("--head, --at-least: each agent has its own audit. Query one agent");
    if (!options.trust.isEmpty())
        return tr("--trust: each agent has its own certificate. Specify one agent");
    return {};
}

} // namespace

bool asksAgent(const CommandOptions &command)
{
    return !std::holds_alternative<RunOptions>(command) && !std::holds_alternative<SimulateOptions>(command);
}

std::variant<Options, Stop> parseOptions(const QByteArrayList &all, qint64 nowUs)
{
    QByteArrayList arguments = all;
    const QByteArrayList toRun = takeCommandToRun(arguments);
    CLI::App app(help("Shows and force-releases distributed locks through a lockkeeper-agent."),
                 "lockkeeperctl");
    Raw raw;
    const std::vector<Declared> declared = declare(app, raw);
    std::vector<std::string> reversed = words(arguments);
    std::reverse(reversed.begin(), reversed.end());
    try {
        app.parse(reversed);
    } catch (const CLI::Success &answer) {
        std::ostringstream out;
        std::ostringstream err;
        app.exit(answer, out, err);
        return Stop{0, QString::fromStdString(out.str())};
    } catch (const CLI::ParseError &error) {
        if (const QString fault = unknownCommand(app, arguments); !fault.isEmpty())
            return Stop{int(Exit::Usage), fault};
        return Stop{int(Exit::Usage), tr("%1. See lockkeeperctl --help").arg(faultText(error.what()))};
    }
    Options options;
    for (const std::string &agent : raw.agents)
        options.agents.append(QString::fromStdString(agent));
    options.json = raw.json;
    const auto text = [](const std::string &given) { return QString::fromStdString(given); };
    options.credentials = {text(raw.user), text(raw.loginPassword), text(raw.certificate), text(raw.key),
                           text(raw.ca)};
    options.trust = text(raw.trust);
    options.logLevel = QString::fromStdString(raw.logLevel);
    raw.holderGiven = app.get_subcommand("release")->count("--holder") > 0;
    raw.headGiven = app.get_subcommand("audit")->count("--head") > 0;
    Typing typing(raw, nowUs, toRun);
    for (const Declared &one : declared) {
        if (one.command->parsed())
            options.command = one.read(typing);
    }
    const QString fault = typing.fault.isEmpty() ? agentsFault(options) : typing.fault;
    if (!fault.isEmpty())
        return Stop{int(Exit::Usage), fault};
    return options;
}

QStringList agentAddresses(const Options &options)
{
    QStringList addresses = options.agents;
    addresses.removeAll(QString());
    addresses.removeDuplicates();
    if (!addresses.isEmpty())
        return addresses;
    const QString configured = qEnvironmentVariable("LOCKKEEPER_AGENT");
    return {configured.isEmpty() ? transport::defaultAddress() : configured};
}

} // namespace lockkeeper::app::cli
