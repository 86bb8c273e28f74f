// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QEvent>

namespace lockkeeper::app::views {

/** A widget of the kind `Base` whose texts follow the console's language: retranslate() sets them. */
template <typename Base> class Translated : public Base
{
protected:
    using Base::Base;

    virtual void retranslate() = 0;

    void changeEvent(QEvent *event) override
    {
        if (event->type() == QEvent::LanguageChange)
            retranslate();
        Base::changeEvent(event);
    }
};

} // namespace lockkeeper::app::views
