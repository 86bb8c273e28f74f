// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/certificates.h"

#include "tests/support/shifted_clock.h"

#include <QDebug>
#include <QDir>
#include <QProcess>

#include <pwd.h>
#include <unistd.h>

namespace lockkeeper::tests {

namespace {
const QStringList kNewKey{QStringLiteral("-newkey"), QStringLiteral("ec"), QStringLiteral("-pkeyopt"),
                          QStringLiteral("ec_paramgen_curve:prime256v1"), QStringLiteral("-nodes")};
}

bool Certificates::makeAuthority(const QString &name)
{
    return run(QStringList{QStringLiteral("req"), QStringLiteral("-x509"), QStringLiteral("-days"),
                           QStringLiteral("2"), QStringLiteral("-subj"), QStringLiteral("/CN=") + name,
                           QStringLiteral("-out"), certificate(name), QStringLiteral("-keyout"), key(name)} +
               kNewKey);
}

bool Certificates::makeSelfSigned(const QString &name, const QString &forName)
{
    return run(QStringList{QStringLiteral("req"), QStringLiteral("-x509"), QStringLiteral("-days"),
                           QStringLiteral("2"), QStringLiteral("-subj"), QStringLiteral("/CN=") + name,
                           QStringLiteral("-addext"), QStringLiteral("subjectAltName=") + forName,
                           QStringLiteral("-out"), certificate(name), QStringLiteral("-keyout"), key(name)} +
               kNewKey);
}

bool Certificates::make(const QString &name, const QString &authority, const QString &forName,
                        std::chrono::hours made)
{
    const QString request = file(name, ".csr");
    return run(QStringList{QStringLiteral("req"), QStringLiteral("-new"), QStringLiteral("-subj"),
                           QStringLiteral("/CN=") + name, QStringLiteral("-addext"),
                           QStringLiteral("subjectAltName=") + forName, QStringLiteral("-out"), request,
                           QStringLiteral("-keyout"), key(name)} +
               kNewKey) &&
           run({QStringLiteral("x509"), QStringLiteral("-req"), QStringLiteral("-in"), request,
                QStringLiteral("-CA"), certificate(authority), QStringLiteral("-CAkey"), key(authority),
                QStringLiteral("-CAcreateserial"), QStringLiteral("-copy_extensions"), QStringLiteral("copy"),
                QStringLiteral("-days"), QStringLiteral("2"), QStringLiteral("-out"), certificate(name)},
               made);
}

bool Certificates::giveTo(const char *user) const
{
    if (geteuid() != 0)
        return true;
    const passwd *account = getpwnam(user);
    bool given = account && chown(qPrintable(m_folder.path()), account->pw_uid, account->pw_gid) == 0;
    for (const QString &name : QDir(m_folder.path()).entryList(QDir::Files))
        given = given && chown(qPrintable(m_folder.filePath(name)), account->pw_uid, account->pw_gid) == 0;
    return given;
}

bool Certificates::run(const QStringList &arguments, std::chrono::hours clockShift)
{
    QProcess process;
    shiftClock(process, clockShift);
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(QStringLiteral("openssl"), arguments);
    if (process.waitForFinished() && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0)
        return true;
    qWarning().noquote() << "openssl" << arguments.join(QLatin1Char(' ')) << process.readAll();
    return false;
}

} // namespace lockkeeper::tests
