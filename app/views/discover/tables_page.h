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

/** Lists the recognised tables or keys to choose from, and why they were recognised. GUI thread. */
class TablesPage : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit TablesPage(QWidget *parent = nullptr);

    /** `kind`: the scheme of the store's URL; it decides which schemes a pattern may have. */
    void setStore(const QString &kind);
    void setDiscovery(const stores::discover::Discovery &discovery);
    const stores::discover::Discovery &discovery() const { return m_discovery; }
    QList<stores::discover::Candidate> chosen() const { return m_model.chosen(); }
    discover::CandidatesModel *model() { return &m_model; }
    QTableView *table() const { return m_table; }
    /** The fields about the tables' times; meaningless for keys. */
    const TimeFields *times() const { return m_times; }
    /** True if the user can continue. */
    bool isComplete() const;
    QString reasons() const;
    /** True if patterns of keys were recognised, not tables. */
    bool hasKeys() const { return stores::discover::hasKeys(m_discovery); }
    /** True if the store may keep times without their zone. */
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
