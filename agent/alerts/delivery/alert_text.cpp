// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/alerts/delivery/alert_text.h"

#include "agent/alerts/delivery/alert_words.h"
#include "shared/base/text.h"
#include "shared/domain/holder_check.h"

#include <QDateTime>
#include <QJsonArray>

namespace lockkeeper::agent::alerts {

using domain::Alert;
using domain::AlertCondition;

namespace {

constexpr qsizetype kLongestName = 200;
constexpr qsizetype kMostListed = 10; ///< of a chain, or of a storm's worst

QString cut(const QString &text)
{
    if (text.size() <= kLongestName)
        return text;
    const qsizetype end = text.at(kLongestName - 2).isHighSurrogate() ? kLongestName - 2 : kLongestName - 1;
    return text.first(end) + QChar(0x2026);
}

QString momentText(qint64 us)
{
    return QDateTime::fromMSecsSinceEpoch(us / 1'000, Qt::UTC)
        .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
}

/** The two largest units: "2h 5m", "12.4s". */
QString durationText(qint64 us)
{
    const qint64 seconds = us / base::kSecondUs;
    if (seconds < 60)
        return QString::number(double(us) / double(base::kSecondUs), 'f', 1) + QLatin1Char('s');
    if (seconds < 3'600)
        return QStringLiteral("%1m %2s").arg(seconds / 60).arg(seconds % 60);
    if (seconds < 86'400)
        return QStringLiteral("%1h %2m").arg(seconds / 3'600).arg(seconds / 60 % 60);
    return QStringLiteral("%1d %2h").arg(seconds / 86'400).arg(seconds / 3'600 % 24);
}

QString levelText(AlertCondition condition, qint64 value)
{
    switch (condition) {
    case AlertCondition::LongestWait:
    case AlertCondition::WaitingNow:
    case AlertCondition::HeldFor:
    case AlertCondition::Absent:
        return durationText(value);
    case AlertCondition::HeldRatio:
        return QString::number(double(value) / 1'000, 'f', 1) + QChar(0xd7);
    case AlertCondition::LeaseMargin:
        return QString::number(double(value) / 10, 'f', 1) + QLatin1Char('%');
    default:
        return QString::number(value);
    }
}

/** Makes the lines of one text. */
class TextBuilder
{
public:
    TextBuilder(const DueNotice &notice, const SendContext &context, TextStyle style)
        : m_notice(notice),
          m_alert(notice.alert),
          m_context(context),
          m_style(style),
          m_words(wordsOf(context.language))
    {
    }

    QString headline() const
    {
        if (m_alert.rule == kTestRule)
            return m_words.testMessage.arg(quoted(m_context.agent));
        if (m_alert.rule == kSummaryRule)
            return m_words.undelivered.arg(m_alert.value.value_or(0))
                .arg(momentText(m_alert.firedUs), momentText(m_alert.resolvedUs.value_or(m_alert.firedUs)));
        const QString what = m_words.joined.arg(m_words.conditions[size_t(m_alert.condition)], subject());
        if (!m_alert.isResolved())
            return m_words.joined.arg(m_words.severities[size_t(m_alert.severity)], what);
        if (m_notice.firingDelivered)
            return m_words.joined.arg(m_words.over, what);
        return m_words.joined.arg(
            m_words.alreadyOver.arg(momentText(m_alert.firedUs), momentText(*m_alert.resolvedUs)), what);
    }

    QStringList lines()
    {
        if (m_alert.rule == kTestRule || m_alert.rule == kSummaryRule) {
            add(m_words.agent, quoted(m_context.agent));
            return m_lines;
        }
        add(m_words.severity, m_words.severities[size_t(m_alert.severity)]);
        add(m_words.rule, quoted(m_alert.rule));
        add(m_words.agent, quoted(m_context.agent));
        addPlace();
        addTimes();
        addDetail();
        add(m_words.id, quoted(QString::fromLatin1(m_alert.id)));
        return m_lines;
    }

private:
    QString quoted(const QString &name) const
    {
        QString shown = cut(base::displayText(name));
        if (m_style == TextStyle::Plain)
            return shown;
        shown.replace(QLatin1Char('&'), QLatin1String("&amp;"))
            .replace(QLatin1Char('<'), QLatin1String("&lt;"))
            .replace(QLatin1Char('>'), QLatin1String("&gt;"))
            .replace(QLatin1Char('`'), QLatin1Char('\''));
        return QLatin1Char('`') + shown + QLatin1Char('`');
    }
    QString quoted(const QByteArray &name) const { return quoted(base::displayText(name)); }

    /** The lock with its source, or the source, or the agent. */
    QString subject() const
    {
        if (m_alert.isOfLock())
            return QStringLiteral("%1 (%2)").arg(quoted(m_alert.lock.name), quoted(m_alert.source));
        return m_alert.source.isEmpty() ? quoted(m_context.agent) : quoted(m_alert.source);
    }

    void add(const QString &title, const QString &value)
    {
        if (!value.isEmpty())
            m_lines.append(m_words.line.arg(title, value));
    }

    void addPlace()
    {
        if (!m_alert.source.isEmpty())
            add(m_words.source, quoted(m_alert.source));
        if (m_alert.isOfLock()) {
            add(m_words.lock, quoted(m_alert.lock.name));
            add(m_words.place, quoted(m_alert.lock.place));
        }
        if (!m_alert.holder.isEmpty())
            add(m_words.holder, quoted(m_alert.holder));
        if (m_alert.value && domain::isAlertLevel(m_alert.condition)) {
            const QString value = levelText(m_alert.condition, *m_alert.value);
            add(m_words.value,
                m_alert.threshold
                    ? m_words.withThreshold.arg(value, levelText(m_alert.condition, *m_alert.threshold))
                    : value);
        }
    }

    void addTimes()
    {
        add(m_words.since, momentText(m_alert.sinceUs));
        add(m_words.fired, momentText(m_alert.firedUs));
        if (m_alert.resolvedUs)
            add(m_words.over, momentText(*m_alert.resolvedUs));
        if (m_alert.acknowledgedUs)
            add(m_words.acknowledgedBy, quoted(m_alert.acknowledgedBy));
        if (m_alert.repeats > 0)
            add(m_words.repeats, QString::number(m_alert.repeats));
    }

    void addDetail()
    {
        const QJsonObject &detail = m_alert.detail;
        if (const QString cause = detail.value(QLatin1String("cause")).toString(); !cause.isEmpty())
            add(m_words.cause, quoted(cause));
        addList(m_words.chain, detail.value(QLatin1String("chain")).toArray());
        if (const qint64 sessions = detail.value(QLatin1String("sessions")).toInteger(); sessions > 0)
            add(m_words.sessions, QString::number(sessions));
        if (const qint64 count = detail.value(QLatin1String("count")).toInteger(); count > 0)
            add(m_words.count, QString::number(count));
        addList(m_words.worst, detail.value(QLatin1String("worst")).toArray());
        addLiveness(detail.value(QLatin1String("liveness")).toObject());
    }

    void addLiveness(const QJsonObject &liveness)
    {
        const QByteArray verdict = liveness.value(QLatin1String("verdict")).toString().toLatin1();
        for (size_t i = 0; i < m_words.verdicts.size(); ++i) {
            if (domain::holderVerdictName(domain::HolderVerdict(i)) == verdict)
                add(m_words.liveness,
                    m_words.livenessValue.arg(
                        m_words.verdicts[i], quoted(liveness.value(QLatin1String("target")).toString()),
                        momentText(liveness.value(QLatin1String("checked_us")).toInteger())));
        }
    }

    /** Names, or objects with the name as "lock". */
    void addList(const QString &title, const QJsonArray &list)
    {
        QStringList names;
        for (const QJsonValue &value : list) {
            const QString name = value.isObject() ? value.toObject().value(QLatin1String("lock")).toString()
                                                  : value.toString();
            if (!name.isEmpty() && names.size() < kMostListed)
                names.append(quoted(name));
        }
        if (list.size() > kMostListed)
            names.append(QString(QChar(0x2026)));
        add(title, names.join(QLatin1String(", ")));
    }

    const DueNotice &m_notice;
    const Alert &m_alert;
    const SendContext &m_context;
    TextStyle m_style;
    const AlertWords &m_words;
    QStringList m_lines;
};

} // namespace

QString shownName(const QByteArray &name)
{
    return cut(base::displayText(name));
}

AlertText alertText(const DueNotice &notice, const SendContext &context, TextStyle style)
{
    TextBuilder builder(notice, context, style);
    return {builder.headline(), builder.lines()};
}

} // namespace lockkeeper::agent::alerts
