// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/overview/source_chip.h"
#include "app/views/widgets/console_context.h"

class QPushButton;

namespace lockkeeper::app::views {

/**
 * The sources side by side, in as many columns as fit and at most two rows: first those that aren't observed,
 * then by name, the rest behind "and N more". GUI thread.
 */
class SourceStrip : public QWidget
{
    Q_OBJECT

public:
    explicit SourceStrip(const ConsoleContext &context, QWidget *parent = nullptr);

    /** Refreshes the values; the order and the shown sources change only with `arrange`. */
    void refresh(bool arrange);
    using Gaps = QHash<QString, QList<events::Interval>>;
    /** The gaps in `hour`; those of a missing source are unknown. */
    void setGaps(events::Interval hour, const Gaps &gaps);
    QList<SourceChip *> chips() const { return m_chips; }

Q_SIGNALS:
    /** Empty: all sources. */
    void sourceAsked(const QString &source);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void place();
    void showOne(SourceChip *chip, const domain::SourceState &source) const;
    QString seenText(const domain::SourceState &source, bool stale) const;
    QString gapText(const QList<events::Interval> &gaps) const;

    ConsoleContext m_context;
    QStringList m_order;
    QList<SourceChip *> m_chips;
    QPushButton *m_more;
    events::Interval m_hour;
    Gaps m_gaps;
};

} // namespace lockkeeper::app::views
