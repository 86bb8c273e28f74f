// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/connections/connection.h"

#include <QTimer>
#include <QWidget>

#include <memory>

class QGroupBox;
class QLabel;
class QLineEdit;
class QListWidget;
class QPushButton;

namespace lockkeeper::transport {
class Client;
}

namespace lockkeeper::app::views {

class PlainLabel;

/** What a console without an agent shows: connect to one, after a test that ticks each step, watch a store,
 * or try the demo.
 */
class StartPage : public QWidget
{
    Q_OBJECT

public:
    explicit StartPage(QWidget *parent = nullptr);
    ~StartPage() override;

    /** Of several agents separated by a comma and a space. */
    void setAddress(const QString &address);
    void focusAddress();
    /** Agents that were opened before, the last one first. */
    void setRecent(const QStringList &addresses);

Q_SIGNALS:
    void connectAsked(const QString &address);
    void watchAsked();
    /** The address is to leave the list of recent ones. */
    void forgetAsked(const QString &address);

protected:
    void changeEvent(QEvent *event) override;

private:
    enum Step { ParseStep, SocketStep, ConnectStep, VersionStep, StepCount };
    enum class Tick { None, Waiting, Good, Bad };
    struct Line
    {
        QLabel *icon = nullptr;
        PlainLabel *text = nullptr;
    };

    QWidget *buildConnect();
    QWidget *buildRecent();
    QWidget *buildDemo();
    QWidget *buildWatch();
    void retranslate();
    void test();
    void fail(Step step, const base::Error &error);
    void setTick(Step step, Tick tick, const QString &text);
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
    Line m_lines[StepCount];
    PlainLabel *m_remedy = nullptr;
    std::unique_ptr<transport::Client> m_client;
    QTimer m_limit;
};

} // namespace lockkeeper::app::views
