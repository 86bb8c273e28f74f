// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/connect/keychain.h"

#include <QLoggingCategory>
#include <QPointer>
#include <QTimer>

#ifdef LOCKKEEPER_KEYCHAIN
#include <qt6keychain/keychain.h>
#endif

namespace lockkeeper::app::views {

Q_LOGGING_CATEGORY(lcKeychain, "lockkeeper.keychain")

#ifdef LOCKKEEPER_KEYCHAIN
namespace {
QString service()
{
    return QStringLiteral("lockkeeper");
}
} // namespace

bool Keychain::isAvailable()
{
    return true;
}

void Keychain::read(const QString &address, QObject *context,
                    const std::function<void(const std::optional<protocol::Login> &)> &done)
{
    auto *job = new QKeychain::ReadPasswordJob(service()); // deletes itself
    job->setKey(address);
    QObject::connect(job, &QKeychain::Job::finished, context, [job, done] {
        const QByteArray kept = job->error() == QKeychain::NoError ? job->binaryData() : QByteArray();
        const qsizetype end = kept.indexOf('\n'); // end of the name
        done(end < 0
                 ? std::nullopt
                 : std::optional(protocol::Login{QString::fromUtf8(kept.first(end)), kept.sliced(end + 1)}));
    });
    job->start();
}

void Keychain::write(const QString &address, const protocol::Login &login)
{
    auto *job = new QKeychain::WritePasswordJob(service());
    job->setKey(address);
    job->setBinaryData(login.user.toUtf8() + '\n' + login.password);
    QObject::connect(job, &QKeychain::Job::finished, job, [job] {
        if (job->error() != QKeychain::NoError)
            qCWarning(lcKeychain).noquote() << "the password isn't kept:" << job->errorString();
    });
    job->start();
}
#else
bool Keychain::isAvailable()
{
    return false;
}

void Keychain::read(const QString &, QObject *context,
                    const std::function<void(const std::optional<protocol::Login> &)> &done)
{
    QTimer::singleShot(0, context, [done] { done(std::nullopt); });
}

void Keychain::write(const QString &, const protocol::Login &) {}
#endif

} // namespace lockkeeper::app::views
