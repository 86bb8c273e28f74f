// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/check.h"

#include "agent/access/access_policy.h"
#include "agent/application/finding_text.h"
#include "agent/config/alert_rules.h"
#include "agent/election/election.h"
#include "shared/base/clock.h"
#include "shared/base/text.h"
#include "shared/stores/set_owners.h"
#include "shared/stores/set_part.h"
#include "shared/transport/address.h"

#include <QDateTime>
#include <QTimeZone>

#include <algorithm>
#include <chrono>
#include <functional>
#include <iterator>
#include <utility>

namespace lockkeeper::agent::application {

using namespace std::chrono_literals;

namespace {

constexpr auto kOpenWithin = 15s;
constexpr auto kScanWithin = 60s;
constexpr int kShownQuietHours = 2;

/** Without this right the source is polled, and still observed. */
bool isForPush(const domain::Access &access)
{
    return access.need.startsWith("push:");
}

QString purposeOf(const domain::Access &access)
{
    return access.need == "monitor" ? QStringLiteral(" (only to probe)")
           : isForPush(access)      ? QStringLiteral(" (only for push: without it the source is polled)")
           : access.need == "wake"  ? QStringLiteral(" (only to wake waiters after a force-release)")
           : access.forBreaking     ? QStringLiteral(" (only to force-release)")
                                    : QString();
}

/** A useless right to break: without its instrument no kill can be guarded. */
bool isUseless(const domain::Access &access, const QList<domain::Access> &all)
{
    static constexpr QByteArrayView kBreak("break:");
    return access.need.startsWith(kBreak) &&
           std::ranges::any_of(all, [of = "instrument:" + access.need.mid(kBreak.size())](const auto &other) {
               return other.need == of && !other.granted;
           });
}

QString grantedLine(const domain::Access &access)
{
    return QStringLiteral("  granted  %1").arg(base::displayText(access.need));
}

/** Needs that share a purpose and a granting statement share a line. */
QStringList missingLines(const QList<domain::Access> &all)
{
    QStringList lines;
    QList<domain::Access> rest;
    std::ranges::copy_if(all, std::back_inserter(rest), std::logical_not<>(), &domain::Access::granted);
    while (!rest.isEmpty()) {
        const domain::Access first = rest.constFirst();
        const auto isAlike = [&first](const domain::Access &other) {
            return other.remedy == first.remedy && purposeOf(other) == purposeOf(first);
        };
        QStringList needs;
        for (const domain::Access &access : std::as_const(rest)) {
            if (isAlike(access))
                needs.append(base::displayText(access.need));
        }
        rest.removeIf(isAlike);
        const QString remedy = base::singleLine(first.remedy);
        // A remedy that ends with a full stop is advice, not a statement to run.
        const QString act = remedy.isEmpty()                    ? QString()
                            : remedy.endsWith(QLatin1Char('.')) ? QStringLiteral("; ") + remedy
                                                                : QStringLiteral("; run: ") + remedy;
        lines.append(QStringLiteral("  MISSING  ") + needs.join(QLatin1String(", ")) + purposeOf(first) +
                     act);
    }
    return lines;
}

/** The lines about one of several servers: its kind, and the rights that are missing only on this server. */
QString nodeLines(const stores::NodeInfo &node)
{
    const QString address = base::displayText(node.address);
    if (!node.up)
        return QStringLiteral("  node     %1 can't be reached: %2").arg(address, node.error.line());
    QStringList lines{QStringLiteral("  node     %1 %2%3")
                          .arg(address, base::singleLine(node.server),
                               node.readOnly ? QStringLiteral(", read-only") : QString())};
    for (const QString &missing : missingLines(node.missing))
        lines.append(QStringLiteral("           ") + missing.trimmed());
    return lines.join(QLatin1Char('\n'));
}

} // namespace

Check::Check(config::Config config, QByteArray toml, StoreFactory makeStore, QTextStream &out,
             QObject *parent)
    : QObject(parent),
      m_config(std::move(config)),
      m_toml(std::move(toml)),
      m_makeStore(std::move(makeStore)),
      m_out(out)
{
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, [this] {
        fail({base::ErrorCode::Timeout, QStringLiteral("no answer in time"), {}});
    });
}

