// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/command.h"
#include "fake_agent.h"

#include <QJsonDocument>
#include <QJsonObject>

namespace lockkeeper::tests {

/** Keeps what a command writes. */
class KeptOutput final : public app::cli::Output
{
public:
    void write(const QByteArray &bytes) override { out += bytes; }
    void note(const QString &line) override { err += line.toUtf8() + '\n'; }
    QByteArray out;
    QByteArray err;
};

/** One run of a command line against a fake agent, in this process. */
class Run : public QObject
{
    Q_OBJECT

public:
    Run(const transport::Address &agent, const QStringList &arguments, const QString &typed = {});

    /** −1 until it has ended. */
    int status() const { return m_status; }
    QByteArray out() const { return m_output.out; }
    QByteArray err() const { return m_output.err; }
    QList<QJsonObject> objects() const;

private:
    KeptOutput m_output;
    base::SystemClock m_clock;
    app::cli::Context m_context;
    std::unique_ptr<app::cli::Command> m_command;
    int m_status = -1;
};

} // namespace lockkeeper::tests
