// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTemporaryDir>

#include <chrono>

namespace lockkeeper::tests {

/** Certificate authorities and certificates of theirs, made by the openssl program in a temporary folder. */
class Certificates
{
public:
    static constexpr std::chrono::hours kExpired{-72}; ///< for make()

    /** Makes a CA: NAME.pem and NAME.key. */
    bool makeAuthority(const QString &name);
    /** Makes a CA of itself that is good for one host, as an agent makes its certificate. */
    bool makeSelfSigned(const QString &name, const QString &forName);
    /** Makes NAME.pem and NAME.key, signed by `authority`, for the subject alternative name `forName`
     * ("IP:127.0.0.1"), valid for two days from `made`, which is relative to now. */
    bool make(const QString &name, const QString &authority, const QString &forName,
              std::chrono::hours made = {});

    /** Lets a server read them that a test of root's runs as `user`. */
    bool giveTo(const char *user) const;

    QString certificate(const QString &name) const { return file(name, ".pem"); }
    QString key(const QString &name) const { return file(name, ".key"); }

private:
    bool run(const QStringList &arguments, std::chrono::hours clockShift = {});
    QString file(const QString &name, const char *suffix) const
    {
        return m_folder.filePath(name + QLatin1String(suffix));
    }

    QTemporaryDir m_folder;
};

} // namespace lockkeeper::tests
