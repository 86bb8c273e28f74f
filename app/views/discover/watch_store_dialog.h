// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/discover/remote_discoverer.h"
#include "app/private_agent/private_agent.h"
#include "app/views/widgets/translated.h"
#include "shared/stores/discover/discoverer.h"

#include <QDialog>

class QComboBox;
class QProgressBar;
class QPushButton;
class QStackedWidget;

namespace lockkeeper::app::views {

class FinishPage;
class PlainLabel;
class StoreForm;
class TablesPage;

/**
 * The wizard "Watch a store": the address, the look, the choice and the finish. This computer or an agent
 * looks, and the user can cancel the look. The last page offers a private agent, or the section for an agent
 * elsewhere. Window-modal; nothing in the dialog blocks the GUI thread. A password stays in its field until
 * the private agent's file is written.
 */
class WatchStoreDialog : public Translated<QDialog>
{
    Q_OBJECT

public:
    enum WizardPage { AddressPage = 0, LookPage, ChoosePage, FinishPageIndex, PageCount };

    /** `agent` isn't owned and outlives the dialog. */
    explicit WatchStoreDialog(private_agent::PrivateAgent *agent, QWidget *parent = nullptr);
    ~WatchStoreDialog() override;

    /** The agents that are connected, and may look instead of this computer. */
    void setAgents(const QList<app::discover::LookingAgent> &agents);
    WizardPage page() const;
    StoreForm *form() const { return m_form; }
    TablesPage *tables() const { return m_tables; }
    FinishPage *finish() const { return m_finish; }
    QComboBox *lookFrom() const { return m_from; }
    QPushButton *nextButton() const { return m_next; }
    QPushButton *backButton() const { return m_back; }

Q_SIGNALS:
    /** The private agent watches the store now. */
    void watching(const QString &address, bool kept);

protected:
    void done(int result) override;

private:
    void build();
    void buildFrom();
    QWidget *buildLook();
    void showFrom();
    /** Empty: this computer looks. */
    const app::discover::LookingAgent *lookingAgent() const;
    base::Result<std::unique_ptr<stores::discover::Discoverer>>
    discovererFor(const stores::SourceSpec &spec) const;
    void connectAgent();
    void go(WizardPage page);
    void back();
    void next();
    void look();
    void stopLooking();
    void startAgent();
    void refresh();
    void retranslate() final;
    QString lookRemedy(const base::Error &error) const;
    static QString agentFailure(const base::Error &error);
    QString sectionHead() const;
    QString sectionWith(const QString &passwordReference, const QString &name = {}) const;

    private_agent::PrivateAgent *m_agent;
    std::unique_ptr<stores::discover::Discoverer> m_discoverer;
    QStackedWidget *m_pages = nullptr;
    PlainLabel *m_title = nullptr;
    QList<app::discover::LookingAgent> m_agents;
    PlainLabel *m_fromLabel = nullptr;
    QComboBox *m_from = nullptr; ///< this computer, then the agents
    PlainLabel *m_fromNote = nullptr;
    StoreForm *m_form = nullptr;
    PlainLabel *m_lookText = nullptr;
    QProgressBar *m_lookBar = nullptr;
    TablesPage *m_tables = nullptr;
    FinishPage *m_finish = nullptr;
    QPushButton *m_back = nullptr;
    QPushButton *m_cancel = nullptr;
    QPushButton *m_next = nullptr;
    bool m_starting = false;
};

} // namespace lockkeeper::app::views
