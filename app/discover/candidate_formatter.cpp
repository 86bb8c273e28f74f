// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/discover/candidate_formatter.h"

#include "app/words/scheme_words.h"
#include "shared/base/text.h"

namespace lockkeeper::app::discover {

using base::displayText;
using namespace stores::discover;

QString CandidateFormatter::unit(const QString &unit)
{
    if (unit == QLatin1String("epoch_ms"))
        return tr("milliseconds");
    if (unit == QLatin1String("epoch_us"))
        return tr("microseconds");
    return tr("seconds");
}

/** Reasons that name a column and its part. */
QString CandidateFormatter::column(const Reason &reason)
{
    const QString column = displayText(reason.column);
    const QString type = displayText(reason.value);
    switch (reason.code) {
    case ReasonCode::Name:
        return tr("“%1” (%2) names the lock").arg(column, type);
    case ReasonCode::NameUnique:
        return tr("“%1” is unique").arg(column);
    case ReasonCode::Holder:
        return tr("“%1” (%2) names the holder").arg(column, type);
    case ReasonCode::AcquiredAt:
        return tr("“%1” (%2) is the time of the acquisition").arg(column, type);
    case ReasonCode::RenewedAt:
        return tr("“%1” (%2) is the time of the last renewal").arg(column, type);
    case ReasonCode::ExpiresAt:
        return tr("“%1” (%2) is the time of the expiry").arg(column, type);
    case ReasonCode::Timeout:
        if (column.isEmpty())
            return tr("check: no column holds the length of a lease; %1 is the client's default").arg(type);
        return tr("“%1” (%2) is the longest time that it may be held").arg(column, type);
    case ReasonCode::Id:
        return tr("“%1” (%2) distinguishes one acquisition from the next").arg(column, type);
    case ReasonCode::Count:
        return tr("“%1” (%2) counts how often the holder has entered").arg(column, type);
    case ReasonCode::Version:
        return tr("“%1” (%2) grows with every change").arg(column, type);
    case ReasonCode::Status:
        return tr("“%1” (%2) is the state, held or free").arg(column, type);
    default:
        return doubt(reason);
    }
}

/** The missing identity isn't mentioned here: it has a separate reason. */
QString CandidateFormatter::notTold(const QString &codes)
{
    QStringList words;
    for (const QString &code : codes.split(QLatin1String(", "))) {
        if (code == QLatin1String("holder"))
            words.append(tr("the holder", "not told"));
        else if (code == QLatin1String("time") || code == QLatin1String("acquisition time"))
            words.append(tr("since when", "not told"));
        else if (code == QLatin1String("expiry"))
            words.append(tr("until when", "not told"));
        else if (code == QLatin1String("waiters"))
            words.append(tr("who waits", "not told"));
    }
    return words.join(QLatin1String(", "));
}

/** The points that the user should check, and those that speak against the candidate. */
QString CandidateFormatter::doubt(const Reason &reason)
{
    const QString column = displayText(reason.column);
    switch (reason.code) {
    case ReasonCode::UnitSeen:
        return tr("“%1” counts %2, by its values").arg(column, unit(reason.value));
    case ReasonCode::UnitNamed:
        return tr("“%1” counts %2, by its name").arg(column, unit(reason.value));
    case ReasonCode::UnitAssumed:
        return tr("check: the unit of “%1” is unknown; %2 is assumed").arg(column, unit(reason.value));
    case ReasonCode::ZoneAssumed:
        return tr("check: “%1” has no time zone; taken for UTC unless time_zone says otherwise").arg(column);
    case ReasonCode::ZoneAhead:
        return tr("check: values of “%1” lie up to %2 ahead of UTC; set time_zone to the application's")
            .arg(column, displayText(reason.value));
    case ReasonCode::ClientClock:
        return tr("check: values of “%1” lie up to %2 ahead of the store's clock; if the application writes "
                  "its "
                  "own time, set clock = \"client\"")
            .arg(column, displayText(reason.value));
    case ReasonCode::GivenBack:
        return tr("released rows have “%1” near 1970: such a row is a free lock").arg(column);
    case ReasonCode::ForeignColumn:
        return tr("against it: “%1” is a column of other kinds of tables").arg(column);
    default:
        return {};
    }
}

QString CandidateFormatter::reason(const Reason &reason)
{
    const QString value = displayText(reason.value);
    switch (reason.code) {
    case ReasonCode::PresetTable:
        return tr("table and columns are those of the preset “%1”").arg(value);
    case ReasonCode::PresetColumns:
        return tr("the columns are those of the preset “%1”, under another table name").arg(value);
    case ReasonCode::AlsoPreset:
        if (reason.column == kKeys)
            return tr("check: the keys also match the preset “%1”; with that preset a break wakes waiting "
                      "clients")
                .arg(value);
        return tr("check: the columns also match “%1”; only the application's code can decide between them")
            .arg(value);
    case ReasonCode::TableName:
        return tr("the table is named after locks");
    case ReasonCode::NameTable:
        return tr("no column names a lock: the table is one");
    case ReasonCode::RowsStay:
        if (reason.value == kEmptyWhenFree)
            return tr("rows stay when the lock is free: “%1” is empty then").arg(displayText(reason.column));
        return tr("rows outlive their lock: a past “%1” is a free lock").arg(displayText(reason.column));
    case ReasonCode::RowsGo:
        return tr("check: an existing row counts as held; releasing deletes it");
    case ReasonCode::RowLocks:
        if (reason.value == kAnchor)
            return tr("check: no row was seen to come or go, so the rows count as permanent rows that "
                      "clients lock (SELECT … FOR UPDATE); if a holder inserts its row and deletes it, "
                      "write scheme = \"sql.insert\"");
        return tr("the lock is a row lock (SELECT … FOR UPDATE) on this table");
    case ReasonCode::NotTold:
        return tr("not recorded by this layout: %1").arg(notTold(reason.value));
    case ReasonCode::NoIdentity:
        return tr("check: nothing in a row distinguishes one acquisition from the next: it can't be broken "
                  "unless break = \"unsafe\"");
    case ReasonCode::NeverBroken:
        return tr("it is not broken (break = \"never\"): the next client would do its work a second time");
    case ReasonCode::Advisory:
        return tr("held or waited for at the moment: %1").arg(value);
    case ReasonCode::ForeignTable:
        return tr("against it: the table's name means something else");
    case ReasonCode::OtherColumns:
        return tr("against it: columns without a part in locking: %1").arg(value);
    default:
        return reason.code >= ReasonCode::KeyName ? key(reason) : column(reason);
    }
}

QString CandidateFormatter::missing(Missing missing)
{
    switch (missing) {
    case Missing::UniqueName:
        return tr("no column with a unique index names the lock");
    case Missing::Evidence:
        return tr("neither the table's name nor its columns speak of locks");
    case Missing::Ordinary:
        return tr("its columns are those of another kind of table");
    case Missing::Support:
        return tr("this store can't show such locks");
    case Missing::Refused:
        return tr("the agent wouldn't accept it");
    case Missing::Unseen:
        return tr("such locks aren't visible on this server");
    case Missing::KeyEvidence:
        return tr("too little in names and values speaks of locks");
    case Missing::KeyShape:
        return tr("no scheme reads what these keys hold");
    }
    return {};
}

QString CandidateFormatter::unsupported(const Candidate &candidate)
{
    if (candidate.scheme == "sql.row")
        return tr("its rows count as permanent rows that clients lock (SELECT … FOR UPDATE), and SQLite has "
                  "no row locks; if a holder inserts its row and deletes it, write scheme = "
                  "\"sql.insert\"");
    if (candidate.scheme.startsWith("mongodb."))
        return tr("a lock is read as a document that exists while the lock is held, and that one field "
                  "names. These documents stay when the lock is free, or several fields name them");
    if (candidate.scheme.startsWith("redis."))
        return tr("Redlock reads tokens only, and these keys hold something else");
    return missing(Missing::Support);
}

QString CandidateFormatter::confidence(int score)
{
    if (score >= 90)
        return tr("certain");
    return score >= 75 ? tr("likely") : tr("unsure");
}

QString CandidateFormatter::access(const domain::Access &access)
{
    if (access.granted)
        return access.forBreaking ? tr("may force-release") : tr("may observe");
    const QString remedy = displayText(access.remedy);
    if (access.forBreaking)
        return remedy.isEmpty() ? tr("missing to force-release")
                                : tr("missing to force-release; run: %1").arg(remedy);
    return remedy.isEmpty() ? tr("missing to observe") : tr("missing to observe; run: %1").arg(remedy);
}

bool CandidateFormatter::isByHand(const Candidate &candidate)
{
    return candidate.score == 0 && candidate.reasons.isEmpty();
}

QStringList CandidateFormatter::explain(const Candidate &candidate)
{
    if (isByHand(candidate))
        return {tr("%1: added by hand; %2", "pattern, how the lock works")
                    .arg(displayText(candidate.subject()), words::SchemeWords::layout(candidate.scheme))};
    QStringList lines{tr("%1: %2 of 100, %3; %4", "table, score, confidence, how the lock works")
                          .arg(displayText(candidate.subject()), QString::number(candidate.score),
                               confidence(candidate.score), words::SchemeWords::layout(candidate.scheme))};
    for (const Reason &one : candidate.reasons)
        lines.append(QStringLiteral("- ") + reason(one));
    for (const domain::Access &one : candidate.access) {
        if (!one.granted)
            lines.append(QStringLiteral("- ") + access(one));
    }
    return lines;
}

QString CandidateFormatter::nearMiss(const Candidate &candidate, const QString &refusal)
{
    QStringList why;
    for (const Missing one : candidate.missing) {
        const bool caused = one == Missing::Refused || one == Missing::Unseen;
        why.append(caused                    ? tr("%1: %2", "what, cause").arg(missing(one), refusal)
                   : one == Missing::Support ? unsupported(candidate)
                                             : missing(one));
    }
    for (const Reason &one : candidate.reasons) {
        if (one.points < 0)
            why.append(reason(one));
    }
    return tr("%1 (%2 of 100): %3", "table, score, why not")
        .arg(displayText(candidate.subject()), QString::number(candidate.score),
             why.join(QStringLiteral("; ")));
}

QString CandidateFormatter::summary(const Discovery &discovery)
{
    if (discovery.store == "etcd")
        return tr("%1. Keys scanned: %2, patterns recognised: %3, near misses: %4. Nothing was written to "
                  "the store.")
            .arg(displayText(discovery.server), QString::number(discovery.tables),
                 QString::number(discovery.found.size()), QString::number(discovery.near.size()));
    if (discovery.store == "zookeeper")
        return tr("%1. Znodes scanned: %2, patterns recognised: %3, near misses: %4. Nothing was written to "
                  "the store.")
            .arg(displayText(discovery.server), QString::number(discovery.tables),
                 QString::number(discovery.found.size()), QString::number(discovery.near.size()));
    if (discovery.store == "mongodb")
        return tr("%1, database “%2”. Collections scanned: %3, recognised: %4, near misses: %5. Nothing was "
                  "written to the store.")
            .arg(displayText(discovery.server), displayText(discovery.database),
                 QString::number(discovery.tables), QString::number(discovery.found.size()),
                 QString::number(discovery.near.size()));
    const QString text = hasKeys(discovery) ? tr("%1, database “%2”. Keys scanned: %3, patterns recognised: "
                                                 "%4, near misses: %5. Nothing was written to the store.")
                                            : tr("%1, database “%2”. Tables scanned: %3, recognised: %4, "
                                                 "near misses: %5. Nothing was written to the store.");
    return text.arg(displayText(discovery.server), displayText(discovery.database),
                    QString::number(discovery.tables), QString::number(discovery.found.size()),
                    QString::number(discovery.near.size()));
}

QString CandidateFormatter::nothing(const Discovery &discovery)
{
    if (discovery.store.isEmpty() || !discovery.found.isEmpty())
        return {};
    if (discovery.store == "mongodb")
        return tr("No collection of locks was recognised.");
    if (discovery.store == "zookeeper")
        return tr("No pattern of locks was recognised.");
    return hasKeys(discovery) ? tr("No pattern of lock keys was recognised.")
                              : tr("No table of locks was recognised.");
}

} // namespace lockkeeper::app::discover
