// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/presentation/lock_formatter.h"

#include "app/presentation/icons.h"
#include "app/session/source_names.h"
#include "app/words/durations.h"
#include "app/words/lock_text.h"
#include "app/words/node_formatter.h"
#include "app/words/words.h"
#include "shared/base/text.h"

#include <algorithm>

namespace lockkeeper::app::presentation {

namespace {

/** At a past moment, the holder may have been a different one. */
QString marked(const QString &holder, const domain::LockState &state)
{
    return state.mayHaveChanged ? holder + QStringLiteral(" ~") : holder;
}

QVariant wholeHolder(const domain::LockState &state)
{
    const QVariant whole = words::LockText::wholeHolder(state.owner, state.ownerKnown);
    return state.isHeld() && whole.isValid() ? QVariant(marked(whole.toString(), state)) : QVariant();
}

/** Off while the lock's source isn't observed. */
domain::ReleaseSafety releaseSafety(const models::LockRow &row)
{
    return row.stale ? domain::ReleaseSafety::Off : row.lock.peek().release.safety;
}

const models::LockRow *rowOf(const QModelIndex &index)
{
    if (const auto *proxy = qobject_cast<const models::LocksProxy *>(index.model()))
        return proxy->lockAt(index.row());
    if (const auto *model = qobject_cast<const models::LockModel *>(index.model()))
        return model->at(index.row());
    return nullptr;
}

const models::LockModel *modelOf(const QModelIndex &index)
{
    if (const auto *proxy = qobject_cast<const models::LocksProxy *>(index.model()))
        return &proxy->source();
    return qobject_cast<const models::LockModel *>(index.model());
}

} // namespace

QString LockFormatter::groupText(const models::LockGroup &group)
{
    const QString name = group.key.isEmpty() ? tr("(none)", "group") : base::displayText(group.key);
    return tr("%1 — %Ln lock(s), worst: %2", nullptr, int(group.total))
        .arg(name, replica::badgeText(group.worst));
}

QString LockFormatter::mayHaveChanged()
{
    return tr(
        "~: may have changed by then: its next change can't be dated more exactly, or a part of its source "
        "wasn't observed.");
}

QVariant LockFormatter::header(int column, int role) const
{
    if (role == Qt::ToolTipRole && column == models::HeldForColumn)
        return tr("≥: the start wasn't seen. ~: dated with a window.");
    if (role == Qt::ToolTipRole && column == models::RemainingColumn)
        return tr("Time left of the lease by the store's clock; −: past its end.");
    if (role == Qt::ToolTipRole && column == models::AliveColumn)
        return tr("Alive: the holder's last sign of life.");
    if (role == Qt::ToolTipRole && column == models::ReleaseColumn)
        return tr("Release: whether a force-release would be guarded, unsafe or impossible.");
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::AlignVCenter | models::kLockColumns[size_t(column)].side);
    return role == Qt::DisplayRole || role == Qt::ToolTipRole
               ? QVariant(tr(models::kLockColumns[size_t(column)].title))
               : QVariant();
}

QVariant LockFormatter::cell(const QModelIndex &index, int role) const
{
    if (const auto *proxy = qobject_cast<const models::LocksProxy *>(index.model())) {
        if (const models::LockGroup *group = proxy->groupAt(index.row())) {
            const bool worded = role == Qt::DisplayRole || role == Qt::AccessibleTextRole;
            return worded && index.column() == 0 ? QVariant(groupText(*group)) : QVariant();
        }
    }
    const models::LockRow *row = rowOf(index);
    const models::LockModel *model = modelOf(index);
    if (!row || !model)
        return {};
    const auto shown = [&] {
        const replica::LockContext context = model->context(*row);
        return index.column() == models::AgentColumn ? base::displayText(context.agent)
                                                     : text(*row, index.column(), context.nowUs);
    };
    switch (role) {
    case Qt::DisplayRole:
        return shown();
    case Qt::ToolTipRole:
        if (index.column() == models::AgentColumn)
            return tr("Locks seen by several agents are listed once. The first agent named has the best view "
                      "and performs releases.");
        return toolTip(*row, index.column(), model->context(*row).nowUs);
    case models::kWholeRole:
        if (index.column() == models::AliveColumn || index.column() == models::ReleaseColumn)
            return toolTip(*row, index.column(), model->context(*row).nowUs);
        return index.column() == models::HolderColumn ? wholeHolder(row->lock.state()) : QVariant();
    case Qt::TextAlignmentRole:
        return header(index.column(), role);
    case Qt::AccessibleTextRole:
        if (index.column() == models::StateColumn)
            return sentence(*row, model->context(*row).nowUs);
        if (index.column() == models::AliveColumn || index.column() == models::ReleaseColumn)
            return toolTip(*row, index.column(), model->context(*row).nowUs);
        return shown();
    default:
        return {};
    }
}