Check::~Check() = default;

void Check::start()
{
    const transport::SocketAudience audience = access::policyOfThisProcess(m_config.access).audience();
    for (const QString &listen : std::as_const(m_config.listen)) {
        const auto address = transport::parseAddress(listen, m_config.dataDir);
        if (const auto error = address ? access::unreachableBy(audience, address->path) : std::nullopt)
            line(QStringLiteral("warning  %1").arg(error->line()));
    }
    next();
}

void Check::line(const QString &text)
{
    m_out << text << Qt::endl;
}

void Check::next()
{
    m_limit.stop();
    if (m_store) {
        m_store->disconnect(this);
        m_store->close();
        m_store.release()->deleteLater(); // it may be the caller
    }
    if (++m_index == m_config.sources.size()) {
        line(m_good ? QStringLiteral("every source can be observed")
                    : QStringLiteral("not every source can be observed"));
        tryElection();
        return;
    }
    const stores::SourceSpec &spec = m_config.sources.at(m_index);
    line(QStringLiteral("%1 (%2)").arg(base::singleLine(spec.name), stores::displayAddress(spec.url)));
    auto store = m_makeStore(spec);
    if (!store) {
        fail(store.error());
        return;
    }
    m_store = std::move(*store);
    m_locks = 0;
    m_found.clear();
    connect(m_store.get(), &stores::Store::opened, this, &Check::opened);
    connect(m_store.get(), &stores::Store::failed, this, &Check::fail);
    connect(m_store.get(), &stores::Store::findingsRead, this, &Check::found);
    connect(m_store.get(), &stores::Store::shardChanged, this, &Check::partChanged);
    m_limit.start(kOpenWithin);
    m_store->open();
}

void Check::tryElection()
{
    if (!m_config.election) {
        end();
        return;
    }
    const config::ElectionSettings &election = *m_config.election;
    line(QStringLiteral("election in %1 by %2 \"%3\"")
             .arg(base::singleLine(election.store.name),
                  QString::fromLatin1(election.store.locks.constFirst().scheme),
                  base::displayText(election.lock)));
    auto manager = locks::LockManager::open(election.store, election.store.locks.constFirst(),
                                            election::Election::ownerOf(m_config.name));
    const auto ended = [this](const QStringList &lines, bool good) {
        if (!m_limit.isActive())
            return;
        m_limit.stop();
        for (const QString &one : lines)
            line(QStringLiteral("  ") + one);
        m_good = m_good && good;
        QMetaObject::invokeMethod(this, &Check::end, Qt::QueuedConnection);
    };
    m_limit.disconnect();
    connect(&m_limit, &QTimer::timeout, this, [this] {
        m_good = false;
        line(QStringLiteral("  FAILED   no answer in time"));
        end();
    });
    m_limit.start(kOpenWithin);
    if (!manager) {
        ended({QStringLiteral("FAILED   %1").arg(manager.error().line())}, false);
        return;
    }
    m_trial = std::make_unique<election::ElectionTrial>(election, *std::move(manager));
    connect(m_trial.get(), &election::ElectionTrial::finished, this, ended);
    m_trial->start();
}

/** Contradictory rules, and the next hours in which the alerts of a rule wait, to compare them with the
 * intended ones. */
