// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/store_options.h"

#include "shared/config/sources.h"
#include "shared/locks/lock_manager.h"
#include "shared/locks/sql/create_table.h"

#include <QDir>

#include <toml++/toml.h>
#include <utility>

namespace lockkeeper::locks {

using base::Result;

namespace {

void insert(toml::table &into, const char *key, const QString &text)
{
    if (!text.isEmpty())
        into.insert(key, text.toStdString());
}

void insert(toml::table &into, const QString &name, const QVariant &value)
{
    const std::string key = name.toStdString();
    switch (value.typeId()) {
    case QMetaType::Bool:
        into.insert(key, value.toBool());
        return;
    case QMetaType::Int:
    case QMetaType::UInt:
    case QMetaType::LongLong:
        into.insert(key, int64_t(value.toLongLong()));
        return;
    case QMetaType::QStringList:
    case QMetaType::QVariantList: {
        toml::array texts;
        for (const QString &text : value.toStringList())
            texts.push_back(text.toStdString());
        into.insert(key, std::move(texts));
        return;
    }
    default:
        into.insert(key, value.toString().toStdString());
    }
}

/** Converts the options with the code that reads the agent's configuration. */
Result<stores::SourceSpec> sourceOf(const StoreOptions &options)
{
    toml::table set;
    insert(set, "scheme", options.scheme);
    insert(set, "preset", options.preset);
    insert(set, "table", options.table);
    if (options.registersWaiters)
        set.insert("waiters", "registered");
    for (auto it = options.keys.cbegin(); it != options.keys.cend(); ++it)
        insert(set, it.key(), it.value());
    toml::table source{{"name", "locks"}};
    insert(source, "url", options.url);
    insert(source, "tls_ca", options.tlsCa);
    insert(source, "tls_cert", options.tlsCert);
    insert(source, "tls_key", options.tlsKey);
    insert(source, "tls_verify", options.tlsVerify);
    insert(source, "time_zone", options.timeZone);
    source.insert("connect_timeout_ms", int64_t(options.connectTimeout.count()));
    source.insert("statement_timeout_ms", int64_t(options.statementTimeout.count()));
    source.insert("locks", toml::array{std::move(set)});
    config::Problems problems;
    stores::SourceSpec spec = config::readSource(source, QDir::currentPath(), problems);
    if (!problems.list.isEmpty())
        return tl::unexpected(problems.list.first().error);
    spec.password = options.password;
    spec.locks.first().atLeastUs = std::chrono::microseconds(options.atLeast).count();
    return spec;
}

} // namespace

Result<std::unique_ptr<LockManager>> LockManager::open(const StoreOptions &options)
{
    const auto spec = sourceOf(options);
    if (!spec)
        return tl::unexpected(spec.error());
    return open(*spec, spec->locks.first(), options.owner.isEmpty() ? defaultOwner() : options.owner);
}

Result<void> LockManager::createTable(const StoreOptions &options)
{
    const auto spec = sourceOf(options);
    if (!spec)
        return tl::unexpected(spec.error());
    return sql::createTable(*spec, spec->locks.first());
}

} // namespace lockkeeper::locks
