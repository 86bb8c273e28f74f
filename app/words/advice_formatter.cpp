// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/words/advice_formatter.h"

#include "shared/base/text.h"

#include <QLocale>

#include <cmath>
#include <cstdlib>

namespace lockkeeper::app::words {

namespace {

using domain::Advice;
using domain::AdviceCode;

qint64 figure(const Advice &advice, const char *key)
{
    return advice.figures.value(QLatin1String(key)).toInteger();
}

QString count(const Advice &advice, const char *key)
{
    return QLocale().toString(figure(advice, key));
}

QString length(const Advice &advice, const char *key)
{
    return AdviceFormatter::duration(figure(advice, key));
}

QString percent(const Advice &advice, const char *key)
{
    return QLocale().toString(double(figure(advice, key)) / 10.0, 'f', 1) + QStringLiteral(" %");
}

} // namespace

QString AdviceFormatter::title(AdviceCode code)
{
    switch (code) {
    case AdviceCode::LeaseTooShort:
        return tr("lease too short");
    case AdviceCode::LeaseTooLong:
        return tr("lease too long");
    case AdviceCode::RenewalTooLate:
        return tr("renewed too late");
    case AdviceCode::PollsTooSlowly:
        return tr("clients poll too slowly");
    case AdviceCode::PollsTooFast:
        return tr("a herd of clients");
    case AdviceCode::UnusuallyLongHold:
        return tr("unusually long hold");
    case AdviceCode::NeverContended:
        return tr("never contended");
    case AdviceCode::NoExpiry:
        return tr("no expiry");
    case AdviceCode::OppositeOrders:
        return tr("taken in both orders");
    case AdviceCode::ClientClockOff:
        return tr("clients' clocks are off");
    case AdviceCode::ChainHeadStatement:
        return tr("one statement blocks");
    case AdviceCode::Unknown:
        break;
    }
    return tr("unknown advice");
}

QString AdviceFormatter::confidence(domain::AdviceConfidence confidence)
{
    switch (confidence) {
    case domain::AdviceConfidence::Certain:
        return tr("certain");
    case domain::AdviceConfidence::Likely:
        return tr("likely");
    case domain::AdviceConfidence::Possible:
        break;
    }
    return tr("possible");
}

QString AdviceFormatter::document(AdviceCode code)
{
    const QByteArrayView name = domain::adviceCodeName(code);
    return code == AdviceCode::Unknown ? QStringLiteral("advice.md")
                                       : QStringLiteral("advice.md#") + QLatin1String(name);
}

QString AdviceFormatter::duration(qint64 us)
{
    constexpr double kSecond = 1e6;
    constexpr double kMinute = 60 * kSecond;
    constexpr double kHour = 60 * kMinute;
    const auto number = [](double value) {
        const bool isWhole = value >= 100 || std::abs(value - std::round(value)) < 0.05;
        return QLocale().toString(value, 'f', isWhole ? 0 : 1);
    };
    const double length = double(us);
    if (std::abs(length) < kSecond)
        return tr("%1 ms").arg(number(length / 1000));
    if (std::abs(length) < 2 * kMinute)
        return tr("%1 s").arg(number(length / kSecond));
    return std::abs(length) < 2 * kHour ? tr("%1 min").arg(number(length / kMinute))
                                        : tr("%1 h").arg(number(length / kHour));
}

QString AdviceFormatter::leaseEvidence(const Advice &advice)
{
    const QString ttl = length(advice, "ttl_us");
    switch (advice.code) {
    case AdviceCode::LeaseTooShort: {
        const QString late = tr("The lease lasts %1. %2 of %3 holds took more than four fifths of it.")
                                 .arg(ttl, count(advice, "late"), count(advice, "holds"));
        return figure(advice, "expired") == 0
                   ? late
                   : late + QLatin1Char(' ') +
                         tr("%1 more ended only because it ran out.").arg(count(advice, "expired"));
    }
    case AdviceCode::LeaseTooLong:
        return tr("99 % of %1 holds end within %2, but the lease lasts %3. %4 dead holders kept others "
                  "waiting "
                  "for %5.")
            .arg(count(advice, "holds"), length(advice, "p99_us"), ttl, count(advice, "dead"),
                 length(advice, "cost_us"));
    case AdviceCode::RenewalTooLate:
        return tr("The holder renews every %1, and the lease lasts %2: after one missed renewal the lock is "
                  "lost.")
            .arg(length(advice, "interval_us"), ttl);
    default:
        return tr("Holds without an expiry: %1. The longest lasted %2.")
            .arg(count(advice, "holds"), length(advice, "longest_us"));
    }
}

QString AdviceFormatter::holdEvidence(const Advice &advice)
{
    if (advice.code == AdviceCode::NeverContended)
        return tr("One holder took the lock %1 times in %2, and no client ever waited for it.")
            .arg(count(advice, "holds"), length(advice, "observed_us"));
    if (advice.code == AdviceCode::OppositeOrders)
        return tr("%1 times a holder of the first lock took the second, and %2 times it was the other way "
                  "round.")
            .arg(count(advice, "first_order"), count(advice, "second_order"));
    const QString holder =
        advice.holder.isEmpty() ? tr("an unknown holder") : base::displayText(advice.holder);
    const QString text =
        figure(advice, "held") != 0
            ? tr("%1 has held the lock for %2 and still holds it. 99 % of %3 other holds ended "
                 "within %4.")
            : tr("%1 held the lock for %2. 99 % of %3 other holds ended within %4.");
    return text.arg(holder, length(advice, "longest_us"), count(advice, "holds"), length(advice, "p99_us"));
}

QString AdviceFormatter::waitEvidence(const Advice &advice)
{
    switch (advice.code) {
    case AdviceCode::PollsTooSlowly:
        return tr("At half of %1 hand-overs the lock stayed free for %2 or more although somebody waited: %3 "
                  "of the time.")
            .arg(count(advice, "hand_overs"), length(advice, "gap_us"), percent(advice, "idle_permille"));
    case AdviceCode::PollsTooFast:
        return tr("%1 clients race for the lock: it is held for %2 of the time, and half of %3 hand-overs "
                  "take "
                  "%4 or less.")
            .arg(count(advice, "holders"), percent(advice, "held_permille"), count(advice, "hand_overs"),
                 length(advice, "gap_us"));
    case AdviceCode::ClientClockOff: {
        const qint64 us = figure(advice, "offset_us");
        const QString off = duration(std::abs(us));
        return us > 0 ? tr("At least one client's clock is %1 ahead of the store's.").arg(off)
                      : tr("At least one client's clock is %1 behind the store's.").arg(off);
    }
    default:
        return tr("Sessions waited %1 of %2 behind this statement: %3")
            .arg(length(advice, "waited_us"), length(advice, "all_waited_us"),
                 base::displayText(advice.statement));
    }
}

QString AdviceFormatter::evidence(const Advice &advice)
{
    switch (advice.code) {
    case AdviceCode::LeaseTooShort:
    case AdviceCode::LeaseTooLong:
    case AdviceCode::RenewalTooLate:
    case AdviceCode::NoExpiry:
        return leaseEvidence(advice);
    case AdviceCode::UnusuallyLongHold:
    case AdviceCode::NeverContended:
    case AdviceCode::OppositeOrders:
        return holdEvidence(advice);
    case AdviceCode::PollsTooSlowly:
    case AdviceCode::PollsTooFast:
    case AdviceCode::ClientClockOff:
    case AdviceCode::ChainHeadStatement:
        return waitEvidence(advice);
    case AdviceCode::Unknown:
        break;
    }
    return tr("The agent is newer than this program, which doesn't know this advice.");
}

QString AdviceFormatter::change(const Advice &advice)
{
    const QString ttl = duration(advice.ttlUs.value_or(0));
    switch (advice.code) {
    case AdviceCode::LeaseTooShort:
        return tr("Use a lease of %1, or renew the lock while the work runs.").arg(ttl);
    case AdviceCode::LeaseTooLong:
        return tr("Use a lease of %1, and renew the lock if the work takes longer.").arg(ttl);
    case AdviceCode::RenewalTooLate:
        return tr("Renew after a third of the lease, or use a lease of %1.").arg(ttl);
    case AdviceCode::PollsTooSlowly:
        return tr("Let clients wait for a notification, or poll more often.");
    case AdviceCode::PollsTooFast:
        return tr("Use a lock with a queue or notifications, or retry with random back-off.");
    case AdviceCode::UnusuallyLongHold:
        return tr("Check what this holder does, and limit the time of its work.");
    case AdviceCode::NeverContended:
        return tr("Check whether the work still needs this lock.");
    case AdviceCode::NoExpiry:
        return tr("Set the expiry in the command that takes the lock.");
    case AdviceCode::OppositeOrders:
        return tr("Take the two locks in the same order everywhere.");
    case AdviceCode::ClientClockOff:
        return tr("Synchronise the clients' clocks, or write times by the store's clock.");
    case AdviceCode::ChainHeadStatement:
        return tr(
            "Shorten the transaction with this statement, or commit before it waits for anything else.");
    case AdviceCode::Unknown:
        break;
    }
    return tr("Update this program.");
}

} // namespace lockkeeper::app::words
