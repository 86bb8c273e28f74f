// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/discover/source_section.h"

#include "shared/base/text.h"
#include "shared/stores/host_list.h"
#include "shared/stores/set_owners.h"

#include <QFileInfo>
#include <QUrlQuery>

#include <algorithm>
#include <utility>

namespace lockkeeper::stores::discover {

namespace {

void addLine(QString &text, const QString &indent, const QByteArray &key, const QString &value)
{
    text += indent + QString::fromLatin1(key) + QStringLiteral(" = ") + value + QLatin1Char('\n');
}

QString tomlList(const QStringList &texts)
{
    QStringList quoted;
    for (const QString &text : texts)
        quoted.append(tomlString(text));
    return texts.size() == 1 ? quoted.first()
                             : QLatin1Char('[') + quoted.join(QLatin1String(", ")) + QLatin1Char(']');
}

QString lockSection(const Candidate &candidate)
{
    const QString indent(2, QLatin1Char(' '));
    QString text = indent + QStringLiteral("[[source.locks]]\n");
    if (candidate.preset.isEmpty())
        addLine(text, indent, "scheme", tomlString(QString::fromLatin1(candidate.scheme)));
    else
        addLine(text, indent, "preset", tomlString(candidate.preset));
    if (!candidate.match.isEmpty()) {
        addLine(text, indent, "match", tomlString(QString::fromUtf8(candidate.match)));
        for (const Setting &one : candidate.settings)
            addLine(text, indent, one.key, tomlString(one.value));
        if (candidate.neverBroken)
            addLine(text, indent, "break", tomlString(QStringLiteral("never")));
        return text;
    }
    const TableMapping &mapping = candidate.config;
    if (candidate.scheme != "sql.advisory") // those belong to no table
        addLine(text, indent, "table", tomlString(mapping.table));
    if (!mapping.name.isEmpty())
        addLine(text, indent, "name", tomlList(mapping.name));
    for (const MappedColumn &column : mappedColumns(mapping)) {
        if (column.key == "name")
            continue;
        addLine(text, indent, column.key, tomlString(column.column));
        const QString unit = mapping.units.value(QString::fromLatin1(column.key));
        if (!unit.isEmpty())
            addLine(text, indent, column.key + "_unit", tomlString(unit));
    }
    if (!mapping.heldValue.isEmpty())
        addLine(text, indent, "held_value", tomlString(mapping.heldValue));
    if (!mapping.freeValue.isEmpty())
        addLine(text, indent, "free_value", tomlString(mapping.freeValue));
    if (mapping.leaseUs)
        addLine(text, indent, "lease", tomlString(base::formatDuration(*mapping.leaseUs)));
    if (candidate.neverBroken)
        addLine(text, indent, "break", tomlString(QStringLiteral("never")));
    return text;
}

bool isHere(const QString &host)
{
    return host.isEmpty() || host == QLatin1String("localhost") || host.startsWith(QLatin1String("127."));
}

/** Databases of Redis have numbers: the server's name says more. With sentinels, it is the name by which they
 * know the primary. */
QString redisName(const QUrl &url)
{
    if (url.scheme() == QLatin1String("redis+sentinel"))
        return url.path(QUrl::FullyDecoded).section(QLatin1Char('/'), 1, 1);
    const QString kind = isRedlock(url)                                   ? QStringLiteral("redlock")
                         : url.scheme() == QLatin1String("redis+cluster") ? QStringLiteral("redis-cluster")
                                                                          : QStringLiteral("redis");
    const bool socket = url.scheme().endsWith(QLatin1String("+unix"));
    const QString database = socket ? QUrlQuery(url).queryItemValue(QStringLiteral("db")) : url.path().mid(1);
    const QString name = socket ? QFileInfo(url.path()).completeBaseName() : url.host();
    const QString server = isHere(name) ? kind : name;
    return database.isEmpty() || database == QLatin1String("0") ? server
                                                                : server + QStringLiteral("-db") + database;
}

} // namespace

QString urlText(const QUrl &url)
{
    return hostsOf(url).size() > 1 ? textOf(url) : url.toString(QUrl::RemovePassword | QUrl::FullyEncoded);
}

QString tomlString(const QString &text)
{
    QString quoted(QLatin1Char('"'));
    for (const QChar c : text) {
        if (c == QLatin1Char('"') || c == QLatin1Char('\\'))
            quoted += QLatin1Char('\\') + c;
        else if (c.unicode() < 0x20 || (c.unicode() >= 0x7f && c.unicode() < 0xa0) ||
                 c.category() == QChar::Other_Format || c.category() == QChar::Separator_Line ||
                 c.category() == QChar::Separator_Paragraph) // its effect on a line would be invisible
            quoted += QStringLiteral("\\u%1").arg(c.unicode(), 4, 16, QLatin1Char('0'));
        else
            quoted += c;
    }
    return quoted + QLatin1Char('"');
}

QString commentLines(const QStringList &lines, const QString &indent)
{
    QString text;
    for (const QString &line : lines) {
        // displayText(): a name with a newline in it would end the comment.
        const QString shown = base::displayText(line);
        text += indent + (shown.isEmpty() ? QStringLiteral("#") : QStringLiteral("# ") + shown) +
                QLatin1Char('\n');
    }
    return text;
}

namespace {
/** Reduces a name to what the configuration accepts: visible characters, 64 at most. */
QString visibleName(const QString &name)
{
    constexpr qsizetype kLongest = 64;
    return base::displayText(name).left(kLongest).trimmed();
}
} // namespace

QString sourceName(const QUrl &url)
{
    QString name;
    if (url.scheme() == QLatin1String("sqlite"))
        name = QFileInfo(url.path()).completeBaseName();
    else if (url.scheme().startsWith(QLatin1String("redis")) || isRedlock(url))
        name = redisName(url);
    else if (url.scheme().startsWith(QLatin1String("etcd")))
        name = isHere(hostsOf(url).value(0).name) ? QStringLiteral("etcd") : hostsOf(url).value(0).name;
    else if (url.scheme() == QLatin1String("zookeeper") && url.path().size() <= 1)
        name = isHere(hostsOf(url).value(0).name) ? url.scheme() : hostsOf(url).value(0).name;
    else if (url.scheme().endsWith(QLatin1String("+unix")))
        name = QUrlQuery(url).queryItemValue(QStringLiteral("db"), QUrl::FullyDecoded);
    else
        name = url.path(QUrl::FullyDecoded).mid(1);
    if (name.isEmpty())
        name = url.host();
    const QString shown = visibleName(name);
    return shown.isEmpty() ? url.scheme() : shown;
}

namespace {
/** Push selects changes by the prefix of names: a set without a prefix would have to be polled. */
bool canPush(const QList<Candidate> &chosen)
{
    return !chosen.isEmpty() && std::all_of(chosen.begin(), chosen.end(), [](const Candidate &candidate) {
        return std::any_of(candidate.reasons.begin(), candidate.reasons.end(),
                           [](const Reason &one) { return one.code == ReasonCode::KeyPrefix; });
    });
}
} // namespace

namespace {
/** "verify" alone is enough to ask a database for TLS; with Redis the URL has asked already. */
void addTls(QString &text, const SectionSource &source)
{
    for (const char *key : {"ca", "cert", "key"}) {
        const QString file = source.tls.value(QLatin1String(key));
        if (!file.isEmpty())
            addLine(text, {}, QByteArrayLiteral("tls_") + key, tomlString(file));
    }
    const QString verify = source.tls.value(QStringLiteral("verify"));
    const bool asked = source.url.scheme() == QLatin1String("rediss") && verify == QLatin1String("full");
    if (!verify.isEmpty() && !asked)
        addLine(text, {}, "tls_verify", tomlString(verify));
}
} // namespace

namespace {
/** Divides the candidates among as few sources as possible. Two sets that match the same locks, or that
 * overlap without one containing the other, can't share a source: each lock of a source belongs to one lock
 * set. */
QList<QList<Candidate>> partedBySource(const QList<Candidate> &chosen)
{
    QList<QList<Candidate>> parts{{}};
    QList<QList<LockSet>> sets{{}};
    for (const Candidate &candidate : chosen) {
        qsizetype part = 0;
        for (; part < parts.size(); ++part) {
            QList<LockSet> together = sets.at(part);
            together.append(lockSetOf(candidate));
            const QList<SetOverlap> overlaps = overlapsOf(together, configuredPlaces(together));
            if (std::none_of(overlaps.cbegin(), overlaps.cend(), [](const SetOverlap &overlap) {
                    return overlap.relation == base::GlobRelation::Same ||
                           overlap.relation == base::GlobRelation::Crossing;
                }))
                break;
        }
        if (part == parts.size()) {
            parts.append(QList<Candidate>());
            sets.append(QList<LockSet>());
        }
        parts[part].append(candidate);
        sets[part].append(lockSetOf(candidate));
    }
    return parts;
}

/** Where one source may not break a lock, another source that shows it may not either: see
 * config::compareSources(). */
void restrictAlike(QList<QList<Candidate>> &parts)
{
    QList<Candidate *> all;
    QList<LockSet> sets;
    QList<qsizetype> partOf;
    for (qsizetype part = 0; part < parts.size(); ++part) {
        for (Candidate &candidate : parts[part]) {
            all.append(&candidate);
            sets.append(lockSetOf(candidate));
            partOf.append(part);
        }
    }
    const auto inherit = [&all](quint16 from, quint16 to) {
        return all.at(from)->neverBroken && !std::exchange(all.at(to)->neverBroken, true);
    };
    const QList<SetOverlap> overlaps = overlapsOf(sets, configuredPlaces(sets));
    for (bool changed = true; std::exchange(changed, false);) {
        for (const SetOverlap &overlap : overlaps) {
            const bool apart = partOf.at(overlap.first) != partOf.at(overlap.second);
            if (apart || overlap.relation == base::GlobRelation::Wider)
                changed = inherit(overlap.first, overlap.second) || changed;
            if (apart || overlap.relation == base::GlobRelation::Narrower)
                changed = inherit(overlap.second, overlap.first) || changed;
        }
    }
}

QString sectionOf(const SectionSource &source, const QString &suffix, const QString &schema,
                  const QList<Candidate> &chosen, const Explain &explain)
{
    QString text = QStringLiteral("[[source]]\n");
    QString name = source.name.isEmpty() ? sourceName(source.url) : source.name;
    if (!schema.isEmpty())
        name += QLatin1Char('-') + schema;
    name = schema.isEmpty() ? name : visibleName(name);
    addLine(text, {}, "name", tomlString(name + suffix));
    addLine(text, {}, "url", tomlString(urlText(urlOf(source.url, schema))));
    if (!source.passwordReference.isEmpty())
        addLine(text, {}, "password", tomlString(source.passwordReference));
    addTls(text, source);
    addLine(text, {}, "poll_ms", QString::number(source.pollMs));
    if (canPush(chosen))
        addLine(text, {}, "push", QStringLiteral("true"));
    if (!source.timeZone.isEmpty())
        addLine(text, {}, "time_zone", tomlString(source.timeZone));
    if (source.clientClock)
        addLine(text, {}, "clock", tomlString(QStringLiteral("client")));
    for (const Candidate &candidate : chosen) {
        text += QLatin1Char('\n');
        text += commentLines(explain(candidate), QStringLiteral("  "));
        text += lockSection(candidate);
    }
    return text;
}
} // namespace

QString sourceSection(const SectionSource &source, const QList<Candidate> &chosen, const Explain &explain)
{
    QStringList schemas{QString()};
    for (const Candidate &candidate : chosen) {
        if (!schemas.contains(candidate.schema))
            schemas.append(candidate.schema);
    }
    QStringList sections;
    for (const QString &schema : std::as_const(schemas)) {
        QList<Candidate> there;
        std::copy_if(chosen.begin(), chosen.end(), std::back_inserter(there),
                     [&schema](const Candidate &candidate) { return candidate.schema == schema; });
        if (there.isEmpty() && !chosen.isEmpty())
            continue;
        QList<QList<Candidate>> parts = partedBySource(there);
        restrictAlike(parts);
        int number = 0;
        for (const QList<Candidate> &part : std::as_const(parts)) {
            const QString suffix = ++number == 1 ? QString() : QStringLiteral("-%1").arg(number);
            sections.append(sectionOf(source, suffix, schema, part, explain));
        }
    }
    return sections.join(QLatin1Char('\n'));
}

} // namespace lockkeeper::stores::discover
