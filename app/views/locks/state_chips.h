// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/theme.h"
#include "app/views/widgets/translated.h"

#include <QAbstractButton>
#include <QHash>
#include <QWidget>

namespace lockkeeper::app::views {

/** One state that can be shown or hidden: icon, word and count. */
class StateChip : public QAbstractButton
{
    Q_OBJECT

public:
    StateChip(state::Badge badge, const presentation::Theme *theme, QWidget *parent = nullptr);

    void setCount(qint64 count);
    qint64 count() const { return m_count; }
    /** The icon and the count alone, where the row has no room for words. */
    void setBrief(bool brief);
    bool isBrief() const { return m_brief; }
    void reword();
    QSize sizeHint() const override { return sizeOf(m_brief); }
    QSize minimumSizeHint() const override { return sizeOf(true); }
    QSize sizeOf(bool brief) const;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    QString shown(bool brief) const;

    state::Badge m_badge;
    const presentation::Theme *m_theme;
    qint64 m_count = 0;
    bool m_brief = false;
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

    void setCounts(const state::BadgeCounts &counts);
    void setShown(state::Badge badge, bool shown);
    bool isShown(state::Badge badge) const;
    StateChip *chip(state::Badge badge) const { return m_chips.value(int(badge)); }

Q_SIGNALS:
    /** The operator toggled a chip. */
    void toggled(lockkeeper::app::state::Badge badge, bool shown);

protected:
    void resizeEvent(QResizeEvent *event) override;

private:
    void retranslate() final;
    void fit();

    QHash<int, StateChip *> m_chips;
};

} // namespace lockkeeper::app::views
