// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/count_chip.h"
#include "app/views/widgets/translated.h"

#include <QHash>
#include <QWidget>

namespace lockkeeper::app::views {

/** One state that can be shown or hidden. */
class StateChip : public CountChip
{
    Q_OBJECT

public:
    StateChip(replica::Badge badge, const presentation::Theme *theme, QWidget *parent = nullptr);

    void reword();

private:
    replica::Badge m_badge;
};

/**
 * The row of chips. States that a scheme rarely has (Unknown, Optimistic) appear with their first lock and
 * then stay, so that nothing moves under the pointer. In a narrow window the chips give up their words, never
 * their counts.
 */
class StateChips : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit StateChips(const presentation::Theme *theme, QWidget *parent = nullptr);

    void setCounts(const replica::BadgeCounts &counts);
    void setShown(replica::Badge badge, bool shown);
    bool isShown(replica::Badge badge) const;
    StateChip *chip(replica::Badge badge) const { return m_chips.value(int(badge)); }

Q_SIGNALS:
    /** The operator toggled a chip. */
    void toggled(lockkeeper::app::replica::Badge badge, bool shown);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void retranslate() final;
    void fit();

    QHash<int, StateChip *> m_chips;
};

} // namespace lockkeeper::app::views
