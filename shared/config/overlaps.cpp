// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/base/text.h"
#include "shared/config/sources.h"
#include "shared/stores/set_owners.h"
#include "shared/stores/sql/catalogue/preset.h"

#include <toml++/toml.h>

namespace lockkeeper::config {

using base::displayText;
using base::GlobRelation;
using stores::ApprovalMode;
using stores::BreakMode;
using stores::LockSet;

namespace {

/** A lock set and its place in the file. */
struct Written
{
    LockSet &set;
    const toml::table &table;

    int line(const char *key) const
    {
        const toml::node *node = table.get(key);
        return int((node ? node : static_cast<const toml::node *>(&table))->source().begin.line);
    }
};

QString word(ApprovalMode mode)
{
    return mode == ApprovalMode::Always ? QStringLiteral("always")
           : mode == ApprovalMode::Live ? QStringLiteral("live")
                                        : QStringLiteral("never");
}

void refuse(const Written &first, const Written &second, GlobRelation relation, Problems &problems)
{
    const QString match = displayText(first.set.match);
    if (relation == GlobRelation::Same)
        problems.add(second.line("match"),
                     QStringLiteral("the lock sets of lines %1 and %2 match the same locks: \"%3\"")
                         .arg(first.line("match"))
                         .arg(second.line("match"))
                         .arg(match),
                     QStringLiteral("Remove one of them, or narrow its \"match\"."));
    else
        problems.add(
            second.line("match"),
            QStringLiteral("\"%1\" (line %2) and \"%3\" (line %4) overlap, and neither contains the other")
                .arg(match)
                .arg(first.line("match"))
                .arg(displayText(second.set.match))
                .arg(second.line("match")),
            QStringLiteral("Narrow one \"match\": each lock belongs to one lock set."));
}

/** Reports two sets that name the rows of one table by different columns: their locks can't be compared. */
bool haveOneNaming(const Written &first, const Written &second, Problems &problems)
{
    if (!first.set.scheme.startsWith("sql.") || first.set.scheme == "sql.advisory" ||
        first.set.scheme == "sql.row")
        return true;
    const auto a = stores::sql::layoutOf(first.set);
    const auto b = stores::sql::layoutOf(second.set);
    if (!a || !b || a->names == b->names)
        return true;
    problems.add(
        second.line("name"),
        QStringLiteral("the lock sets of lines %1 and %2 name the rows of one table by other columns")
            .arg(first.line("name"))
            .arg(second.line("name")),
        QStringLiteral("Give both the same \"name\", or remove one of them."));
    return false;
}

/** Reports a key of the narrower set that would weaken a restriction of the wider set. */
void refuseWeaker(const Written &wide, const Written &narrow, const char *key, const QString &mine,
                  const QString &other, Problems &problems)
{
    if (narrow.table.contains(key))
        problems.add(
            narrow.line(key),
            QStringLiteral(
                "%1 = \"%2\" would weaken %1 = \"%3\" of line %4, whose \"match\" covers these locks too")
                .arg(QLatin1String(key), mine, other)
                .arg(wide.line(key)),
            QStringLiteral("Remove it, or narrow the other \"match\"."));
}

/** Applies the wider set's restriction to the narrower set, which owns the locks. */
void inheritBreak(const Written &wide, const Written &narrow, Problems &problems)
{
    LockSet &set = narrow.set;
    if (wide.set.breakMode != BreakMode::Never || set.breakMode == BreakMode::Never)
        return;
    const QString mine =
        set.breakMode == BreakMode::Unsafe ? QStringLiteral("unsafe") : QStringLiteral("guarded");
    refuseWeaker(wide, narrow, "break", mine, QStringLiteral("never"), problems);
    set.breakMode = BreakMode::Never;
    if (set.reaper.mode != stores::ReaperMode::Off)
        problems.add(
            narrow.line("reaper"),
            QStringLiteral(
                "\"reaper\" contradicts break = \"never\" of line %1, whose \"match\" covers these locks too")
                .arg(wide.line("break")),
            QStringLiteral("Remove one of them, or narrow the other \"match\"."));
}

/** Applies only if the narrower set's locks can be broken at all. */
void inheritApproval(const Written &wide, const Written &narrow, Problems &problems)
{
    LockSet &set = narrow.set;
    if (set.breakMode == BreakMode::Never || set.approval >= wide.set.approval)
        return;
    refuseWeaker(wide, narrow, "approval", word(set.approval), word(wide.set.approval), problems);
    set.approval = wide.set.approval;
}

using Inherit = void (*)(const Written &wide, const Written &narrow, Problems &problems);

void inheritAll(Inherit inherit, const QList<stores::SetOverlap> &overlaps,
                const QList<const toml::table *> &tables, QList<LockSet> &sets, Problems &problems)
{
    for (const stores::SetOverlap &overlap : overlaps) {
        const Written first{sets[overlap.first], *tables.at(overlap.first)};
        const Written second{sets[overlap.second], *tables.at(overlap.second)};
        if (overlap.relation == GlobRelation::Wider)
            inherit(first, second, problems);
        else if (overlap.relation == GlobRelation::Narrower)
            inherit(second, first, problems);
    }
}

} // namespace

void settleOverlaps(const QList<const toml::table *> &tables, QList<LockSet> &sets, Problems &problems)
{
    QList<stores::SetOverlap> overlaps = stores::overlapsOf(sets, stores::configuredPlaces(sets));
    overlaps.removeIf([&](const stores::SetOverlap &overlap) {
        const Written first{sets[overlap.first], *tables.at(overlap.first)};
        const Written second{sets[overlap.second], *tables.at(overlap.second)};
        if (first.set.scheme.isEmpty() || second.set.scheme.isEmpty() ||
            !haveOneNaming(first, second, problems))
            return true;
        if (overlap.relation == GlobRelation::Same || overlap.relation == GlobRelation::Crossing)
            refuse(first, second, overlap.relation, problems);
        return false;
    });
    inheritAll(&inheritBreak, overlaps, tables, sets, problems);
    inheritAll(&inheritApproval, overlaps, tables, sets, problems);
}

} // namespace lockkeeper::config
