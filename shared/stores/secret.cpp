// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/stores/secret.h"

#include "shared/base/text.h"

#include <QDir>
#include <QFile>
#include <QLoggingCategory>

namespace lockkeeper::stores {

using base::ErrorCode;
using base::failure;

namespace {

Q_LOGGING_CATEGORY(lcSecrets, "lockkeeper.secrets")

constexpr qint64 kLongest = 4'096;

base::Result<QByteArray> fromEnvironment(const QString &name)
{
    const QByteArray bytes = name.toUtf8();
    if (!qEnvironmentVariableIsSet(bytes.constData()))
        return failure(ErrorCode::NotFound,
                       QStringLiteral("the environment variable %1 isn't set").arg(base::displayText(name)),
                       QStringLiteral("Set it for the agent, for example in its service unit."));
    return qgetenv(bytes.constData());
}

base::Result<QByteArray> fromFile(const QString &path)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return failure(ErrorCode::NotFound,
                       QStringLiteral("the secret's file %1 can't be read: %2")
                           .arg(base::displayText(path), file.errorString()),
                       QStringLiteral("Make it readable to the agent's user alone."));
    if (file.permissions() & (QFileDevice::ReadGroup | QFileDevice::ReadOther))
        qCWarning(lcSecrets).noquote() << "the secret's file" << base::displayText(path)
                                       << "is readable to others. Run: chmod 600 on it";
    QByteArray secret = file.read(kLongest + 1);
    if (secret.size() > kLongest)
        return failure(
            ErrorCode::TooLarge,
            QStringLiteral("the secret's file %1 is longer than 4 KiB").arg(base::displayText(path)));
    if (secret.endsWith('\n'))
        secret.chop(1);
    if (secret.endsWith('\r'))
        secret.chop(1);
    return secret;
}

} // namespace

base::Result<QByteArray> resolveSecret(const QString &reference, const QString &folder)
{
    const QString rest = reference.mid(reference.indexOf(QLatin1Char(':')) + 1);
    if (reference.startsWith(QLatin1String("env:")))
        return fromEnvironment(rest);
    if (reference.startsWith(QLatin1String("file:")))
        return fromFile(QDir(folder).absoluteFilePath(rest));
    if (reference.startsWith(QLatin1String("keychain:")))
        return failure(ErrorCode::Unsupported,
                       QStringLiteral("\"keychain:\" is not available in this version"),
                       QStringLiteral("Use env:NAME or file:PATH."));
    return failure(ErrorCode::Usage, QStringLiteral("a password is written in clear"),
                   QStringLiteral("Write where it is: env:NAME or file:PATH."));
}

} // namespace lockkeeper::stores
