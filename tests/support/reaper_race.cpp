// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/reaper_race.h"

#include "agent/engine/source_engine.h"
#include "agent/release/reaper.h"
#include "shared/stores/factory.h"

#include <QEventLoop>
#include <QTimer>

#include <thread>
#include <vector>

namespace lockkeeper::tests {

using namespace agent;

namespace {

/** A source as the agent's runner has one, without a journal behind it. */
class RacePort final : public QObject, public release::SourcePort
{
    Q_OBJECT

public:
    RacePort(const stores::SourceSpec &spec, std::unique_ptr<stores::Store> store, const base::Clock &clock,
             bool dropFreshness)
        : m_spec(spec),
          m_clock(clock),
          m_engine(spec, 1),
          m_store(std::move(store)),
          m_dropFreshness(dropFreshness)
    {
        stores::Store *s = m_store.get();
        connect(s, &stores::Store::opened, this, [this](const stores::ServerInfo &info) {
            m_open = true;
            run(m_engine.opened(info, now()));
        });
        connect(s, &stores::Store::failed, this, [this](const base::Error &error) {
            m_open = false;
            run(m_engine.failed(error, now()));
        });
        m_tick.setSingleShot(true);
        connect(&m_tick, &QTimer::timeout, this, [this] { run(m_engine.tick(now())); });
    }

    void start() { run(m_engine.start({}, now())); }
    void stop() { m_store->close(); }

