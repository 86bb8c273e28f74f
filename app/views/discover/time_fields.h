// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/translated.h"

#include <QWidget>

class QComboBox;

namespace lockkeeper::app::views {

class PlainLabel;

/**
 * What the catalogue of a database doesn't tell about its times: the zone of columns that carry none, and
 * whose clock dates them. GUI thread.
 */
class TimeFields : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit TimeFields(QWidget *parent = nullptr);

    /** An IANA name; empty where what was typed is none. */
    QString zone() const;
    bool isClientClock() const;

Q_SIGNALS:
    void changed();

private:
    void retranslate() final;

    PlainLabel *m_zoneLabel;
    QComboBox *m_zone;
    PlainLabel *m_wrong;
    PlainLabel *m_clockLabel;
    QComboBox *m_clock;
};

} // namespace lockkeeper::app::views