namespace {
QString minutesLeft(qint64 leftUs)
{
    const qint64 leftS = std::max<qint64>(0, leftUs) / 1'000'000;
    return QStringLiteral("%1:%2").arg(leftS / 60).arg(leftS % 60, 2, 10, QLatin1Char('0'));
}
} // namespace

std::optional<qint64> LockFormatter::awaitedUs(const models::LockRow &row) const
{
    return m_awaited ? m_awaited(row.lock.peek().key) : std::nullopt;
}

QString LockFormatter::awaitingApproval(qint64 leftUs)
{
    return tr("Awaiting approval %1", "minutes and seconds that are left").arg(minutesLeft(leftUs));
}

QString LockFormatter::awaitingBriefly(qint64 leftUs)
{
    return tr("Awaits %1", "an approval, for so many minutes and seconds").arg(minutesLeft(leftUs));
}

/** For a past moment, each row's sentence includes its time. */
QString LockFormatter::sentence(const models::LockRow &row, qint64 nowUs) const
{
    const domain::LockState state = row.lock.state();
    const auto awaited = awaitedUs(row);
    const QString said =
        awaited ? tr("%1, %2", "a lock's state, what its release awaits")
                      .arg(words::LockText::rowSentence(state, row.badge, nowUs), awaitingApproval(*awaited))
                : words::LockText::rowSentence(state, row.badge, nowUs);
    return state.release.why == domain::ReleaseOff::Past
               ? tr("%1, as of %2", "a lock's state, a past moment").arg(said, m_times->exact(nowUs))
               : said;
}

QString LockFormatter::text(const models::LockRow &row, int column, qint64 nowUs) const
{
    const domain::LockState state = row.lock.state();
    switch (column) {
    case models::StateColumn:
        if (const auto awaited = awaitedUs(row))
            return awaitingApproval(*awaited);
        return replica::badgeText(row.badge);
    case models::NameColumn:
        return words::LockText::name(state.key);
    case models::HolderColumn:
        return marked(words::LockText::holder(state), state);
    case models::HeldForColumn:
        // The hold is dated after its source's last observation, so its duration is unknown.
        return row.stale && state.isHeld() && state.acquiredUs > nowUs
                   ? words::Durations::unknown()
                   : words::Durations::heldFor(state, nowUs);
    case models::RemainingColumn:
        return row.stale && state.isHeld() ? words::Durations::unknown()
                                           : words::Durations::remaining(state, nowUs);
    case models::WaitersColumn:
        return words::LockText::waiters(state);
    case models::SourceColumn: // its agent has a separate column
        return base::displayText(m_severalAgents ? session::splitName(state.key.source).source
                                                 : state.key.source);
    case models::LongestWaitColumn:
        return words::Durations::longestWait(state, nowUs);
    case models::SchemeColumn:
        return base::displayText(state.key.scheme);
    case models::PlaceColumn:
        return state.nodes.isEmpty() ? base::displayText(state.key.place)
                                     : words::NodeFormatter::count(state);
    case models::SeenColumn:
        return state.isHeld() && state.acquiredUs ? words::Durations::window(state.windowUs)
                                                  : words::Durations::notApplicable();
    case models::AcquiredColumn:
        return state.isHeld() && state.acquiredUs ? m_times->nearTime(*state.acquiredUs, nowUs)
                                                  : words::Durations::notApplicable();
    case models::ExpiresColumn:
        return state.isHeld() && state.expiresUs ? m_times->nearTime(*state.expiresUs, nowUs)
                                                 : words::Durations::notApplicable();
    case models::TokenColumn:
        return words::LockText::bytesOrDash(state.token);
    case models::DepthColumn:
        return state.depth > 0 ? QString::number(state.depth) : words::Durations::notApplicable();
    case models::FencingColumn:
        return words::LockText::bytesOrDash(state.fencing);
    case models::AliveColumn:
        return !state.isHeld() ? words::Durations::notApplicable()
               : row.stale     ? words::Durations::unknown()
                               : words::LockText::aliveBriefly(state, nowUs);
    case models::ReleaseColumn:
        return state.isHeld() ? words::Words::releaseBriefly(releaseSafety(row))
                              : words::Durations::notApplicable();
    default:
        return {};
    }
}

