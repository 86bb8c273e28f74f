// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/connections/connection.h"
#include "app/views/widgets/translated.h"
#include "shared/transport/client.h"

#include <QTimer>
#include <QWidget>

#include <memory>

class QGridLayout;
class QGroupBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace lockkeeper::app::views {

class PlainLabel;

/**
 * The page of a console without an agent: connect to an agent, watch a store, or try the demo. A test ticks
 * each step on the way to the agent. The user's agents.toml is read whenever the page is shown.
 */
class StartPage : public Translated<QWidget>
{
    Q_OBJECT

public:
    explicit StartPage(QWidget *parent = nullptr);
    ~StartPage() override;

    /** Several agents are separated by a comma and a space. */
    void setAddress(const QString &address);
    void focusAddress();
    /** Agents that were opened before, the last one first. */
    void setRecent(const QStringList &addresses);

Q_SIGNALS:
    void connectAsked(const QString &address);
    void watchAsked();
    void demoAsked();
    /** The user removes the address from the recent ones. */
    void forgetAsked(const QString &address);

protected:
    void showEvent(QShowEvent *event) override;

private:
    enum ConnectStep { ReachStep, OpenStep, LoginStep, VersionStep, StepCount };
    enum class StepMark { None, Waiting, Good, Bad };
    struct StepLine
    {
        QLabel *icon = nullptr;
        PlainLabel *text = nullptr;
    };

    QWidget *buildConnect();
    QListWidget *buildList(const char *name);
    void buildSaved(QGridLayout *grid, int row);
    QWidget *buildRecent();
    void showSaved();
    QWidget *buildDemo();
    void showDemo();
    QWidget *buildWatch();
    void retranslate() final;
    void test();
    void stepped(transport::Client::OpenProgress step);
    void welcomed(const protocol::Welcome &welcome);
    /** The step at which an opening that ended with `error` had arrived. */
    ConnectStep failedAt(const base::Error &error) const;
    QString waitingText(ConnectStep step) const;
    void wait(ConnectStep step);
    void fail(ConnectStep step, const base::Error &error);
    void setTick(ConnectStep step, StepMark tick, const QString &text);
    void clearTicks();
    base::Result<connections::Connection> connection() const;

    QGroupBox *m_connectBox = nullptr;
    QGroupBox *m_demoBox = nullptr;
    QGroupBox *m_watchBox = nullptr;
    PlainLabel *m_watchText = nullptr;
    QPushButton *m_watch = nullptr;
    PlainLabel *m_title = nullptr;
    PlainLabel *m_addressLabel = nullptr;
    QLineEdit *m_address = nullptr;
    PlainLabel *m_recentLabel = nullptr;
    QWidget *m_recentBox = nullptr;
    QListWidget *m_recent = nullptr;
    QPushButton *m_forget = nullptr;
    QPushButton *m_test = nullptr;
    QPushButton *m_connect = nullptr;
    PlainLabel *m_demoText = nullptr;
    PlainLabel *m_demoCommand = nullptr;
    QPushButton *m_demoCopy = nullptr;
    QPushButton *m_demo = nullptr;
    PlainLabel *m_savedLabel = nullptr;
    QListWidget *m_saved = nullptr;
    PlainLabel *m_savedError = nullptr; ///< why the file can't be read, with its line
    StepLine m_lines[StepCount];
    ConnectStep m_step = OpenStep; ///< under way
    transport::Address m_tested;
    QWidget *m_result = nullptr; ///< of a test: a line for each step, and the remedy
    PlainLabel *m_remedy = nullptr;
    std::unique_ptr<transport::Client> m_client;
    QTimer m_limit;
};

} // namespace lockkeeper::app::views
