// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/views/discover/time_fields.h"

#include "app/views/widgets/plain_label.h"

#include <QComboBox>
#include <QCompleter>
#include <QGridLayout>
#include <QTimeZone>

namespace lockkeeper::app::views {

namespace {

/** UTC and this computer's zone, then the others in alphabetical order. */
QStringList zones()
{
    QStringList all;
    const auto known = QTimeZone::availableTimeZoneIds();
    for (const QByteArray &id : known)
        all.append(QString::fromLatin1(id));
    const QString utc = QStringLiteral("UTC");
    const QString here = QString::fromLatin1(QTimeZone::systemTimeZoneId());
    all.removeAll(utc);
    if (QTimeZone::isTimeZoneIdAvailable(here.toLatin1()) && here != utc) {
        all.removeAll(here);
        all.prepend(here);
    }
    all.prepend(utc);
    return all;
}

} // namespace

TimeFields::TimeFields(QWidget *parent)
    : Translated(parent),
      m_zoneLabel(new PlainLabel),
      m_zone(new QComboBox),
      m_wrong(new PlainLabel),
      m_clockLabel(new PlainLabel),
      m_clock(new QComboBox)
{
    m_zone->setObjectName(QStringLiteral("zone"));
    m_zone->setEditable(true);
    m_zone->setInsertPolicy(QComboBox::NoInsert);
    m_zone->addItems(zones());
    m_zone->completer()->setCompletionMode(QCompleter::PopupCompletion);
    m_zone->completer()->setFilterMode(Qt::MatchContains);
    m_zone->setMinimumContentsLength(24);
    m_zone->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_clock->setObjectName(QStringLiteral("clock"));
    m_clock->addItems({QString(), QString()});
    m_zoneLabel->setBuddy(m_zone);
    m_clockLabel->setBuddy(m_clock);
    auto *grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(12);
    grid->setVerticalSpacing(8);
    grid->setColumnStretch(2, 1);
    grid->addWidget(m_zoneLabel, 0, 0);
    grid->addWidget(m_zone, 0, 1);
    grid->addWidget(m_wrong, 0, 2);
    grid->addWidget(m_clockLabel, 1, 0);
    grid->addWidget(m_clock, 1, 1);
    connect(m_zone, &QComboBox::currentTextChanged, this, [this] {
        m_wrong->setVisible(zone().isEmpty());
        Q_EMIT changed();
    });
    connect(m_clock, &QComboBox::currentIndexChanged, this, &TimeFields::changed);
    m_wrong->hide();
    retranslate();
}

QString TimeFields::zone() const
{
    const QString typed = m_zone->currentText().trimmed();
    return QTimeZone::isTimeZoneIdAvailable(typed.toLatin1()) ? typed : QString();
}

bool TimeFields::isClientClock() const
{
    return m_clock->currentIndex() == 1;
}

void TimeFields::retranslate()
{
    m_zoneLabel->setText(tr("Times without a zone are in:"));
    m_zone->setAccessibleName(tr("Time zone of times without a zone"));
    m_wrong->setText(tr("This is not the name of a time zone."));
    m_clockLabel->setText(tr("Times are written by:"));
    m_clock->setAccessibleName(tr("The clock that dates the locks"));
    m_clock->setItemText(0, tr("the database's clock"));
    m_clock->setItemText(1, tr("the application's own clock"));
}

} // namespace lockkeeper::app::views
