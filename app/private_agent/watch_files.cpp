// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/private_agent/watch_files.h"

#include "shared/base/text.h"
#include "shared/stores/discover/source_section.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

namespace lockkeeper::app::private_agent {

namespace {

constexpr auto kOwner = QFileDevice::ReadOwner | QFileDevice::WriteOwner;

constexpr const char *kHead =
    "# Written by the Lockkeeper console for the private agent of this user. It is written\n"
    "# anew when the console is told to watch another store.\n"
    "[agent]\n"
    "name = \"private\"\n"
    "data_dir = \"data\"\n"
    "listen = [\"local:agent.sock\"]\n"
    "\n"
    "[journal]\n"
    "keep_mib = 512\n";

/** A name for a URL's files that reveals nothing and is valid on every file system. */
QString idOf(const QUrl &url)
{
    const QByteArray text = url.toEncoded(QUrl::RemovePassword);
    return QString::fromLatin1(QCryptographicHash::hash(text, QCryptographicHash::Sha256).toHex().left(16));
}

tl::unexpected<base::Error> cantWrite(const QString &path, const QString &why)
{
    return base::failure(base::ErrorCode::Storage,
                         QStringLiteral("can't write %1: %2").arg(base::displayText(path), why));
}

} // namespace

QString WatchFiles::defaultFolder()
{
    return QStandardPaths::writableLocation(QStandardPaths::AppLocalDataLocation) +
           QStringLiteral("/private-agent");
}

QString WatchFiles::configFile() const
{
    return m_folder + QStringLiteral("/agent.toml");
}

QString WatchFiles::logFile() const
{
    return m_folder + QStringLiteral("/agent.log");
}

QString WatchFiles::socketPath() const
{
    return m_folder + QStringLiteral("/data/agent.sock");
}

QString WatchFiles::address() const
{
    return QStringLiteral("local:") + socketPath();
}

bool WatchFiles::isConfigured() const
{
    return QFileInfo::exists(configFile());
}

QString WatchFiles::passwordReference(const QUrl &url) const
{
    return QStringLiteral("file:secrets/") + idOf(url);
}

QString WatchFiles::freeName(const QString &name, const QUrl &url) const
{
    QByteArray taken;
    const QDir sources(m_folder + QStringLiteral("/sources"));
    for (const QString &file : sources.entryList({QStringLiteral("*.toml")}, QDir::Files)) {
        QFile other(sources.filePath(file));
        if (file != idOf(url) + QStringLiteral(".toml") && other.open(QIODevice::ReadOnly))
            taken += '\n' + other.readAll();
    }
    const auto isTaken = [&taken](const QString &wanted) {
        return taken.contains("\nname = " + stores::discover::tomlString(wanted).toUtf8() + '\n');
    };
    QString free = name;
    for (int number = 2; isTaken(free); ++number)
        free = QStringLiteral("%1-%2").arg(name.left(60)).arg(number);
    return free;
}

base::Result<void> WatchFiles::makeFolder(const QString &path) const
{
    const auto permissions = kOwner | QFileDevice::ExeOwner;
    const QString parent = QFileInfo(path).path();
    const bool made = QFileInfo(path).isDir() || (QDir().mkpath(parent) && QDir().mkdir(path, permissions));
    if (!made || !QFile::setPermissions(path, permissions))
        return cantWrite(path, QStringLiteral("the folder can't be made"));
    return {};
}

base::Result<void> WatchFiles::write(const QString &path, const QByteArray &bytes) const
{
    QSaveFile file(path);
    // Sets the permissions before the content, so that no other user can read it even for a moment.
    if (!file.open(QIODevice::WriteOnly) || !file.setPermissions(kOwner) ||
        file.write(bytes) != bytes.size() || !file.commit())
        return cantWrite(path, file.errorString());
    return {};
}

base::Result<void> WatchFiles::writeConfiguration() const
{
    QByteArray text = kHead;
    const QDir sources(m_folder + QStringLiteral("/sources"));
    for (const QString &name : sources.entryList({QStringLiteral("*.toml")}, QDir::Files, QDir::Name)) {
        QFile file(sources.filePath(name));
        if (file.open(QIODevice::ReadOnly))
            text += '\n' + file.readAll();
    }
    return write(configFile(), text);
}

base::Result<void> WatchFiles::add(const Watch &watch) const
{
    const QString sources = m_folder + QStringLiteral("/sources");
    const QString secrets = m_folder + QStringLiteral("/secrets");
    for (const QString &folder : {m_folder, sources, secrets}) {
        if (const auto made = makeFolder(folder); !made)
            return made;
    }
    const QString id = idOf(watch.url);
    const QString secret = secrets + QLatin1Char('/') + id;
    if (watch.password.isEmpty()) {
        QFile::remove(secret);
    } else if (const auto written = write(secret, watch.password + '\n'); !written) {
        return written;
    }
    const auto written =
        write(sources + QLatin1Char('/') + id + QStringLiteral(".toml"), watch.section.toUtf8());
    return written ? writeConfiguration() : written;
}

void WatchFiles::clear() const
{
    QFile::remove(configFile());
    QDir(m_folder + QStringLiteral("/sources")).removeRecursively();
    QDir(m_folder + QStringLiteral("/secrets")).removeRecursively();
}

} // namespace lockkeeper::app::private_agent
