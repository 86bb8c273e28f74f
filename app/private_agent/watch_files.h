// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QUrl>

namespace lockkeeper::app::private_agent {

/** One store that the private agent is to watch. */
struct Watch
{
    QUrl url;            ///< without a password
    QString section;     ///< `[[source]]`, with passwordReference() where there is a password
    QByteArray password; ///< empty: none
};

/**
 * The private agent's folder: its configuration, one file for each source, one for each password, and the
 * agent's own data below it. All of it readable to this user alone; a password stands in no configuration.
 */
class WatchFiles
{
public:
    explicit WatchFiles(QString folder) : m_folder(std::move(folder)) {}

    /** Where it is by default: below QStandardPaths::AppLocalDataLocation. */
    static QString defaultFolder();

    QString folder() const { return m_folder; }
    QString configFile() const;
    QString logFile() const;
    /** "local:PATH" of the agent's socket. */
    QString address() const;
    QString socketPath() const;
    bool isConfigured() const;

    /** How a source's section refers to its password: "file:…", relative to the configuration. */
    QString passwordReference(const QUrl &url) const;
    /** `name`, or with a number behind it where a source of another URL is called so. */
    QString freeName(const QString &name, const QUrl &url) const;
    /** Adds a source, or replaces the one of the same URL, and writes the configuration anew. */
    base::Result<void> add(const Watch &watch) const;
    /** Forgets every source and password; the journal stays. */
    void clear() const;

private:
    base::Result<void> makeFolder(const QString &path) const;
    base::Result<void> write(const QString &path, const QByteArray &bytes) const;
    base::Result<void> writeConfiguration() const;

    QString m_folder;
};

} // namespace lockkeeper::app::private_agent
