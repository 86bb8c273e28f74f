// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/overview/past.h"
#include "app/views/widgets/translated.h"

#include <QWidget>

#include <functional>

class QPushButton;

namespace lockkeeper::app::views {

class PlainLabel;

/** The last hour beside the same hour a day and a week ago; each hour's head opens its ranking. */
class HoursPanel : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit HoursPanel(QWidget *parent = nullptr);

    using Hours = std::array<std::optional<overview::Hour>, overview::kHours>;
    /**
     * `spans` names the beginning and the end of each hour; empty hours aren't known yet. `old`: the first
     * hour is no longer the last hour.
     */
    void show(const Hours &hours, const std::array<QString, overview::kHours> &spans, bool old);
    /** A cell's text, `row` 0 waiting, 1 waits, 2 acquisitions, 3 forced, 4 observed. */
    QString cell(int row, std::size_t hour) const;
    QPushButton *head(std::size_t hour) const { return m_heads.at(hour); }

Q_SIGNALS:
    void hourAsked(std::size_t hour);

protected:
    void paintEvent(QPaintEvent *event) override;

private:
    static constexpr std::size_t kRows = 5;
    void retranslate() final;

    bool m_old = false;
    std::array<QPushButton *, overview::kHours> m_heads{};
    std::array<PlainLabel *, kRows> m_words{};
    std::array<std::array<PlainLabel *, overview::kHours>, kRows> m_cells{};
};

} // namespace lockkeeper::app::views
