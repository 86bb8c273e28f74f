// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/discover/discovery.h"

#include <functional>

namespace lockkeeper::stores::discover {

/** The data for a `[[source]]` section, beside its candidates. */
struct SectionSource
{
    QString name;              ///< empty: sourceName() of the URL
    QUrl url;                  ///< without a password
    QString passwordReference; ///< "env:NAME", "file:PATH"; empty: none. Never the password itself
    QString timeZone;          ///< empty: left out (UTC)
    qint64 pollMs = 1'000;
    QHash<QString, QString> tls = {}; ///< as in SourceSpec; empty: the URL alone decides
    bool clientClock = false;         ///< the application writes its own time
};

/** The lines of comment that explain a candidate: words are the caller's. */
using Explain = std::function<QStringList(const Candidate &)>;

/**
 * A ready `[[source]]` section (PostgreSQL: one for each schema; another one for lock sets that overlap) for
 * the agent's configuration, with one `[[source.locks]]` for each of `chosen`. Whatever the store's names
 * hold (quotes, newlines, brackets) stays within its string or comment.
 */
QString sourceSection(const SectionSource &source, const QList<Candidate> &chosen, const Explain &explain);

/** Lines of comment: each one begins with '#', and none holds a control character. */
QString commentLines(const QStringList &lines, const QString &indent = {});

/** The URL as the configuration has it, of several hosts too; without a password. */
QString urlText(const QUrl &url);

/** A text as a basic string of TOML, with its quotes. */
QString tomlString(const QString &text);

/** A name for a source, from its URL: the database's, else the host's. */
QString sourceName(const QUrl &url);

} // namespace lockkeeper::stores::discover
