// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine_rig.h"

#include "agent/engine/differ.h"

#include <QJsonDocument>

#include <utility>

namespace lockkeeper::tests {

using agent::engine::EngineStep;
using agent::engine::Restored;
using domain::ExpiryKind;
using domain::LockState;
using domain::Phase;
using stores::Flaw;
using stores::Observation;

namespace {

QString ms(qint64 us)
{
    QString text = QString::number(us / 1000);
    if (us % 1000 != 0)
        text += QStringLiteral(".%1").arg(us % 1000, 3, 10, QLatin1Char('0'));
    return text;
}

QString at(qint64 us)
{
    return ms(us - kT0);
}

Flaw flawOf(const QString &name)
{
    if (name == QLatin1String("truncated"))
        return Flaw::Truncated;
    if (name == QLatin1String("wrongtype"))
        return Flaw::WrongType;
    return name == QLatin1String("badtime") ? Flaw::BadTime : Flaw::Malformed;
}

QString phaseName(Phase phase)
{
    switch (phase) {
    case Phase::Free:
        return QStringLiteral("free");
    case Phase::Held:
        return QStringLiteral("held");
    case Phase::Expired:
        return QStringLiteral("expired");
    case Phase::Optimistic:
        return QStringLiteral("optimistic");
    case Phase::Unknown:
        break;
    }
    return QStringLiteral("unknown");
}

} // namespace

EngineRig::EngineRig(const stores::SourceSpec &spec) : m_spec(spec), m_engine(spec, 1) {}

stores::SourceSpec EngineRig::redisSpec()
{
    stores::SourceSpec spec;
    spec.name = QStringLiteral("r");
    spec.url = QUrl(QStringLiteral("redis://127.0.0.1:6379/0"));
    stores::LockSet set;
    set.scheme = "redis.token";
    spec.locks = {set};
    return spec;
}

stores::SourceSpec EngineRig::shedlockSpec()
{
    stores::SourceSpec spec;
    spec.name = QStringLiteral("d");
    spec.url = QUrl(QStringLiteral("mysql://u@127.0.0.1:3306/app"));
    stores::LockSet set;
    set.scheme = "sql.shedlock";
    set.table.table = QStringLiteral("shedlock");
    spec.locks = {set};
    spec.binlog = true; // counts only in scripts whose store pushes
    return spec;
}

stores::SourceSpec EngineRig::insertSpec(bool lease)
{
    stores::SourceSpec spec = shedlockSpec();
    spec.locks[0].scheme = "sql.insert";
    if (lease)
        spec.locks[0].table.leaseUs = 30'000'000;
    return spec;
}

stores::ServerInfo EngineRig::info(const stores::SourceSpec &spec, const QByteArray &run)
{
    stores::ServerInfo info;
    const bool redis = spec.url.scheme() == QLatin1String("redis");
    info.store = redis ? "redis" : "mysql";
    info.server = QStringLiteral("test 1");
    info.instance = run;
    for (qsizetype i = 0; i < spec.locks.size(); ++i)
        info.places.append(redis ? "db0" : "app.shedlock");
    return info;
}

stores::Standing EngineRig::standing(const QStringList &words)
{
    stores::Standing standing;
    standing.server = standing.line = words.value(0).toUtf8();
    standing.reached.insert("writes", words.value(1).toULongLong());
    standing.replica = words.size() > 2;
    standing.stalled = words.value(2) == QLatin1String("stalled");
    if (standing.replica && words.value(3) != QLatin1String("?"))
        standing.asOfUs = kT0 + words.value(3).toLongLong() * 1000;
    return standing;
}

agent::engine::Instant EngineRig::now() const
{
    return {m_monotonicUs, kT0 + m_monotonicUs};
}

void EngineRig::advanceUs(qint64 us)
{
    m_monotonicUs += us;
    m_storeUs += us;
}

/** Applies one detail that follows a lock behind '|'. */
void EngineRig::addDetail(Observation &seen, const QString &text) const
{
    const QString what = text.section(QLatin1Char('='), 0, 0);
    const QString value = text.section(QLatin1Char('='), 1);
    const auto timeOf = [](const QString &ms) {
        return ms.isEmpty() || ms == QLatin1String("-") ? domain::TimeUs() : kT0 + ms.toLongLong() * 1000;
    };
    if (what == QLatin1String("f")) {
        seen.freshness = value.toUtf8();
    } else if (what == QLatin1String("nobody")) {
        seen.identity = seen.owner = seen.token = QByteArray();
    } else if (what == QLatin1String("idle")) {
        seen.held = false;
        seen.identity.clear();
        seen.expiry = ExpiryKind::None;
    } else if (what == QLatin1String("run")) {
        seen.identity += '@' + value.toUtf8();
    } else if (what == QLatin1String("step")) {
        seen.acquiredStepUs = seen.expiresStepUs = value.toUInt() * 1'000;
    } else if (what == QLatin1String("server")) {
        seen.server = quint16(value.toUInt());
    } else if (what == QLatin1String("permit")) {
        seen.expiresBy = domain::Evidence::Column;
        seen.reclaimed = true;
    } else if (what == QLatin1String("late")) {
        seen.reclaimed = true;
    } else if (what == QLatin1String("plain")) {
        seen.ownIdentity = false;
    } else if (what == QLatin1String("coarse")) {
        seen.ownIdentity = false;
        seen.dated = true;
        seen.pinStepUs = 1'000'000;
    } else if (what == QLatin1String("undated")) {
        seen.dated = false;
        seen.acquiredUs.reset();
        seen.identity = seen.owner;
    } else if (what == QLatin1String("held")) {
        seen.held = true;
    } else if (what == QLatin1String("v")) {
        seen.held = false;
        seen.optimistic = true;
        seen.fencing = value.toUtf8();
    } else if (what == QLatin1String("w")) {
        seen.waitersVisible = true;
        for (const QString &one : value.split(QLatin1Char(','), Qt::SkipEmptyParts)) {
            const QString since = one.section(QLatin1Char('@'), 1);
            seen.waiters.append({one.section(QLatin1Char('@'), 0, 0).toUtf8(),
                                 timeOf(since.section(QLatin1Char('~'), 0, 0)),
                                 {},
                                 since.section(QLatin1Char('~'), 1).toLongLong() * 1000});
        }
    } else if (what == QLatin1String("q")) {
        seen.waiting = value.toUInt();
    } else if (what == QLatin1String("s")) {
        domain::Session session;
        session.id = value.section(QLatin1Char('@'), 0, 0).toUtf8();
        session.idleSinceUs = timeOf(value.section(QLatin1Char('@'), 1));
        seen.session = std::make_shared<const domain::Session>(session);
    } else if (what == QLatin1String("off")) {
        seen.off = domain::ReleaseOff::System;
    }
}

Observation EngineRig::observation(const QString &whole) const
{
    QStringList details = whole.split(QLatin1Char('|'));
    Observation seen = bareObservation(details.takeFirst());
    for (const QString &detail : std::as_const(details))
        addDetail(seen, detail);
    return seen;
}

Observation EngineRig::bareObservation(const QString &text) const
{
    const QStringList parts = text.split(QLatin1Char(';'));
    Observation seen;
    seen.name = parts.at(0).toUtf8();
    seen.present = parts.size() > 1;
    if (!seen.present)
        return seen;
    if (parts.at(1).startsWith(QLatin1Char('!'))) {
        seen.flaw = flawOf(parts.at(1).mid(1));
        seen.ownerKnown = false;
        return seen;
    }
    seen.held = seen.ownIdentity = true;
    seen.ownerKnown = parts.at(1) != QLatin1String("NULL");
    seen.flaw = seen.ownerKnown ? Flaw::None : Flaw::NullIdentity;
    if (seen.ownerKnown)
        seen.owner = parts.at(1).toUtf8();
    seen.identity = seen.owner;
    if (parts.size() == 3) {
        seen.token = seen.owner;
        seen.expiresBy = domain::Evidence::Ttl;
        seen.expirySlackUs = seen.expiryNoiseUs = m_slackUs;
        seen.expiry = parts.at(2) == QLatin1String("-")   ? ExpiryKind::None
                      : parts.at(2) == QLatin1String("?") ? ExpiryKind::Unknown
                                                          : ExpiryKind::At;
        seen.expiresUs = m_storeUs + parts.at(2).toLongLong() * 1000;
        return seen;
    }
    seen.acquiredUs = kT0 + parts.at(2).toLongLong() * 1000;
    if (seen.ownerKnown)
        seen.identity += '@' + parts.at(2).toUtf8();
    seen.expiresBy = domain::Evidence::Column;
    if (parts.at(3) == QLatin1String("-")) {
        seen.expiry = ExpiryKind::None;
        return seen;
    }
    seen.expiry = ExpiryKind::At;
    seen.expiresUs = kT0 + parts.at(3).toLongLong() * 1000;
    seen.expirySlackUs = m_slackUs;
    seen.held = seen.expiresUs > m_storeUs;
    return seen;
}

stores::Change EngineRig::change(const QString &text, qint64 windowUs) const
{
    stores::Change change;
    change.timeUs = m_storeUs;
    change.windowUs = windowUs;
    QStringList parts = text.split(QLatin1Char('|'));
    QStringList lock{parts.takeFirst()};
    for (const QString &part : std::as_const(parts)) {
        if (part.startsWith(QLatin1String("n=")))
            change.coalesced = part.mid(2).toUInt();
        else if (part == QLatin1String("unseen"))
            change.unseen = true;
        else if (part == QLatin1String("expired"))
            change.expired = true;
        else if (part == QLatin1String("deleted"))
            change.deleted = true;
        else
            lock.append(part);
    }
    change.lock = observation(lock.join(QLatin1Char('|')));
    return change;
}

std::optional<QString> EngineRig::pushCommand(const QString &verb, QStringList words)
{
    if (verb == QLatin1String("pushing")) {
        stores::PushState state;
        state.on = words.value(0) == QLatin1String("on") || words.value(0) == QLatin1String("afresh");
        state.blind = words.value(0) == QLatin1String("afresh") || words.value(0) == QLatin1String("lost");
        if (words.size() > 1)
            state.toldUntilUs = kT0 + words.at(1).toLongLong() * 1000;
        return take(m_engine.pushStateChanged(state, now()));
    }
    if (verb == QLatin1String("moving") || verb == QLatin1String("resting")) {
        stores::ShardState part;
        part.node = "n1";
        part.ranges = words.value(0);
        part.up = verb == QLatin1String("resting");
        part.polled = true;
        part.holds = [head = part.ranges.toUtf8()](const stores::Subject &lock) {
            return lock.name.startsWith(head);
        };
        return take(m_engine.shardChanged(part, now()));
    }
    if (verb == QLatin1String("hidden") || verb == QLatin1String("shown")) {
        stores::ShardState part;
        part.node = "n2";
        part.up = verb == QLatin1String("shown");
        part.holds = [head = words.value(0).toUtf8()](const stores::Subject &lock) {
            return lock.name.startsWith(head);
        };
        return take(m_engine.shardChanged(part, now()));
    }
    if (verb == QLatin1String("everything")) {
        stores::Push push;
        push.everything = true;
        push.sinceUs = m_storeUs - words.value(0).toLongLong() * 1000;
        return take(m_engine.pushed(push, now()));
    }
    if (verb != QLatin1String("change"))
        return std::nullopt;
    const qint64 windowUs = words.takeFirst().toLongLong() * 1000;
    stores::Push push;
    for (const QString &text : std::as_const(words))
        push.changes.append(change(text, windowUs));
    return take(m_engine.pushed(push, now()));
}

EngineStep EngineRig::start(const QStringList &locks, const QByteArray &position)
{
    Restored restored;
    restored.position = position;
    m_started = true;
    if (locks.isEmpty())
        return m_engine.start(restored, now());
    restored.lastSeenUs = m_storeUs;
    restored.server = m_known;
    for (const QString &text : locks) {
        const Observation seen = observation(text);
        LockState state;
        state.key = {m_spec.name, m_spec.locks.at(0).scheme, info(m_spec).places.at(0), seen.name};
        state.phase = Phase::Held;
        state.owner = seen.owner;
        state.token = seen.token;
        state.acquiredUs = std::min(seen.acquiredUs.value_or(m_storeUs) + seen.acquiredStepUs - 1, m_storeUs);
        state.windowUs =
            seen.acquiredUs ? *state.acquiredUs - agent::engine::columnSpan(seen).fromUs : qint64(0);
        state.acquiredBy = seen.acquiredUs ? domain::Evidence::Column : domain::Evidence::Observation;
        state.expiry = seen.expiry;
        state.expiresBy = seen.expiresBy;
        if (seen.expiry == ExpiryKind::At)
            state.expiresUs = seen.expiresUs;
        restored.locks.append(state);
        m_replica.locks.insert(state.key, state);
    }
    const EngineStep step = m_engine.start(restored, now());
    for (const LockState &state : m_engine.table().locks())
        m_replica.locks.insert(state.key, state);
    return step;
}

QString EngineRig::pages(const QString &verb, const QStringList &locks)
{
    stores::Page page;
    page.beganUs = m_storeUs - m_spanUs;
    page.endedUs = m_storeUs;
    for (const QString &text : locks)
        page.locks.append(observation(text));
    const bool isScan = verb == QLatin1String("scan") || verb == QLatin1String("partial");
    if (isScan && !std::exchange(m_scanAsked, false)) {
        m_engine.readNow(now()); // no scan was requested: begin one
        m_scanAsked = false;
    }
    QString out = take(m_engine.pageRead(page, now()));
    if (!isScan)
        return out;
    stores::ScanEnd end;
    end.complete = verb == QLatin1String("scan");
    end.beganUs = page.beganUs;
    end.endedUs = page.endedUs;
    return out + take(m_engine.scanEnded(end, now()));
}

QString EngineRig::command(const QString &line)
{
    QStringList words = line.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    const QString verb = words.takeFirst();
    const QString first = words.value(0);
    if (verb == QLatin1String("at")) {
        advanceUs(kT0 + first.toLongLong() * 1000 - m_storeUs);
        return {};
    }
    if (verb == QLatin1String("skew"))
        m_storeUs += first.toLongLong() * 1000;
    else if (verb == QLatin1String("span"))
        m_spanUs = first.toLongLong() * 1000;
    else if (verb == QLatin1String("slack"))
        m_slackUs = first.toLongLong() * 1000;
    if (verb == QLatin1String("skew") || verb == QLatin1String("span") || verb == QLatin1String("slack"))
        return {};
    if (verb == QLatin1String("knew")) {
        m_known = {first.toUtf8(), standing(words.mid(1))};
        return {};
    }
    if (verb == QLatin1String("restore"))
        return take(start(words));
    if (verb == QLatin1String("resume"))
        return take(start(words, "place"));
    if (const auto pushed = pushCommand(verb, words))
        return *pushed;
    const QString before = m_started ? QString() : take(start({}));
    if (verb == QLatin1String("up")) {
        stores::ServerInfo found = info(m_spec, words.value(0, QStringLiteral("run1")).toUtf8());
        found.failover = words.value(1) == QLatin1String("failover");
        found.standing = m_standing;
        return before + take(m_engine.opened(found, now()));
    }
    if (verb == QLatin1String("standing")) {
        m_standing = standing(words);
        return before + take(m_engine.standingRead(m_standing, now()));
    }
    if (verb == QLatin1String("down")) {
        const QByteArray code = words.value(0, QStringLiteral("unreachable")).toUtf8();
        return before +
               take(m_engine.failed({base::errorFromName(code), QStringLiteral("no answer"), {}}, now()));
    }
    if (verb == QLatin1String("tick"))
        return take(m_engine.tick(now()));
    if (verb == QLatin1String("unread")) {
        QList<stores::Subject> asked;
        for (const QString &name : std::as_const(words))
            asked.append({0, name.toUtf8()});
        return take(m_engine.pointsRead(asked));
    }
    if (verb == QLatin1String("now"))
        return take(m_engine.readNow(now()));
    if (verb == QLatin1String("sent") || verb == QLatin1String("answered") || verb == QLatin1String("lost") ||
        verb == QLatin1String("late")) {
        const domain::LockKey key{m_spec.name, m_spec.locks.at(0).scheme, info(m_spec).places.at(0),
                                  first.toUtf8()};
        if (verb == QLatin1String("answered"))
            return take(m_engine.releaseAnswered(key, m_storeUs, now()));
        if (verb == QLatin1String("lost"))
            m_engine.releaseUnanswered(key, words.value(1).toUtf8(), words.value(2).toUtf8());
        else if (verb == QLatin1String("late"))
            m_engine.releaseAnsweredLate(key, words.value(1).toUtf8(),
                                         words.value(2) == QLatin1String("released"), now());
        else
            m_engine.releaseSent(key, words.value(1).toUtf8(), now());
        return {};
    }
    if (verb == QLatin1String("dead") || verb == QLatin1String("alive")) {
        const domain::LockKey key{m_spec.name, m_spec.locks.at(0).scheme, info(m_spec).places.at(0),
                                  first.toUtf8()};
        const auto lock = m_engine.table().lock(key);
        return take(m_engine.holderChecked(key, lock ? lock->guard : QByteArray(),
                                           verb == QLatin1String("dead"), now()));
    }
    if (verb == QLatin1String("forced")) {
        const domain::LockKey key{m_spec.name, m_spec.locks.at(0).scheme, info(m_spec).places.at(0),
                                  first.toUtf8()};
        return take(m_engine.releasedByCommand(key, words.value(1).toUtf8(), words.value(2).toUtf8(), now()));
    }
    return pages(verb, words);
}

QString EngineRig::run(const QString &script)
{
    QString out;
    const QStringList lines = script.split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    for (const QString &line : lines) {
        if (!line.trimmed().isEmpty())
            out += command(line.trimmed());
        const QString wrong = difference();
        if (!wrong.isEmpty())
            out += QStringLiteral("MISMATCH after \"%1\": %2\n").arg(line.trimmed(), wrong);
    }
    return out;
}

namespace {
/** The node and the slots of the gap that an event is about. */
QString partOf(const events::LockEvent &event)
{
    return event.detail.node + QLatin1Char(' ') + event.detail.slotRanges;
}
} // namespace

QString EngineRig::take(const EngineStep &step)
{
    QString out;
    const auto line = [&out, this](const QString &text) {
        if (!m_quiet)
            out += text + QLatin1Char('\n');
    };
    for (events::LockEvent event : step.events) {
        event.seq = m_replica.seq + 1;
        events::apply(event, m_replica);
        if (event.kind == events::EventKind::GapOpened)
            m_gaps.insert(partOf(event), event.timeUs);
        line(print(event));
    }
    for (const LockState &state : step.updates) {
        const bool changed = events::applyUpdate(state, m_replica) == events::Applied::Changed;
        line(changed ? print(state) : QStringLiteral("(nothing new) ") + print(state));
    }
    for (const events::LockEvent &event : step.renewals)
        line(QStringLiteral("(") + print(event) + QLatin1Char(')'));
    for (const stores::Subject &subject : step.pointReads)
        line(QStringLiteral("? ") + QString::fromUtf8(subject.name));
    m_scanAsked = m_scanAsked || step.scan;
    if (step.scan)
        line(QStringLiteral("scan"));
    if (step.open)
        line(QStringLiteral("open"));
    return out;
}

QString EngineRig::print(const events::LockEvent &event) const
{
    QString text = QString::fromLatin1(events::kindName(event.kind).toByteArray());
    if (!event.isSourceEvent()) {
        text += QStringLiteral(" %1 by %2")
                    .arg(QString::fromUtf8(event.key.name),
                         event.ownerKnown ? QString::fromUtf8(event.owner) : QStringLiteral("NULL"));
    }
    if (event.waiter)
        text += QStringLiteral(" waiter ") + QString::fromUtf8(*event.waiter);
    text += QStringLiteral(" at ") + at(event.timeUs);
    if (event.windowUs != 0)
        text += QStringLiteral(" window ") + ms(event.windowUs);
    if (event.ttlMs)
        text += QStringLiteral(" ttl %1").arg(*event.ttlMs);
    if (!event.command.isEmpty())
        text += QStringLiteral(" command ") + QString::fromUtf8(event.command);
    QJsonObject detail = event.detail.toJson();
    if (detail.contains(QStringLiteral("last_seen_us"))) {
        text += QStringLiteral(" seen ") + at(detail.take(QStringLiteral("last_seen_us")).toInteger());
    }
    if (event.kind == events::EventKind::GapClosed &&
        detail.take(QStringLiteral("since_us")).toInteger() != m_gaps.value(partOf(event)))
        text += QStringLiteral(" (of another beginning)");
    if (detail.contains(QStringLiteral("since_us")))
        text += QStringLiteral(" since ") + at(detail.take(QStringLiteral("since_us")).toInteger());
    detail.remove(QStringLiteral("message"));
    if (!detail.isEmpty())
        text += QLatin1Char(' ') + QString::fromUtf8(QJsonDocument(detail).toJson(QJsonDocument::Compact));
    return text;
}

QString EngineRig::print(const LockState &state) const
{
    if (!state.seenUs)
        return QStringLiteral("- ") + QString::fromUtf8(state.key.name);
    QString text = QStringLiteral("~ %1 %2").arg(QString::fromUtf8(state.key.name), phaseName(state.phase));
    if (!state.owner.isEmpty())
        text += QStringLiteral(" by ") + QString::fromUtf8(state.owner);
    if (state.expiresUs)
        text += QStringLiteral(" until ") + at(*state.expiresUs);
    if (!state.fencing.isEmpty())
        text += QStringLiteral(" version ") + QString::fromUtf8(state.fencing);
    if (state.changesPerMinute)
        text += QStringLiteral(" rate %1").arg(*state.changesPerMinute);
    if (state.session)
        text += QStringLiteral(" session ") + QString::fromUtf8(state.session->id);
    for (const domain::Waiter &waiter : state.waiters)
        text += QStringLiteral(" <- ") + QString::fromUtf8(waiter.id);
    return text;
}

QString EngineRig::difference() const
{
    const QList<LockState> locks = m_engine.table().locks();
    if (locks.size() != m_replica.locks.size())
        return QStringLiteral("%1 locks, the replica has %2").arg(locks.size()).arg(m_replica.locks.size());
    for (LockState state : locks) {
        LockState copy = m_replica.locks.value(state.key);
        // The source's state, not each lock, holds the time of the last observation and the state of the
        // link.
        copy.seenUs = state.seenUs;
        copy.release = state.release;
        if (copy != state)
            return QStringLiteral("%1 is %2 and %3")
                .arg(QString::fromUtf8(state.key.name), print(state), print(copy));
    }
    return {};
}

} // namespace lockkeeper::tests
