// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/report/report_stream.h"

#include <QDataStream>
#include <QIODevice>

namespace lockkeeper::app::report {

namespace {

const QByteArray kFormat = QByteArrayLiteral("lockkeeper report " LOCKKEEPER_VERSION);
constexpr auto kStreamVersion = QDataStream::Qt_6_0;

} // namespace

// Not in the unnamed namespace: QList's operators find these by the namespace of their argument.
static QDataStream &operator<<(QDataStream &out, const ReportFact &fact)
{
    return out << fact.name << fact.value;
}

static QDataStream &operator>>(QDataStream &in, ReportFact &fact)
{
    return in >> fact.name >> fact.value;
}

static QDataStream &operator<<(QDataStream &out, const ReportSection &section)
{
    return out << section.title << section.sentences << section.facts << section.table.header
               << section.table.rows << section.notes;
}

static QDataStream &operator>>(QDataStream &in, ReportSection &section)
{
    return in >> section.title >> section.sentences >> section.facts >> section.table.header >>
           section.table.rows >> section.notes;
}

static QDataStream &operator<<(QDataStream &out, const PictureShape &shape)
{
    return out << quint8(shape.kind) << shape.rect << shape.text;
}

static QDataStream &operator>>(QDataStream &in, PictureShape &shape)
{
    quint8 kind = 0;
    in >> kind >> shape.rect >> shape.text;
    if (kind > quint8(ShapeKind::TickLabel))
        in.setStatus(QDataStream::ReadCorruptData);
    shape.kind = ShapeKind(kind);
    return in;
}

QByteArray packReport(const IncidentReport &report)
{
    QByteArray bytes;
    QDataStream out(&bytes, QIODevice::WriteOnly);
    out.setVersion(kStreamVersion);
    out << kFormat << report.title << report.subtitle << report.made << report.language << report.sections
        << qint64(report.pictureAfter) << report.picture.width << report.picture.height
        << report.picture.shapes << report.picture.alternative << report.legend;
    return bytes;
}

base::Result<IncidentReport> unpackReport(const QByteArray &bytes)
{
    QDataStream in(bytes);
    in.setVersion(kStreamVersion);
    QByteArray format;
    IncidentReport report;
    qint64 pictureAfter = 0;
    in >> format;
    if (format != kFormat)
        return base::failure(base::ErrorCode::Usage,
                             QStringLiteral("the input is no report of this version of lockkeeperctl"));
    in >> report.title >> report.subtitle >> report.made >> report.language >> report.sections >>
        pictureAfter >> report.picture.width >> report.picture.height >> report.picture.shapes >>
        report.picture.alternative >> report.legend;
    report.pictureAfter = qsizetype(pictureAfter);
    if (in.status() != QDataStream::Ok || !in.atEnd())
        return base::failure(base::ErrorCode::Usage, QStringLiteral("the report on the input isn't whole"));
    return report;
}

} // namespace lockkeeper::app::report
