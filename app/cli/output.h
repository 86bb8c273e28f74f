// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QCoreApplication>
#include <QString>

#include <optional>

namespace lockkeeper::app::cli {

/**
 * The destination of a command's output. A seam: the program writes to its streams, tests collect the output.
 */
class Output
{
public:
    virtual ~Output() = default;
    /** Standard output, flushed. */
    virtual void write(const QByteArray &bytes) = 0;
    /** One line on standard error, its end added. */
    virtual void note(const QString &line) = 0;
    /** An action was done, with this status: its output may get lost, the status may not. */
    virtual void done(int) {}

    void text(const QString &text) { write(text.toUtf8()); }
};

/**
 * The program's standard streams. If standard output can't be written, the program ends at once, so that a
 * part never passes for the whole. If the reader has closed the stream, it ends by SIGPIPE like any filter,
 * otherwise as failed.
 */
class StandardOutput final : public Output
{
    Q_DECLARE_TR_FUNCTIONS(lockkeeper::app::cli::StandardOutput)

public:
    void write(const QByteArray &bytes) override;
    void note(const QString &line) override;
    void done(int status) override { m_done = status; }

private:
    std::optional<int> m_done;
};

} // namespace lockkeeper::app::cli
