// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/sources.h"

#include "agent/journal/journal.h"
#include "shared/base/text.h"
#include "shared/config/sources.h"

#include <QDataStream>
#include <QLoggingCategory>
#include <QMap>

#include <algorithm>
#include <utility>

namespace lockkeeper::agent::application {

Q_LOGGING_CATEGORY(lcSources, "lockkeeper.application.sources")

namespace {

/** Keeps a replica's position, but not its delay. */
QByteArray packed(const engine::LastServer &server)
{
    QByteArray bytes;
    QDataStream stream(&bytes, QIODevice::WriteOnly);
    stream.setVersion(QDataStream::Qt_6_0);
    const stores::Standing &standing = server.standing;
    QMap<QByteArray, quint64> reached; // in a stable order
    for (auto it = standing.reached.cbegin(); it != standing.reached.cend(); ++it)
        reached.insert(it.key(), it.value());
    stream << server.instance << standing.server << standing.line << standing.branch << reached;
    return bytes;
}

engine::LastServer unpacked(const QByteArray &bytes)
{
    engine::LastServer server;
    QMap<QByteArray, quint64> reached;
    QDataStream stream(bytes);
    stream.setVersion(QDataStream::Qt_6_0);
    stores::Standing &standing = server.standing;
    stream >> server.instance >> standing.server >> standing.line >> standing.branch >> reached;
    if (stream.status() != QDataStream::Ok)
        return {};
    for (auto it = reached.cbegin(); it != reached.cend(); ++it)
        standing.reached.insert(it.key(), it.value());
    return server;
}

engine::Restored restoredOf(const journal::Opened &opened, const QString &source)
{
    engine::Restored restored;
    for (const journal::Opened::SourceAtEnd &known : opened.sources) {
        if (known.name == source) {
            restored.lastSeenUs = known.lastSeenUs;
            restored.gapOpen = known.gapOpen;
            restored.gapSinceUs = known.firstUpUs;
            restored.position = known.position;
            if (!known.sets.isEmpty())
                restored.sets = known.sets.split('\0');
            restored.server = unpacked(known.server);
        }
    }
    for (const domain::LockState &state : opened.idle + opened.held) {
        if (state.key.source == source)
            restored.locks.append(state);
    }
    return restored;
}

} // namespace

bool canReconfigure(const stores::SourceSpec &before, const stores::SourceSpec &after)
{
    // Make equal the figures that only the engine uses, and those that an open store can take over. Any
    // remaining difference concerns the store. This includes the permission to break: no order may be under
    // way under the old setting.
    stores::SourceSpec same = after;
    same.pollMs = before.pollMs;
    same.maxReadsPerSecond = before.maxReadsPerSecond;
    same.reconcileMs = before.reconcileMs;
    same.journalRenewals = before.journalRenewals;
    same.probe = before.probe;
    if (same.locks.size() != before.locks.size())
        return false;
    for (qsizetype i = 0; i < same.locks.size(); ++i)
        lockkeeper::config::adoptEngineKeys(same.locks[i], before.locks.at(i));
    return same == before;
}

Sources::Sources(journal::Journal &journal, const base::Clock &clock, StoreFactory makeStore, QObject *parent)
    : QObject(parent), m_journal(journal), m_clock(clock), m_makeStore(std::move(makeStore))
{
    connect(&m_journal, &journal::Journal::backPressureChanged, this, &Sources::setPaused);
}

Sources::~Sources() = default;

base::Result<void> Sources::begin(const config::Config &config, const journal::Opened &opened,
                                  server::Publisher &publisher)
{
    m_publisher = &publisher;
    for (const journal::Opened::SourceAtEnd &known : opened.sources) {
        const bool isConfigured = std::any_of(config.sources.cbegin(), config.sources.cend(),
                                              [&known](const auto &spec) { return spec.name == known.name; });
        engine::Restored restored{known.lastSeenUs, known.gapOpen, {}, {}, 0};
        if (!isConfigured)
            openGap(known.name, known.store, restored);
    }
    if (config.election)
        return beginElection(config, opened);
    for (const stores::SourceSpec &spec : config.sources) {
        if (const auto begun = observe(spec, restoredOf(opened, spec.name)); !begun)
            return begun;
    }
    return {};
}

base::Result<void> Sources::beginElection(const config::Config &config, const journal::Opened &opened)
{
    const config::ElectionSettings &wanted = *config.election;
    const QByteArray owner = election::Election::ownerOf(config.name);
    auto manager = locks::LockManager::open(wanted.store, wanted.store.locks.constFirst(), owner);
    if (!manager)
        return tl::unexpected(manager.error());
    m_election = std::make_unique<election::Election>(wanted, owner, *std::move(manager), m_clock);
    m_epoch = opened.epoch;
    for (const stores::SourceSpec &spec : std::as_const(config.sources))
        standBy(spec, restoredOf(opened, spec.name), {});
    connect(m_election.get(), &election::Election::becameActive, this, &Sources::becomeActive);
    connect(m_election.get(), &election::Election::becameStandby, this, &Sources::becomeStandby);
    return m_election->start();
}

base::Result<void> Sources::observe(const stores::SourceSpec &spec, const engine::Restored &restored)
{
    auto store = m_makeStore(spec);
    if (!store)
        return tl::unexpected(store.error());
    auto runner = std::make_unique<SourceRunner>(spec, std::move(*store), m_clock, *m_publisher);
    SourceRunner *raw = runner.get();
    m_runners[spec.name] = std::move(runner);
    raw->setPaused(m_journal.hasBackPressure());
    if (m_election)
        raw->setDuty([this](qint64 forUs) { return m_election->isActiveFor(forUs); });
    raw->start(restored);
    return {};
}

void Sources::standBy(const stores::SourceSpec &spec, engine::Restored restored,
                      const domain::SourceState &last)
{
    auto source = std::make_unique<election::StandbySource>(spec, std::move(restored), last, m_clock.wallUs(),
                                                            [this] { return m_election->standbyError(); });
    if (!source->opening().isEmpty())
        m_publisher->append(source->opening(), {});
    m_standbys[spec.name] = std::move(source);
    m_publisher->sourceChanged(spec.name);
}

void Sources::becomeActive(std::optional<quint64> fencing)
{
    m_epoch = QByteArray::number(fencing.value_or(m_epoch.toULongLong() + 1));
    m_journal.note("epoch", m_epoch);
    qCInfo(lcSources).noquote() << "active in epoch" << m_epoch << "after event" << m_journal.lastSeq();
    for (const auto &[name, standby] : std::exchange(m_standbys, {})) {
        if (const auto begun = observe(standby->spec(), standby->restored()); !begun)
            qCCritical(lcSources).noquote() << "a source isn't observed:" << begun.error().line();
    }
    m_publisher->restartAll();
}

/** Keeps the last observed state; a gap begins with it. */
void Sources::becomeStandby()
{
    for (const auto &[name, runner] : std::exchange(m_runners, {})) {
        const domain::SourceState last = runner->state();
        const engine::Restored restored = runner->restored();
        runner->stop();
        standBy(runner->spec(), restored, last);
    }
    m_publisher->restartAll();
}

bool Sources::apply(const QList<stores::SourceSpec> &wanted)
{
    if (m_election && !m_election->isActive()) {
        applyStandbys(wanted);
        return true;
    }
    bool tablesChanged = false;
    const auto specOf = [&wanted](const QString &name) {
        return std::find_if(wanted.cbegin(), wanted.cend(),
                            [&name](const auto &spec) { return spec.name == name; });
    };
    for (auto it = m_runners.begin(); it != m_runners.end();) {
        SourceRunner &runner = *it->second;
        const auto spec = specOf(it->first);
        if (spec != wanted.cend() && canReconfigure(runner.spec(), *spec)) {
            if (*spec != runner.spec())
                runner.reconfigure(*spec);
            ++it;
            continue;
        }
        // Removed, or to be reconnected: pass its locks on, so that no acquisition time is lost.
        engine::Restored &left = m_left[it->first] = runner.restored();
        left.cause = events::EventCause::Reloaded;
        if (spec == wanted.cend())
            openGap(it->first, runner.state().store, left);
        runner.stop();
        it = m_runners.erase(it);
        tablesChanged = true;
    }
    for (const stores::SourceSpec &spec : wanted) {
        if (m_runners.contains(spec.name))
            continue;
        tablesChanged = true;
        if (const auto begun = observe(spec, m_left[spec.name]); begun)
            m_left.erase(spec.name);
        else
            qCCritical(lcSources).noquote()
                << "source" << base::singleLine(spec.name) << "isn't observed:" << begun.error().line();
    }
    return tablesChanged;
}

void Sources::openGap(const QString &name, const QByteArray &store, engine::Restored &known)
{
    if (known.lastSeenUs == 0 || std::exchange(known.gapOpen, true))
        return;
    events::LockEvent event;
    event.key.source = name;
    event.store = store;
    event.kind = events::EventKind::GapOpened;
    event.timeUs = event.observedUs = known.lastSeenUs;
    event.detail.cause = events::EventCause::NotConfigured;
    m_publisher->append({event}, {});
}

/** A standby agent has no connections to replace. */
void Sources::applyStandbys(const QList<stores::SourceSpec> &wanted)
{
    const auto known = std::exchange(m_standbys, {});
    for (const auto &[name, source] : known)
        m_left[name] = source->restored();
    for (const stores::SourceSpec &spec : wanted) {
        const auto before = known.find(spec.name);
        standBy(spec, std::exchange(m_left[spec.name], {}),
                before != known.cend() ? before->second->state() : domain::SourceState());
        m_left.erase(spec.name);
    }
}

void Sources::setPaused(bool paused)
{
    qCDebug(lcSources) << (paused ? "scans wait for the journal" : "scans go on");
    for (const auto &item : m_runners)
        item.second->setPaused(paused);
}

void Sources::end(std::function<void()> done)
{
    for (const auto &item : m_runners)
        item.second->stop();
    if (m_election)
        m_election->resign(std::move(done));
    else
        done();
}

void Sources::clear()
{
    m_runners.clear();
    m_election.reset();
}

QList<release::SourcePort *> Sources::sources() const
{
    QList<release::SourcePort *> ports;
    for (const auto &item : m_runners)
        ports.append(item.second.get());
    for (const auto &item : m_standbys)
        ports.append(item.second.get());
    return ports;
}

release::SourcePort *Sources::source(const QString &name) const
{
    if (const auto it = m_runners.find(name); it != m_runners.end())
        return it->second.get();
    const auto it = m_standbys.find(name);
    return it == m_standbys.end() ? nullptr : it->second.get();
}

QList<journal::Progress> Sources::progress() const
{
    QList<journal::Progress> progress;
    for (const auto &item : m_runners) {
        if (const auto one = item.second->progress())
            progress.append(*one);
    }
    return progress;
}

void Sources::noteSeen()
{
    for (const auto &[name, runner] : m_runners) {
        Noted &noted = m_noted[name];
        if (noted.sets != runner->scannedSets())
            m_journal.note("sets/" + name.toUtf8(), (noted.sets = runner->scannedSets()).join('\0'));
        if (QByteArray server = packed(runner->lastServer()); noted.server != server)
            m_journal.note("server/" + name.toUtf8(), noted.server = std::move(server));
    }
}

std::optional<domain::ElectionState> Sources::election() const
{
    if (!m_election)
        return std::nullopt;
    domain::ElectionState state = m_election->state();
    state.epoch = m_epoch;
    return state;
}

std::optional<base::Error> Sources::standbyError() const
{
    if (!m_election || m_election->isActive())
        return std::nullopt;
    return m_election->standbyError();
}

} // namespace lockkeeper::agent::application
