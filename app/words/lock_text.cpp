// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/lock_text.h"

#include "app/replica/holder.h"
#include "app/words/durations.h"
#include "app/words/scheme_words.h"
#include "app/words/words.h"
#include "shared/base/java_text.h"
#include "shared/base/text.h"
#include "shared/domain/advisory_names.h"

#include <QRegularExpression>

#include <algorithm>

namespace lockkeeper::app::words {

QString LockText::name(const domain::LockKey &key)
{
    const QString name = base::displayText(base::withoutJavaHeader(key.name));
    // A bare number means nothing to a reader.
    const QString program =
        key.scheme == "sql.advisory" ? domain::advisoryProgram(key.name, key.place) : QString();
    if (!program.isEmpty())
        return QStringLiteral("%1 (%2)").arg(name, program);
    if (!SchemeWords::isRowLock(key.scheme))
        return name;
    const QByteArray place = key.place.mid(key.place.lastIndexOf('.', key.place.indexOf('/')) + 1);
    const qsizetype slash = place.indexOf('/');
    const QByteArray table = place.left(slash);
    const QByteArray index = slash < 0 ? QByteArray() : place.mid(slash + 1);
    if (slash < 0 || index == "*") // the whole table, whose name it has
        return name;
    return QStringLiteral("%1 %2").arg(base::displayText(table), name);
}

QString LockText::holder(const QByteArray &owner, bool ownerKnown)
{
    if (!ownerKnown)
        return QStringLiteral("NULL");
    if (owner.isEmpty())
        return Durations::notApplicable();
    const QString text = base::displayText(base::withoutJavaHeader(owner));
    // Tokens such as "worker-3@10.2.3.17:9c1f…" put the random part last.
    static const QRegularExpression embedded(QStringLiteral("^([^@]+@[^:#/|]+)[:#/|][0-9a-fA-F-]{8,}$"));
    const auto match = embedded.match(text);
    if (match.hasMatch())
        return match.captured(1);
    return replica::isRandomToken(text) ? text.left(8) : text;
}

QVariant LockText::wholeHolder(const QByteArray &owner, bool ownerKnown)
{
    return ownerKnown && !owner.isEmpty() ? QVariant(base::displayText(base::withoutJavaHeader(owner)))
                                          : QVariant();
}

QString LockText::holder(const domain::LockState &state)
{
    return state.isHeld() ? holder(state.owner, state.ownerKnown) : Durations::notApplicable();
}

QString LockText::holder(const events::LockEvent &event)
{
    if (!event.ownerKnown && event.detail.unseen)
        return tr("not seen");
    return holder(event.owner, event.ownerKnown);
}

QString LockText::bytesOrDash(const QByteArray &bytes)
{
    return bytes.isEmpty() ? Durations::notApplicable() : base::displayText(bytes);
}

QString LockText::sourceAndPlace(const domain::LockKey &key)
{
    const QString source = base::displayText(key.source);
    const QString place = base::displayText(key.place);
    return place.isEmpty() ? source : QStringLiteral("%1 · %2").arg(source, place);
}

QString LockText::whereabouts(const domain::LockKey &key)
{
    return QStringLiteral("%1 · %2 · %3")
        .arg(base::displayText(key.source), base::displayText(key.scheme), base::displayText(key.place));
}

QString LockText::alive(const domain::LockState &state, qint64 nowUs)
{
    const domain::Liveness life = domain::liveness(state, nowUs);
    switch (life.verdict) {
    case domain::Alive::Renewed:
        return tr("renewed %1 ago").arg(Durations::inSentence(life.sinceRenewalUs.value_or(0)));
    case domain::Alive::Silent:
        return tr("silent: %n renewal(s) missed", nullptr, life.missedRenewals);
    case domain::Alive::Connected:
        if (!domain::isConnectionScheme(state.key.scheme))
            return tr("session open");
        return life.idleUs ? tr("connection open, idle %1").arg(Durations::text(*life.idleUs))
                           : tr("connection open, running a statement");
    case domain::Alive::Unknown:
        break;
    }
    if (state.phase == domain::Phase::Unknown && state.release.why == domain::ReleaseOff::SourceDown)
        return tr("unknown: the part of the source that has it isn't observed");
    if (state.phase == domain::Phase::Unknown)
        return state.nodes.isEmpty() ? tr("unknown: what is stored can't be read as a lock")
                                     : tr("unknown: too many of its servers can't be asked");
    if (!state.isHeld())
        return tr("not held");
    if (state.release.why == domain::ReleaseOff::Past)
        return tr("unknown: the journal doesn't keep it");
    if (state.session)
        return tr("unknown: no connection holds it");
    if (!SchemeWords::showsLife(state.key.scheme) && state.expiry != domain::ExpiryKind::At)
        return tr("unknown: this scheme doesn't renew");
    if (state.renewals == 0)
        return tr("unknown: no renewal seen");
    return tr("unknown: watched too briefly");
}

QString LockText::aliveBriefly(const domain::LockState &state, qint64 nowUs)
{
    const domain::Liveness life = domain::liveness(state, nowUs);
    switch (life.verdict) {
    case domain::Alive::Renewed:
        return tr("%1 ago", "the last renewal").arg(Durations::inSentence(life.sinceRenewalUs.value_or(0)));
    case domain::Alive::Silent:
        return tr("%n missed", "renewals", life.missedRenewals);
    case domain::Alive::Connected:
        if (!domain::isConnectionScheme(state.key.scheme))
            return tr("session open");
        return life.idleUs ? tr("idle %1", "a connection").arg(Durations::text(*life.idleUs))
                           : tr("running", "a connection's statement");
    case domain::Alive::Unknown:
        break;
    }
    return tr("unknown", "whether the holder is alive");
}

QString LockText::waiters(const domain::LockState &state)
{
    const auto count = state.waiterCount();
    return count ? QString::number(*count) : Durations::notApplicable();
}

QString LockText::unnamedWaiters(const domain::LockState &state, qint64 nowUs)
{
    if (state.waiting)
        return tr("%n process(es) seen waiting %1 ago; who polls, as for a spin lock, isn't seen", nullptr,
                  int(*state.waiting))
            .arg(Durations::inSentence(std::max<qint64>(0, nowUs - state.seenUs.value_or(nowUs))));
    return SchemeWords::hiddenWaiters(state.key.scheme);
}

QString LockText::statement(const domain::Session &session, bool oneLine)
{
    QStringList lines;
    for (const QByteArray &line : session.statement.split('\n')) {
        QByteArray text = line.endsWith('\r') ? line.chopped(1) : line;
        lines.append(base::displayText(text.replace('\t', ' ')));
    }
    QString text = oneLine ? lines.join(QLatin1Char(' ')).simplified() : lines.join(QLatin1Char('\n'));
    if (session.statementCut)
        text += QStringLiteral("…");
    return text;
}

QString LockText::session(const domain::Session &session)
{
    QString account = base::displayText(session.user);
    if (!session.client.isEmpty())
        account += QLatin1Char('@') + base::displayText(session.client);
    QStringList parts{base::displayText(session.id), account, base::displayText(session.program)};
    parts.removeAll(QString());
    return parts.join(QStringLiteral(" · "));
}

QString LockText::rowSentence(const domain::LockState &state, replica::Badge badge, qint64 nowUs)
{
    const QString word = replica::badgeText(badge);
    const QString lock = name(state.key);
    if (state.mayHaveChanged)
        return tr("%1, %2, may have changed already", "state, lock").arg(word, lock);
    if (!state.isHeld() || !state.acquiredUs)
        return tr("%1, %2", "state, lock").arg(word, lock);
    const QString span = Durations::spoken(nowUs - *state.acquiredUs);
    if (Durations::heldMark(state) == Mark::AtLeast)
        return tr("%1, %2, held at least %3").arg(word, lock, span);
    return tr("%1, %2, held for %3").arg(word, lock, span);
}

} // namespace lockkeeper::app::words
