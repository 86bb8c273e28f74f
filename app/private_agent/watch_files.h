// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/base/result.h"

#include <QUrl>

namespace lockkeeper::app::private_agent {

/** One store for the private agent to watch. */
struct Watch
{
    QUrl url;            ///< without a password
    QString section;     ///< `[[source]]`, with passwordReference() if there is a password
    QByteArray password; ///< empty: none
};

/**
 * The private agent's folder: its configuration, one file for each source, one for each password, and the
 * agent's own data below it. Only this user can read it; configurations contain no passwords.
 */
class WatchFiles
{
public:
    explicit WatchFiles(QString folder) : m_folder(std::move(folder)) {}

    /** The default folder, below QStandardPaths::AppLocalDataLocation. */
    static QString defaultFolder();

    QString folder() const { return m_folder; }
    QString configFile() const;
    QString logFile() const;
    /** "local:PATH" of the agent's socket. */
    QString address() const;
    QString socketPath() const;
    bool isConfigured() const;

    /** The reference to a password in a source's section: "file:…", relative to the configuration. */
    QString passwordReference(const QUrl &url) const;
    /** `name`, with a number appended if a source with another URL has this name. */
    QString freeName(const QString &name, const QUrl &url) const;
    /** Adds a source, or replaces the source with the same URL, and rewrites the configuration. */
    base::Result<void> add(const Watch &watch) const;
    /** Removes every source and password; the journal stays. */
    void clear() const;

private:
    base::Result<void> makeFolder(const QString &path) const;
    base::Result<void> write(const QString &path, const QByteArray &bytes) const;
    base::Result<void> writeConfiguration() const;

    QString m_folder;
};

} // namespace lockkeeper::app::private_agent
