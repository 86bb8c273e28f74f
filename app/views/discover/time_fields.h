// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/views/widgets/translated.h"

#include <QWidget>

class QComboBox;

namespace lockkeeper::app::views {

class PlainLabel;

/**
 * Asks for facts about times that a database's catalogue lacks: the zone of columns without a zone, and whose
 * clock dates them. GUI thread.
 */
class TimeFields : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit TimeFields(QWidget *parent = nullptr);

    /** An IANA name; empty if the typed text is none. */
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
