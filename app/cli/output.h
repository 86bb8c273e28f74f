// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <optional>

namespace lockkeeper::app::cli {

/** Where a command's words go. A seam: the program writes to its streams, tests keep what was written. */
class Output
{
public:
    virtual ~Output() = default;
    /** Standard output, flushed. */
    virtual void write(const QByteArray &bytes) = 0;
    /** One line on standard error, its end added. */
    virtual void note(const QString &line) = 0;
    /** Something was done, with this status: the words on it may get lost, the status may not. */
    virtual void done(int) {}

    void text(const QString &text) { write(text.toUtf8()); }
};

/**
 * The program's standard streams. Where standard output can't be written the program ends at once, so that
 * a part never passes for the whole: by SIGPIPE where nobody reads on, as any filter does, else as failed.
 */
class StandardOutput final : public Output
{
public:
    void write(const QByteArray &bytes) override;
    void note(const QString &line) override;
    void done(int status) override { m_done = status; }

private:
    std::optional<int> m_done;
};

} // namespace lockkeeper::app::cli