    const stores::SourceSpec &spec() const override { return m_spec; }
    domain::SourceState state() const override { return m_engine.state(now()); }
    QList<domain::LockState> locksFrom(quint32 &place, quint32 count) const override
    {
        return m_engine.table().locksFrom(place, count);
    }
    std::optional<domain::LockState> lock(const domain::LockKey &key) const override
    {
        return m_engine.table().lock(key);
    }
    std::optional<stores::Subject> subjectFor(const domain::LockKey &key) const override
    {
        return stores::Subject{0, key.name};
    }
    domain::LockState stateOf(const stores::Inspection &read) const override
    {
        return m_engine.table().stateOf(read);
    }
    quint64 link() const override { return m_open ? 1 : 0; }
    void inspect(const Caller &, const stores::Subject &subject,
                 std::function<void(const stores::Inspection &)> done) override
    {
        m_store->inspect(subject, std::move(done));
    }
    void release(const stores::ReleaseOrder &order,
                 std::function<void(const stores::ReleaseReport &)> done) override
    {
        stores::ReleaseOrder sent = order;
        if (m_dropFreshness)
            sent.checkFreshness = sent.mustBeExpired = false;
        m_store->release(sent, std::move(done));
    }
    void releasedByCommand(const domain::LockKey &key, const QByteArray &identity,
                           const QByteArray &command) override
    {
        run(m_engine.releasedByCommand(key, identity, command, now()));
    }
    void maybeReleasedByCommand(const domain::LockKey &, const QByteArray &, const QByteArray &) override {}
    void readPoint(const stores::Subject &subject) override { readPoints({subject}); }
    void readNow(ReadingPurpose, std::function<void(const base::Result<void> &)> done) override { done({}); }

Q_SIGNALS:
    void passed();

private:
    engine::Instant now() const { return {m_clock.monotonicUs(), m_clock.wallUs()}; }
    void readPoints(const QList<stores::Subject> &subjects)
    {
        m_store->readPoints(subjects, pageTaker(), [] {});
    }
    stores::Store::PageTaken pageTaker()
    {
        return [this](const stores::Page &page) { run(m_engine.pageRead(page, now())); };
    }
    void run(const engine::EngineStep &step)
    {
        if (!step.pointReads.isEmpty())
            readPoints(step.pointReads);
        if (step.scan)
            m_store->scan(pageTaker(), [this](const stores::ScanEnd &end) {
                run(m_engine.scanEnded(end, now()));
                Q_EMIT passed();
            });
        if (step.open)
            QMetaObject::invokeMethod(m_store.get(), &stores::Store::open, Qt::QueuedConnection);
        const qint64 waitUs = m_engine.nextTickUs() - m_clock.monotonicUs();
        m_tick.start(int(std::clamp<qint64>(waitUs / 1000, 0, 1'000)));
    }

    stores::SourceSpec m_spec;
    const base::Clock &m_clock;
    engine::SourceEngine m_engine;
    std::unique_ptr<stores::Store> m_store;
    bool m_dropFreshness;
    bool m_open = false;
    QTimer m_tick;
};

class OnePort final : public release::SourceDirectory
{
public:
    explicit OnePort(release::SourcePort &port) : m_port(port) {}
    QList<release::SourcePort *> sources() const override { return {&m_port}; }
    release::SourcePort *source(const QString &) const override { return &m_port; }

private:
    release::SourcePort &m_port;
};

/** Counts the outcomes of intents; durable for as long as the race. */
class CountingAudit final : public journal::AuditLog
{
public:
    void writeIntent(const domain::AuditEntry &,
                     std::function<void(base::Result<agent::journal::ReleaseIntent>)> done) override
    {
        done(agent::journal::ReleaseIntent{++intents, std::nullopt});
    }
    void writeDecision(qint64, const QString &, domain::Outcome, const QString &, Done done) override
    {
        done({});
    }
    void writeOutcome(qint64, domain::Outcome outcome, const QString &, Done done) override
    {
        ++outcomes[outcome];
        done({});
        if (ended)
            ended();
    }

    qint64 intents = 0;
    QHash<domain::Outcome, qint64> outcomes;
    std::function<void()> ended;
};

/** Reaps until the given number of acts has ended. */
void reap(RacePort &port, const base::Clock &clock, qint64 rounds, ReaperRaceResult &result)
{
    OnePort directory(port);
    CountingAudit audit;
    release::Releaser releaser(directory, audit, clock);
    release::Reaper reaper(directory, releaser, clock);
    QEventLoop loop;
    QTimer again;
    again.setSingleShot(true);
    again.setInterval(0);
    QObject::connect(&again, &QTimer::timeout, &reaper, &release::Reaper::step);
    QObject::connect(&port, &RacePort::passed, &reaper, &release::Reaper::step);
    audit.ended = [&] {
        ++result.rounds;
        if (result.rounds >= rounds)
            loop.quit();
        else
            again.start();
    };
    QTimer::singleShot(3'600'000, &loop, &QEventLoop::quit);
    port.start();
    loop.exec();
    port.stop();
    result.released = audit.outcomes.value(domain::Outcome::Released);
    result.other =
        audit.outcomes.value(domain::Outcome::Unknown) + audit.outcomes.value(domain::Outcome::Unreachable);
    result.left = result.rounds - result.released - result.other;
}

} // namespace

ReaperRaceResult runReaperRace(const stores::SourceSpec &spec, const ReaperClient &client,
                               const ReaperRacePlan &plan)
{
    ReaperRaceResult result;
    auto store = stores::makeStore(spec);
    if (!store)
        qFatal("%s", qPrintable(store.error().line()));
    const base::SystemClock clock;
    RacePort port(spec, std::move(*store), clock, plan.dropFreshness);
    std::atomic_bool over = false;
    std::vector<ReaperTally> tallies(size_t(plan.clients));
    std::vector<std::thread> threads;
    for (int i = 0; i < plan.clients; ++i)
        threads.emplace_back([&, i] { client(i, plan, tallies[size_t(i)], over); });
    reap(port, clock, plan.rounds, result);
    over = true;
    for (std::thread &thread : threads)
        thread.join();
    for (const ReaperTally &tally : tallies) {
        result.clients.acquisitions += tally.acquisitions;
        result.clients.reaped += tally.reaped;
        result.clients.renewed += tally.renewed;
        result.clients.takenOver += tally.takenOver;
        result.clients.wrong += tally.wrong;
    }
    return result;
}

QString raceText(const ReaperRaceResult &r)
{
    return QStringLiteral("%1 rounds: %2 released, %3 left alone, %4 other; %5 acquisitions, %6 reaped, "
                          "%7 renewed, %8 taken over, %9 wrong")
        .arg(r.rounds)
        .arg(r.released)
        .arg(r.left)
        .arg(r.other)
        .arg(r.clients.acquisitions)
        .arg(r.clients.reaped)
        .arg(r.clients.renewed)
        .arg(r.clients.takenOver)
        .arg(r.clients.wrong);
}

} // namespace lockkeeper::tests

#include "reaper_race.moc"
