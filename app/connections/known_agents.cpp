// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/connections/known_agents.h"

#include "shared/base/text.h"
#include "shared/transport/fingerprint.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>
#include <QStandardPaths>

namespace lockkeeper::app::connections {

using base::ErrorCode;
using base::failure;

namespace {

constexpr qint64 kMostRead = 1'048'576;

struct PinnedAgent
{
    QString address;
    QByteArray fingerprint;
};

base::Result<QList<PinnedAgent>> readAll(const QString &path)
{
    QList<PinnedAgent> all;
    QFile file(path);
    if (!file.exists())
        return all;
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorCode::Storage,
                       QStringLiteral("%1: %2").arg(base::displayText(path), file.errorString()));
    const QByteArrayList lines = file.read(kMostRead).split('\n');
    for (qsizetype i = 0; i < lines.size(); ++i) {
        const QByteArrayList words = lines.at(i).simplified().split(' ');
        if (words.constFirst().isEmpty() || words.constFirst().startsWith('#'))
            continue;
        const auto fingerprint = transport::parseFingerprint(QString::fromUtf8(words.value(1)));
        if (words.size() != 2 || !fingerprint)
            return failure(
                ErrorCode::Corrupt,
                QStringLiteral("%1:%2: %3")
                    .arg(base::displayText(path))
                    .arg(i + 1)
                    .arg(KnownAgents::tr("a line is an address and its certificate's fingerprint")),
                KnownAgents::tr("Remove the line, and trust the agent again"));
        all.append({QString::fromUtf8(words.constFirst()), *fingerprint});
    }
    return all;
}

} // namespace

QString KnownAgents::defaultFile()
{
    return QStandardPaths::writableLocation(QStandardPaths::GenericConfigLocation) +
           QStringLiteral("/lockkeeper/known_agents");
}

base::Result<QByteArray> KnownAgents::fingerprintAt(const transport::Address &address, const QString &file)
{
    const auto all = readAll(file);
    if (!all)
        return tl::unexpected(all.error());
    for (const PinnedAgent &known : *all) {
        if (known.address == address.text())
            return known.fingerprint;
    }
    return QByteArray();
}

base::Result<void> KnownAgents::trust(const transport::Address &address, const QByteArray &fingerprint,
                                      const QString &file)
{
    auto all = readAll(file);
    if (!all)
        return tl::unexpected(all.error());
    all->removeIf([&address](const PinnedAgent &known) { return known.address == address.text(); });
    all->append({address.text(), fingerprint});
    QByteArray text;
    for (const PinnedAgent &known : std::as_const(*all))
        text += (known.address + QLatin1Char(' ') + transport::fingerprintText(known.fingerprint)).toUtf8() +
                '\n';
    QSaveFile stored(file);
    if (!QDir().mkpath(QFileInfo(file).absolutePath()) || !stored.open(QIODevice::WriteOnly) ||
        stored.write(text) != text.size() || !stored.commit())
        return failure(ErrorCode::Storage,
                       QStringLiteral("%1: %2").arg(base::displayText(file), stored.errorString()),
                       tr("Make the folder writable"));
    return {};
}

} // namespace lockkeeper::app::connections
