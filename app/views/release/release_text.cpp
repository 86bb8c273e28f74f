// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/release/release_text.h"

#include "app/words/durations.h"
#include "app/words/error_words.h"
#include "app/words/lock_text.h"
#include "app/words/node_formatter.h"
#include "app/words/scheme_words.h"
#include "app/words/words.h"
#include "shared/base/text.h"

#include <QWidget>

#include <algorithm>

namespace lockkeeper::app::views {

using words::Durations;
using words::LockText;
using words::NodeFormatter;
using words::SchemeWords;
using words::Words;

namespace {

/** The time without a sign of life: since the last renewal, or since the lock was taken or first seen. */
qint64 silenceUs(const domain::LockState &state, qint64 nowUs)
{
    const qint64 since = std::max(state.renewedUs.value_or(0), state.acquiredUs.value_or(0));
    return since > 0 ? std::max<qint64>(0, nowUs - since) : 0;
}

QString withNodes(const QString &text, const protocol::ReleaseResult &result)
{
    const QString nodes = words::NodeFormatter::outcomes(result.nodes);
    return nodes.isEmpty() ? text : text + QLatin1Char('\n') + nodes;
}

} // namespace

void fillWith(QWidget *widget, const presentation::BannerColours &colours)
{
    QPalette palette = widget->palette();
    palette.setColor(QPalette::Window, colours.fill);
    palette.setColor(QPalette::WindowText, colours.ink);
    widget->setAutoFillBackground(true);
    widget->setPalette(palette);
}

QString ReleaseText::title(ReleaseCase releaseCase, const domain::LockState &state)
{
    const QString name = LockText::name(state.key);
    switch (releaseCase) {
    case ReleaseCase::Reading:
        return tr("Force-release “%1”?").arg(name);
    case ReleaseCase::Expired:
        return tr("Force-release expired lock “%1”?").arg(name);
    case ReleaseCase::Stuck:
        return tr("Force-release stuck lock “%1”?").arg(name);
    case ReleaseCase::HolderGone:
        return tr("Force-release lock “%1” of a dead holder?").arg(name);
    case ReleaseCase::Live:
        return tr("Break live lock “%1”?").arg(name);
    case ReleaseCase::Connection:
        return tr("Kill connection %1 to free “%2”?")
            .arg(state.session ? base::displayText(state.session->id) : Durations::unknown(), name);
    case ReleaseCase::NoIdentity:
        return tr("Release “%1” without knowing its holder?").arg(name);
    case ReleaseCase::Leftover:
        return tr("Remove what is left of “%1”?").arg(name);
    case ReleaseCase::Off:
        return tr("“%1” can't be released").arg(name);
    case ReleaseCase::Changed:
        return tr("The lock “%1” changed while this dialog was open").arg(name);
    case ReleaseCase::Gone:
        return tr("“%1” is free already").arg(name);
    case ReleaseCase::Unreachable:
        return tr("“%1” can't be read").arg(name);
    }
    return {};
}

QString ReleaseText::explanation(ReleaseCase releaseCase, const domain::LockState &state, qint64 nowUs)
{
    switch (releaseCase) {
    case ReleaseCase::Reading:
        return tr("Reading the lock from its store…");
    case ReleaseCase::Expired:
        return tr("The lease ended %1 ago by the store's clock.")
            .arg(Durations::inSentence(std::max<qint64>(0, nowUs - state.expiresUs.value_or(nowUs))));
    case ReleaseCase::Stuck:
        return tr("It never expires, no sign of life for %1. A slow holder looks the same: check %2.")
            .arg(Durations::inSentence(silenceUs(state, nowUs)), LockText::holder(state));
    case ReleaseCase::HolderGone:
        return tr("A liveness probe found its holder dead. If the probe is wrong, two processes may then use "
                  "the resource at once.");
    case ReleaseCase::Leftover:
        return NodeFormatter::standing(state);
    case ReleaseCase::Live:
        if (state.phase == domain::Phase::Unknown && !state.nodes.isEmpty())
            return NodeFormatter::standing(state);
        return state.renewedUs
                   ? tr("Its holder renewed it %1 ago. Two processes may then use the resource at once.")
                         .arg(Durations::inSentence(std::max<qint64>(0, nowUs - *state.renewedUs)))
               : state.session
                   ? tr("Its session is open. Two processes may then use the resource at once.")
                   : tr("Its lease has not ended. Two processes may then use the resource at once.");
    case ReleaseCase::Connection:
        return tr("Its transaction rolls back, and all its locks become free. Between check and kill it may "
                  "begin other work.");
    case ReleaseCase::NoIdentity:
        return tr("If its holder or another process has acquired it again in the meantime, that lock may be "
                  "deleted.");
    case ReleaseCase::Off:
        return Words::releaseOff(state.release.why);
    case ReleaseCase::Changed:
        return state.pinsDeadline
                   ? tr("It was renewed since it was read, or acquired again: %1 holds it now. Nothing was "
                        "released.")
                         .arg(LockText::holder(state))
                   : tr("It is now held by %1. Nothing was released.").arg(LockText::holder(state));
    case ReleaseCase::Gone:
        return tr("It isn't held any more. Nothing was released.");
    case ReleaseCase::Unreachable:
        return tr("Can't reach %1 (last seen %2 ago). Force-release is unavailable.")
            .arg(state.key.source,
                 Durations::inSentence(std::max<qint64>(0, nowUs - state.seenUs.value_or(nowUs))));
    }
    return {};
}

QString ReleaseText::residue(const domain::LockState &state)
{
    if (domain::isConnectionScheme(state.key.scheme))
        return tr("The program behind the connection isn't stopped. It sees an error, and may connect and "
                  "begin again.");
    const QString stays = tr(
        "Release does not stop the holder. If it is running, it keeps writing unless the resource checks a "
        "fencing token.");
    const QString noticed = SchemeWords::noticed(state.key.scheme);
    return noticed.isEmpty() ? stays : stays + QLatin1Char('\n') + noticed;
}

QString ReleaseText::action(ReleaseCase releaseCase)
{
    switch (releaseCase) {
    case ReleaseCase::Live:
        return tr("Break live lock");
    case ReleaseCase::Connection:
        return tr("Kill connection");
    case ReleaseCase::NoIdentity:
        return tr("Release unsafely");
    case ReleaseCase::Leftover:
        return tr("Remove leftovers");
    default:
        return tr("Force-release");
    }
}

QString ReleaseText::requestApproval()
{
    return tr("Request approval");
}

QString ReleaseText::approvalNeeded()
{
    return tr("A second operator must approve within 5 minutes. The request ends if the lock changes.");
}

QString ReleaseText::missing(MissingInput missing)
{
    switch (missing) {
    case MissingInput::ReasonAndName:
        return tr("Enter a reason and type the lock's name.");
    case MissingInput::Reason:
        return tr("Enter a reason.");
    case MissingInput::Name:
        return tr("Type the lock's name exactly as shown above.");
    case MissingInput::Reading:
        return tr("This information is out of date: the lock is being read again.");
    case MissingInput::Moment:
        return tr("Wait a second: read what will be released.");
    case MissingInput::Nothing:
    case MissingInput::Offer:
    case MissingInput::Answer:
        break;
    }
    return {};
}

QString ReleaseText::again(ReleaseCase releaseCase)
{
    return releaseCase == ReleaseCase::Unreachable ? tr("Check again") : tr("Review again");
}

QString ReleaseText::outcome(const protocol::ReleaseResult &result, const words::TimeFormat &times)
{
    QString text;
    if (result.outcome == domain::Outcome::Released && result.storeUs) {
        text = tr("Released. Confirmed by the store at %1 %2.")
                   .arg(times.time(*result.storeUs), times.zoneText(*result.storeUs));
        if (!result.replicated)
            text += QLatin1Char('\n') +
                    tr("Not replicated yet: a failover of the store may bring the lock back.");
        else if (!result.error.cause.isEmpty())
            text += QLatin1Char('\n') + words::ErrorWords::detail(result.error);
        return withNodes(text, result);
    }
    text = Words::outcomeSentence(result.outcome);
    if (!result.error.cause.isEmpty())
        text += QLatin1Char('\n') + words::ErrorWords::detail(result.error);
    return withNodes(text, result);
}

QString ReleaseText::guard(ReleaseCase releaseCase, const domain::LockState &state, bool ifNotRenewed)
{
    if (state.guard.isEmpty())
        return tr("none: nothing distinguishes this acquisition from the next");
    const QString digest = QString::fromLatin1(state.guard.left(12));
    if (releaseCase == ReleaseCase::Connection)
        return tr("this connection, its thread and its transaction (%1…)").arg(digest);
    const bool fresh =
        ifNotRenewed || becauseOf(releaseCase) != domain::Because::Operator || state.pinsDeadline;
    if (fresh && !state.expiresUs)
        return tr("this acquisition as it was read, without a deadline (%1…)").arg(digest);
    if (state.pinsDeadline)
        return tr("this value and its exact deadline, as the value alone may be the next holder's too (%1…)")
            .arg(digest);
    return fresh ? tr("this acquisition and its exact deadline (%1…)").arg(digest)
                 : tr("this acquisition, renewed or not (%1…)").arg(digest);
}

} // namespace lockkeeper::app::views
