// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/release/holder_knowledge.h"

#include "shared/base/text.h"

#include <QDateTime>

namespace lockkeeper::agent::release {

namespace {

QString nameText(QByteArrayView name)
{
    return QString::fromLatin1(name);
}

} // namespace

QString livenessText(const domain::HolderCheck &check)
{
    return QStringLiteral("liveness: %1, %2 of %3 at %4")
        .arg(nameText(domain::holderVerdictName(check.verdict)),
             nameText(domain::holderEvidenceName(check.evidence)), base::displayText(check.target),
             QDateTime::fromMSecsSinceEpoch(check.checkedUs / 1'000, Qt::UTC).toString(Qt::ISODateWithMs));
}

QJsonObject livenessObject(const domain::HolderCheck &check)
{
    QJsonObject object{{QStringLiteral("verdict"), nameText(domain::holderVerdictName(check.verdict))},
                       {QStringLiteral("evidence"), nameText(domain::holderEvidenceName(check.evidence))},
                       {QStringLiteral("target"), base::textOf(check.target)},
                       {QStringLiteral("checked_us"), check.checkedUs}};
    if (check.number)
        object.insert(QStringLiteral("number"), *check.number);
    return object;
}

} // namespace lockkeeper::agent::release
