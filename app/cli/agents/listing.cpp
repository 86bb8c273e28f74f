// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/agents/listing.h"

#include "app/records/records.h"
#include "shared/base/text.h"

#include <utility>

namespace lockkeeper::app::cli {

QList<qsizetype> Listing::answered() const
{
    QList<qsizetype> answered;
    for (qsizetype i = 0; i < m_agents.count(); ++i) {
        if (m_agents.hasAnswered(i))
            answered.append(i);
    }
    return answered;
}

QString Listing::prefix(qsizetype agent, QLatin1String separator) const
{
    return isOfSeveral() ? base::displayText(label(agent)) + separator : QString();
}

void Listing::write(const QJsonObject &object, qsizetype agent)
{
    m_context.out.write(records::jsonLine(isOfSeveral() ? records::withAgent(object, label(agent)) : object));
}

void Listing::add(Table rows, const QString &agent)
{
    if (isOfSeveral())
        rows.prepend({QStringLiteral("AGENT"), Table::Align::Left, false, 5, 0}, base::displayText(agent));
    if (m_table)
        m_table->append(rows);
    else
        m_table = std::move(rows);
}

QByteArray Listing::takeTable()
{
    const auto table = std::exchange(m_table, std::nullopt);
    return table && !table->isEmpty()
               ? table->render(m_context.terminal.width, m_context.terminal.colours).toUtf8()
               : QByteArray();
}

void Listing::show(const QString &nothing)
{
    const QByteArray table = takeTable();
    if (!table.isEmpty())
        m_context.out.write(table);
    else if (!nothing.isEmpty() && m_agents.status() == Exit::Done) // otherwise that is unknown
        m_context.out.note(nothing);
}

void Listing::showUnmerged(const QByteArray &between)
{
    bool any = false;
    for (const qsizetype i : answered()) {
        const QByteArray written = m_agents.written(i);
        if (!written.isEmpty() && std::exchange(any, true))
            m_context.out.write(between);
        m_context.out.write(written);
    }
}

} // namespace lockkeeper::app::cli