void Check::printAlerts()
{
    for (const QString &contradiction : config::contradictions(m_config.alerts))
        line(contradiction);
    for (const config::AlertRule &rule : std::as_const(m_config.alerts.rules)) {
        if (!rule.quiet)
            continue;
        const QTimeZone zone(rule.quiet->zone);
        const auto text = [&zone](qint64 us) {
            return QDateTime::fromMSecsSinceEpoch(us / 1'000, zone).toString(Qt::ISODate);
        };
        for (const auto &[begin, end] : rule.quiet->next(base::SystemClock().wallUs(), kShownQuietHours))
            line(QStringLiteral("alert \"%1\" is quiet from %2 to %3")
                     .arg(base::displayText(rule.name), text(begin), text(end)));
    }
}

void Check::end()
{
    printAlerts();
    Q_EMIT finished(m_good ? 0 : 1);
}

void Check::opened(const stores::ServerInfo &info)
{
    const stores::SourceSpec &spec = m_config.sources.at(m_index);
    if (const auto error = stores::undeclaredOverlap(spec.locks, info.places)) {
        fail(*error);
        return;
    }
    line(QStringLiteral("  server   %1%2")
             .arg(base::singleLine(info.server),
                  info.readOnly ? QStringLiteral(", read-only: nothing can be broken") : QString()));
    for (const stores::NodeInfo &node : info.nodes)
        line(nodeLines(node));
    bool observable = true;
    m_granted.clear();
    for (const QString &missing : missingLines(info.access))
        line(missing);
    for (const domain::Access &access : info.access) {
        if (access.granted && !isUseless(access, info.access))
            m_granted.append(grantedLine(access));
        observable = observable && (access.granted || access.forBreaking || isForPush(access));
    }
    if (info.warning.code != base::ErrorCode::Unknown || !info.warning.cause.isEmpty())
        line(QStringLiteral("  warning  %1%2").arg(where(spec, info.warning), info.warning.line()));
    m_good = m_good && observable;
    m_limit.start(kScanWithin);
    m_isReading = true;
    m_store->scan([this, owners = stores::SetOwners(spec.locks)](
                      const stores::Page &page) { m_locks += owners.owned(page).locks.size(); },
                  [this](const stores::ScanEnd &end) {
                      if (std::exchange(m_isReading, false))
                          scanEnded(end);
                  });
}

void Check::found(const QList<domain::Finding> &findings)
{
    for (const domain::Finding &finding : findings) {
        // A store reports all findings again whenever one changes.
        const QByteArray which = finding.code + '\n' + finding.node;
        if (m_found.contains(which))
            continue;
        m_found.insert(which);
        line(QStringLiteral("  %1 %2")
                 .arg(QString::fromLatin1(domain::severityName(finding.severity).toByteArray()), -8)
                 .arg(findingText(finding)));
    }
}

/** The source's other sets can still be observed. */
void Check::partChanged(const stores::ShardState &part)
{
    if (!stores::isSetPart(part) || part.up)
        return;
    m_good = false;
    line(QStringLiteral("  FAILED   %1: %2").arg(base::displayText(part.node), part.error.line()));
}

void Check::scanEnded(const stores::ScanEnd &end)
{
    if (!end.complete) {
        fail(end.error);
        return;
    }
    for (const QString &granted : std::as_const(m_granted)) // certain only now
        line(granted);
    line(QStringLiteral("  sees     %1 locks in %2 ms").arg(m_locks).arg((end.endedUs - end.beganUs) / 1000));
    QMetaObject::invokeMethod(this, &Check::next, Qt::QueuedConnection);
}

void Check::fail(const base::Error &error)
{
    m_good = m_isReading = false;
    const stores::SourceSpec &spec = m_config.sources.at(m_index);
    line(QStringLiteral("  FAILED   %1%2").arg(where(spec, error), error.line()));
    m_limit.stop();
    if (m_store)
        m_store->disconnect(this);
    QMetaObject::invokeMethod(this, &Check::next, Qt::QueuedConnection);
}

QString Check::where(const stores::SourceSpec &spec, const base::Error &error) const
{
    if (error.code != base::ErrorCode::SchemaMismatch)
        return {};
    int set = 0;
    for (qsizetype i = 0; i < spec.locks.size(); ++i) {
        const QString &table = spec.locks.at(i).table.table;
        if (!table.isEmpty() && error.cause.contains(table))
            set = int(i);
    }
    return QStringLiteral("%1:%2: ")
        .arg(base::singleLine(m_config.file))
        .arg(config::lineOfLockSet(m_toml, spec.name, set));
}

} // namespace lockkeeper::agent::application
