// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/stores/store_choice.h"

#include "app/cli/command.h"
#include "shared/base/nearest.h"
#include "shared/base/text.h"
#include "shared/config/sources.h"
#include "shared/config/toml_file.h"
#include "shared/stores/host_list.h"
#include "shared/stores/set_owners.h"

#include <QDir>
#include <QFileInfo>
#include <QUrlQuery>

namespace lockkeeper::app::cli {

using base::ErrorCode;
using base::failure;
using base::Result;
using stores::LockSet;
using stores::SourceSpec;

namespace {

/** The first mistake; with its line if it comes from a file. */
tl::unexpected<base::Error> refused(const QList<config::Problem> &problems)
{
    const config::Problem first = problems.value(0);
    if (first.line == 0 && first.file.isEmpty())
        return tl::unexpected(first.error);
    return failure(ErrorCode::Usage, first.text());
}

/** The options in the form of a configuration, with the same checks. */
Result<SourceSpec> fromUrl(const StoreOptions &options)
{
    if (const auto url = storeUrl(options.url); !url)
        return tl::unexpected(url.error());
    toml::table set;
    if (!options.scheme.isEmpty())
        set.insert("scheme", options.scheme.toStdString());
    if (!options.table.isEmpty())
        set.insert("table", options.table.toStdString());
    else if (options.scheme == QLatin1String("sql.shedlock"))
        set.insert("table", "shedlock");
    toml::table source{{"name", "run"}, {"url", options.url.toStdString()}, {"locks", toml::array{set}}};
    if (!options.password.isEmpty())
        source.insert("password", options.password.toStdString());
    config::Problems problems;
    SourceSpec spec = config::readSource(source, QDir::currentPath(), problems);
    if (!problems.list.isEmpty())
        return refused(problems.sorted());
    return spec;
}

Result<SourceSpec> fromFile(const StoreOptions &options)
{
    const auto text = config::readFile(options.config);
    if (!text)
        return refused({text.error()});
    const auto root = config::parseToml(*text, options.config);
    if (!root)
        return refused({root.error()});
    config::Problems problems{options.config, {}};
    QStringList known;
    const toml::array *sources = root->get_as<toml::array>("source");
    for (size_t i = 0; sources != nullptr && i < sources->size(); ++i) {
        const toml::table *source = sources->get(i)->as_table();
        const auto name = source == nullptr ? std::nullopt : (*source)["name"].value<std::string>();
        if (!name)
            continue;
        known.append(QString::fromStdString(*name));
        if (known.last() != options.source)
            continue;
        SourceSpec spec = config::readSource(*source, QFileInfo(options.config).absolutePath(), problems);
        if (!problems.list.isEmpty())
            return refused(problems.sorted());
        return spec;
    }
    return failure(ErrorCode::Usage,
                   tr("%1 has no source \"%2\"")
                       .arg(base::displayText(options.config), base::displayText(options.source)),
                   known.isEmpty() ? QString() : tr("Use one of: %1").arg(known.join(QLatin1String(", "))));
}

QString shown(const LockSet &set)
{
    return QString::fromLatin1(set.scheme) +
           (set.table.table.isEmpty() ? QString() : QLatin1Char(' ') + set.table.table);
}

} // namespace

Result<QUrl> storeUrl(const QString &text)
{
    const QUrl url = stores::urlOf(text);
    if (!url.isValid() || url.scheme().isEmpty())
        return failure(ErrorCode::Usage, tr("the store's address is not a URL"),
                       tr("Write for example mysql://USER@HOST:3306/DATABASE"));
    if (!url.password().isEmpty() || QUrlQuery(url).hasQueryItem(QStringLiteral("password")))
        return failure(ErrorCode::Usage, tr("the store's address contains a password"),
                       tr("Remove it and add --password env:NAME or --password file:PATH"));
    return url;
}

Result<SourceSpec> chooseStore(const StoreOptions &options, const QByteArray &name)
{
    auto spec = options.config.isEmpty() ? fromUrl(options) : fromFile(options);
    if (spec && !options.acl.isEmpty()) {
        if (spec->url.scheme() != QLatin1String("zookeeper"))
            return failure(ErrorCode::Usage, tr("--acl is for locks in ZooKeeper alone"));
        QUrlQuery query(spec->url);
        query.removeAllQueryItems(QStringLiteral("acl"));
        query.addQueryItem(QStringLiteral("acl"), QString::fromLatin1(QUrl::toPercentEncoding(options.acl)));
        spec->url.setQuery(query);
    }
    if (!spec || options.config.isEmpty())
        return spec;
    QList<LockSet> fitting;
    QStringList all;
    const stores::SetOwners owners(spec->locks);
    for (qsizetype i = 0; i < spec->locks.size(); ++i) {
        const LockSet &set = spec->locks.at(i);
        all.append(shown(set));
        if ((options.scheme.isEmpty() || options.scheme.toLatin1() == set.scheme) &&
            (options.table.isEmpty() || options.table == set.table.table) &&
            base::globMatches(set.match, name) && owners.owns(quint16(i), name))
            fitting.append(set);
    }
    if (fitting.size() == 1) {
        spec->locks = fitting;
        return spec;
    }
    const QString sets = tr("The source has: %1").arg(all.join(QLatin1String(", ")));
    if (fitting.isEmpty())
        return failure(ErrorCode::Usage,
                       tr("no lock set of the source \"%1\" matches this lock").arg(options.source), sets);
    return failure(ErrorCode::Usage,
                   tr("several lock sets of the source \"%1\" match this lock: add --scheme or --table")
                       .arg(options.source),
                   sets);
}

} // namespace lockkeeper::app::cli
