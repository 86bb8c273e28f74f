// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QTemporaryDir>

namespace lockkeeper::tests {

/** Certificate authorities and certificates of theirs, made by the openssl program in a temporary folder. */
class Certificates
{
public:
    /** Makes a CA: NAME.pem and NAME.key. */
    bool makeAuthority(const QString &name);
    /** Makes a CA of itself that is good for one host, as an agent makes its certificate. */
    bool makeSelfSigned(const QString &name, const QString &forName);
    /** Makes NAME.pem and NAME.key, signed by `authority`, for the subject alternative name `forName`
     * ("IP:127.0.0.1"), valid for `days` from now; negative: it has expired. */
    bool make(const QString &name, const QString &authority, const QString &forName, int days = 2);

    /** Lets a server read them that a test of root's runs as `user`. */
    bool giveTo(const char *user) const;

    QString certificate(const QString &name) const { return file(name, ".pem"); }
    QString key(const QString &name) const { return file(name, ".key"); }

private:
    bool run(const QStringList &arguments);
    QString file(const QString &name, const char *suffix) const
    {
        return m_folder.filePath(name + QLatin1String(suffix));
    }

    QTemporaryDir m_folder;
};

} // namespace lockkeeper::tests
