// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/checker.h"

#include <QJsonDocument>
#include <QJsonObject>

#include <algorithm>

namespace lockkeeper::tests {

namespace {

QByteArray withoutZeros(const QByteArray &number)
{
    qsizetype zeros = 0;
    while (zeros + 1 < number.size() && number.at(zeros) == '0')
        ++zeros;
    return number.mid(zeros);
}

/** Of decimal numbers of any length. */
bool isGreater(const QByteArray &left, const QByteArray &right)
{
    const QByteArray a = withoutZeros(left);
    const QByteArray b = withoutZeros(right);
    return a.size() != b.size() ? a.size() > b.size() : a > b;
}

QByteArray textOf(const Hold &hold)
{
    return hold.holder + " [" + QByteArray::number(hold.fromUs) + ", " + QByteArray::number(hold.toUs) + ']' +
           (hold.fencing.isEmpty() ? QByteArray() : " fencing " + hold.fencing);
}

} // namespace

QByteArray Violation::text() const
{
    return (kind == Kind::Overlap ? "two holders of " : "fencing tokens that don't grow of ") + later.lock +
           ": " + textOf(earlier) + " and " + textOf(later);
}

QList<Violation> check(QList<Hold> holds)
{
    std::sort(holds.begin(), holds.end(), [](const Hold &a, const Hold &b) {
        return a.lock != b.lock       ? a.lock < b.lock
               : a.fromUs != b.fromUs ? a.fromUs < b.fromUs
                                      : a.toUs < b.toUs;
    });
    QList<Violation> found;
    const Hold *longest = nullptr; // the hold with the latest end, of those that have begun
    const Hold *numbered = nullptr;
    for (const Hold &hold : std::as_const(holds)) {
        if (longest != nullptr && longest->lock != hold.lock)
            longest = numbered = nullptr;
        if (longest != nullptr && hold.fromUs < longest->toUs)
            found.append({Violation::Kind::Overlap, *longest, hold});
        if (numbered != nullptr && !hold.fencing.isEmpty() && !isGreater(hold.fencing, numbered->fencing))
            found.append({Violation::Kind::Fencing, *numbered, hold});
        if (longest == nullptr || hold.toUs > longest->toUs)
            longest = &hold;
        if (!hold.fencing.isEmpty())
            numbered = &hold;
    }
    return found;
}

void HistoryReader::add(const QByteArray &process, const QByteArray &bytes)
{
    QByteArray &rest = m_rests[process];
    rest += bytes;
    qsizetype from = 0;
    for (qsizetype end = 0; (end = rest.indexOf('\n', from)) >= 0; from = end + 1)
        addLine(process, rest.mid(from, end - from));
    rest.remove(0, from);
}

void HistoryReader::addLine(const QByteArray &process, const QByteArray &line)
{
    const QJsonObject event = QJsonDocument::fromJson(line).object();
    const QJsonObject detail = event.value(QStringLiteral("detail")).toObject();
    const QByteArray holder = process + '/' + detail.value(QStringLiteral("worker")).toString().toUtf8();
    const qint64 steadyUs = detail.value(QStringLiteral("held_us")).toInteger();
    const QByteArray acquisition = holder + ' ' + event.value(QStringLiteral("owner")).toString().toUtf8();
    const bool begins = event.value(QStringLiteral("event")).toString() == QLatin1String("acquired");
    if (begins) {
        m_open.insert(acquisition, m_holds.size());
        const QByteArray lock = event.value(QStringLiteral("lock")).toString().toUtf8();
        m_holds.append({lock, holder, steadyUs, steadyUs,
                        detail.value(QStringLiteral("fencing")).toString().toLatin1()});
        return;
    }
    const auto open = m_open.constFind(acquisition);
    if (open == m_open.cend())
        return;
    Hold &hold = m_holds[*open];
    hold.toUs = std::max(hold.toUs, steadyUs);
    const QString kind = event.value(QStringLiteral("event")).toString();
    hold.released = kind == QLatin1String("released") && !detail.contains(QLatin1String("cause"));
    if (kind != QLatin1String("renewed"))
        m_open.erase(open);
}

QList<Hold> HistoryReader::holds() const
{
    return m_holds;
}

} // namespace lockkeeper::tests
