// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/presentation/theme.h"

#include <QAbstractButton>

namespace lockkeeper::app::views {

/** A kind of rows that can be shown or hidden: icon, word and count. */
class CountChip : public QAbstractButton
{
    Q_OBJECT

public:
    /** `theme` isn't owned. */
    explicit CountChip(const presentation::Theme *theme, QWidget *parent = nullptr);

    void setFace(const QString &icon, const QString &word, const QString &toolTip);
    void setCount(qint64 count);
    qint64 count() const { return m_count; }
    /** The icon and the count alone, where the row has no room for words. */
    void setBrief(bool brief);
    bool isBrief() const { return m_brief; }
    QSize sizeHint() const override { return sizeOf(m_brief); }
    QSize minimumSizeHint() const override { return sizeOf(true); }
    QSize sizeOf(bool brief) const;

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    void reword();
    QString shown(bool brief) const;

    const presentation::Theme *m_theme;
    QString m_icon;
    QString m_word;
    qint64 m_count = 0;
    bool m_brief = false;
};

} // namespace lockkeeper::app::views
