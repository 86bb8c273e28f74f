// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/discover/candidates_model.h"
#include "app/views/widgets/translated.h"

#include <QWidget>

class QComboBox;
class QLineEdit;
class QPlainTextEdit;
class QPushButton;
class QTableView;

namespace lockkeeper::app::views {

class PlainLabel;
class TimeFields;

/** What was recognised, to be chosen from, and why. GUI thread. */
class TablesPage : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit TablesPage(QWidget *parent = nullptr);

    /** Of which kind the store is, as its URL's scheme: what schemes a pattern may have. */
    void setStore(const QString &kind);
    void setDiscovery(const stores::discover::Discovery &discovery);
    const stores::discover::Discovery &discovery() const { return m_discovery; }
    QList<stores::discover::Candidate> chosen() const { return m_model.chosen(); }
    discover::CandidatesModel *model() { return &m_model; }
    QTableView *table() const { return m_table; }
    /** Of the tables' times; its answers mean nothing where there are keys. */
    const TimeFields *times() const { return m_times; }
    /** There is something to go on with. */
    bool isComplete() const;
    QString reasons() const;
    /** What was recognised are patterns of keys, not tables. */
    bool hasKeys() const { return stores::discover::hasKeys(m_discovery); }
    /** Times may be told without their zone. */
    bool hasCalendars() const { return !hasKeys() && m_discovery.store != "mongodb"; }

Q_SIGNALS:
    void chosenChanged();

private:
    QWidget *buildPattern();
    void addPattern();
    void explain(int row);
    void retranslate() final;

    stores::discover::Discovery m_discovery;
    discover::CandidatesModel m_model;
    PlainLabel *m_summary;
    QTableView *m_table;
    TimeFields *m_times;
    QWidget *m_pattern = nullptr; ///< keys that weren't recognised
    QLineEdit *m_match = nullptr;
    QComboBox *m_scheme = nullptr;
    QPushButton *m_add = nullptr;
    PlainLabel *m_whyLabel;
    QPlainTextEdit *m_why;
};

} // namespace lockkeeper::app::views
