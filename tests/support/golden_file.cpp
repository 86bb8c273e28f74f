// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/golden_file.h"

#include <QFile>
#include <QList>

namespace lockkeeper::tests {

QString compareWithGolden(const QString &path, const QByteArray &got)
{
    QFile file(qEnvironmentVariable("LOCKKEEPER_SOURCE") + QLatin1Char('/') + path);
    if (qEnvironmentVariableIsSet("LOCKKEEPER_WRITE_GOLDEN")) {
        if (!file.open(QIODevice::WriteOnly) || file.write(got) != got.size())
            return QStringLiteral("%1: %2").arg(file.fileName(), file.errorString());
        return {};
    }
    if (!file.open(QIODevice::ReadOnly))
        return QStringLiteral("%1: %2").arg(file.fileName(), file.errorString());
    const QByteArray wanted = file.readAll();
    if (wanted == got)
        return {};
    const QList<QByteArray> lines = wanted.split('\n');
    const QList<QByteArray> found = got.split('\n');
    qsizetype at = 0;
    while (lines.value(at) == found.value(at))
        ++at;
    return QStringLiteral("%1:%2\nexpected: %3\n     got: %4")
        .arg(path)
        .arg(at + 1)
        .arg(QString::fromUtf8(lines.value(at)), QString::fromUtf8(found.value(at)));
}

} // namespace lockkeeper::tests
