// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

namespace lockkeeper::app::views {

/** A flat button in the ink of links, as high as a target has to be. */
class LinkButton : public QPushButton
{
    Q_OBJECT

public:
    static constexpr int kHeight = 24;
    static constexpr int kPad = 6; ///< px beside the words

    explicit LinkButton(QWidget *parent = nullptr);

    /** No wider than the words need, so that they stand where the button does. */
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent *event) override;
};

} // namespace lockkeeper::app::views
