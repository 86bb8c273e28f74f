// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/overview/overview_formatter.h"

#include "shared/base/text.h"

#include <algorithm>

namespace lockkeeper::app::overview {

namespace {
constexpr qsizetype kMostNamed = 3; ///< sources in a sentence
}

QString OverviewFormatter::unseen(const QList<UnseenSource> &sources, qint64 wallUs, const Duration &duration)
{
    QStringList texts;
    for (const UnseenSource &source : sources.first(std::min<qsizetype>(kMostNamed, sources.size())))
        texts.append(source.sinceWallUs
                         ? tr("%1 not seen for %2")
                               .arg(base::displayText(source.name),
                                    duration(std::max<qint64>(0, wallUs - *source.sinceWallUs)))
                         : tr("%1 never seen").arg(base::displayText(source.name)));
    if (sources.size() > kMostNamed)
        texts.append(tr("%1 more not seen", "sources").arg(sources.size() - kMostNamed));
    return texts.join(tr("; ", "between parts of the verdict"));
}

QString OverviewFormatter::doubted(const QList<DoubtedSource> &sources)
{
    QStringList texts;
    for (const DoubtedSource &source : sources.first(std::min<qsizetype>(kMostNamed, sources.size()))) {
        const QString name = base::displayText(source.name);
        texts.append(source.late ? tr("%1 may show an older state").arg(name)
                                 : tr("%1 seen in part").arg(name));
    }
    if (sources.size() > kMostNamed)
        texts.append(tr("%1 more seen in part or late", "sources").arg(sources.size() - kMostNamed));
    return texts.join(tr("; ", "between parts of the verdict"));
}

QString OverviewFormatter::verdict(const Overview &overview, qint64 wallUs, const Duration &duration)
{
    QStringList parts;
    if (!overview.unseen.isEmpty())
        parts.append(unseen(overview.unseen, wallUs, duration));
    if (!overview.doubted.isEmpty())
        parts.append(doubted(overview.doubted));
    if (overview.unreadable > 0)
        parts.append(tr("%L1 unreadable", "locks").arg(overview.unreadable));
    if (overview.stuck > 0)
        parts.append(tr("%L1 stuck", "locks").arg(overview.stuck));
    if (overview.expired > 0)
        parts.append(tr("%L1 expired", "locks").arg(overview.expired));
    if (overview.contended > 0)
        parts.append(overview.longestWaitUs
                         ? tr("%L1 contended, %L2 waiting, the longest for %3", "locks, who wait")
                               .arg(overview.contended)
                               .arg(overview.waiting)
                               .arg(duration(*overview.longestWaitUs))
                         : tr("%L1 contended, %L2 waiting", "locks, who wait")
                               .arg(overview.contended)
                               .arg(overview.waiting));
    if (overview.isFine())
        parts.append(overview.sources == 0                        ? tr("no source is configured")
                     : overview.unseen.size() == overview.sources ? tr("no source is observed")
                                                                  : tr("no problem in the observed sources"));
    QString sentence = parts.join(tr("; ", "between parts of the verdict"));
    if (overview.unseen.isEmpty() && overview.doubted.isEmpty()) // a source's name isn't changed
        sentence[0] = sentence.at(0).toUpper();
    return sentence;
}

const char *OverviewFormatter::englishWhy(Why why)
{
    switch (why) {
    case Why::Unreadable:
        return QT_TR_NOOP("what is stored makes no sense");
    case Why::Undecided:
        return QT_TR_NOOP("only the primary knows whether it is held");
    case Why::NoExpiry:
        return QT_TR_NOOP("never expires");
    case Why::NoSignOfLife:
        return QT_TR_NOOP("no sign of life");
    case Why::HolderGone:
        return QT_TR_NOOP("its holder is dead");
    case Why::Expired:
        return QT_TR_NOOP("past its deadline");
    case Why::WaitedFor:
        return QT_TR_NOOP("waited for");
    }
    return "";
}

QString OverviewFormatter::why(Why why)
{
    return tr(englishWhy(why));
}

} // namespace lockkeeper::app::overview
