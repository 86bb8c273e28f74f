// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/login/pam_login.h"

#include <QCoreApplication>
#include <QLoggingCategory>
#include <QProcess>
#include <QTimer>

namespace lockkeeper::agent::login {

Q_LOGGING_CATEGORY(lcPam, "lockkeeper.login.pam")

namespace {
constexpr int kWithinMs = 8'000;
}

void verifyByPam(const QString &service, const QString &user, const QByteArray &password, QObject *context,
                 std::function<void(bool)> done)
{
    auto *helper = new QProcess(context);
    helper->setProgram(QCoreApplication::applicationDirPath() + QStringLiteral("/lockkeeper-pam"));
    helper->setArguments({service});
    helper->setProcessChannelMode(QProcess::ForwardedErrorChannel);
    QObject::connect(helper, &QProcess::finished, context,
                     [helper, done](int status, QProcess::ExitStatus exit) {
                         helper->deleteLater();
                         done(exit == QProcess::NormalExit && status == 0);
                     });
    QObject::connect(helper, &QProcess::errorOccurred, context, [helper, done](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return; // finished() follows
        qCCritical(lcPam).noquote() << helper->program() << "can't be started:" << helper->errorString();
        helper->deleteLater();
        // Don't call `done` from within the caller's call.
        QTimer::singleShot(0, helper->parent(), [done] { done(false); });
    });
    QTimer::singleShot(kWithinMs, helper, [helper] {
        qCWarning(lcPam) << "PAM didn't answer in time";
        helper->kill();
    });
    helper->start();
    helper->write(user.toUtf8() + '\0' + password);
    helper->closeWriteChannel();
}

} // namespace lockkeeper::agent::login
