// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>

#include <cstdio>

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

    void text(const QString &text) { write(text.toUtf8()); }
};

/** The program's standard streams. */
class StandardOutput final : public Output
{
public:
    void write(const QByteArray &bytes) override { put(stdout, bytes); }
    void note(const QString &line) override { put(stderr, "lockkeeperctl: " + line.toUtf8() + '\n'); }

private:
    static void put(std::FILE *stream, const QByteArray &bytes)
    {
        std::fwrite(bytes.constData(), 1, size_t(bytes.size()), stream);
        std::fflush(stream);
    }
};

} // namespace lockkeeper::app::cli