QString LockFormatter::iconName(const models::LockRow &row, int column, qint64 nowUs)
{
    const domain::LockState state = row.lock.peek();
    if (!state.isHeld())
        return {};
    if (column == models::AliveColumn) {
        switch (row.stale ? domain::Alive::Unknown : domain::liveness(state, nowUs).verdict) {
        case domain::Alive::Renewed:
            return QStringLiteral("alive-renewed");
        case domain::Alive::Silent:
            return QStringLiteral("alive-silent");
        case domain::Alive::Connected:
            return QStringLiteral("alive-connected");
        case domain::Alive::Unknown:
            return QStringLiteral("state-unknown");
        }
    }
    if (column == models::ReleaseColumn) {
        switch (releaseSafety(row)) {
        case domain::ReleaseSafety::Guarded:
            return QStringLiteral("release-guarded");
        case domain::ReleaseSafety::Unsafe:
            return QStringLiteral("release-unsafe");
        case domain::ReleaseSafety::Off:
            return QStringLiteral("release-off");
        }
    }
    return {};
}

QString LockFormatter::toolTip(const models::LockRow &row, int column, qint64 nowUs) const
{
    const domain::LockState state = row.lock.state();
    switch (column) {
    case models::StateColumn:
        if (awaitedUs(row))
            return sentence(row, nowUs);
        if (row.stale && state.release.why == domain::ReleaseOff::Past)
            return tr("Not observed then, last at %1; as last known.").arg(m_times->exact(nowUs));
        if (row.stale)
            return tr("Not observed now; as of %1.").arg(m_times->exact(nowUs));
        if (state.mayHaveChanged)
            return mayHaveChanged();
        if (row.badge == Badge::Stuck)
            return words::Words::stuckReason(state.stuck);
        if (state.release.why == domain::ReleaseOff::Past)
            return sentence(row, nowUs);
        return replica::badgeText(row.badge);
    case models::HolderColumn:
        if (state.mayHaveChanged)
            return mayHaveChanged();
        return state.isHeld() && state.ownerKnown ? base::displayText(state.owner) : QString();
    case models::HeldForColumn:
    case models::AcquiredColumn:
    case models::SeenColumn:
        if (!state.isHeld() || !state.acquiredUs)
            return {};
        return tr("Acquired %1, %2: %3")
            .arg(m_times->exact(*state.acquiredUs), words::Durations::window(state.windowUs),
                 words::Words::evidence(state.acquiredBy));
    case models::RemainingColumn:
    case models::ExpiresColumn:
        if (!state.isHeld() || !state.expiresUs)
            return {};
        return tr("Expires %1: %2")
            .arg(m_times->exact(*state.expiresUs), words::Words::evidence(state.expiresBy));
    case models::WaitersColumn:
        return state.waitersVisible ? QString() : words::LockText::unnamedWaiters(state, nowUs);
    case models::AliveColumn:
        return !state.isHeld() ? words::Durations::notApplicable()
               : row.stale     ? words::Durations::unknown()
                               : words::LockText::alive(state, nowUs);
    case models::ReleaseColumn:
        return !state.isHeld() ? words::Durations::notApplicable()
               : row.stale && state.release.why != domain::ReleaseOff::Past
                   ? words::Words::releaseOff(domain::ReleaseOff::SourceDown)
                   : words::Words::release(state.release, state.key.scheme);
    default:
        return text(row, column, nowUs);
    }
}

} // namespace lockkeeper::app::presentation
