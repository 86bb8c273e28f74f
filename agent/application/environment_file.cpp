// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/environment_file.h"

#include "shared/base/regular_file.h"
#include "shared/base/text.h"

#include <QFile>
#include <QFileInfo>

#include <algorithm>

namespace lockkeeper::agent::application {

namespace {

/** The value from `at` to the line's end, with quotes and escapes resolved. Moves `at` past it. */
QByteArray takeValue(const QByteArray &text, qsizetype &at)
{
    QByteArray value;
    qsizetype kept = 0; ///< blanks at the end count only within quotes
    char quote = 0;
    bool mayOpen = true; ///< a quote within a word is an ordinary character
    for (; at < text.size() && (quote != 0 || text.at(at) != '\n'); ++at) {
        const char c = text.at(at);
        if (quote == 0 && mayOpen && (c == '"' || c == '\'')) {
            quote = c;
            continue;
        }
        if (c == quote && quote != 0) {
            quote = 0;
            mayOpen = true;
            kept = value.size();
            continue;
        }
        mayOpen = false;
        if (c == '\\' && quote != '\'' && at + 1 < text.size()) {
            const char next = text.at(++at);
            if (quote == '"' && !QByteArrayView("\"\\`$\n").contains(next))
                value += c;
            if (next != '\n') // otherwise the line continues
                value += next;
            kept = value.size();
            continue;
        }
        value += c;
        if (quote != 0 || (c != ' ' && c != '\t' && c != '\r'))
            kept = value.size();
    }
    return value.first(kept);
}

bool isName(QByteArrayView name)
{
    return !name.isEmpty() && !(name.front() >= '0' && name.front() <= '9') &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
           });
}

} // namespace

QList<std::pair<QByteArray, QByteArray>> assignmentsOf(const QByteArray &text)
{
    QList<std::pair<QByteArray, QByteArray>> assignments;
    for (qsizetype at = 0; at < text.size(); ++at) {
        while (at < text.size() && QByteArrayView(" \t\r\n").contains(text.at(at)))
            ++at;
        qsizetype end = text.indexOf('\n', at);
        end = end < 0 ? text.size() : end;
        const qsizetype equals = text.indexOf('=', at);
        const bool isComment = at < text.size() && (text.at(at) == '#' || text.at(at) == ';');
        if (isComment || equals < 0 || equals > end) {
            at = end;
            continue;
        }
        const QByteArray name = text.sliced(at, equals - at).trimmed();
        at = equals + 1;
        while (at < text.size() && (text.at(at) == ' ' || text.at(at) == '\t'))
            ++at;
        const QByteArray value = takeValue(text, at);
        if (isName(name))
            assignments.append({name, value});
    }
    return assignments;
}

base::Result<void> takeEnvironmentBeside(const QString &configFile)
{
    const QString path = QFileInfo(configFile).absolutePath() + QStringLiteral("/environment");
    QFile file(path);
    if (!file.exists())
        return {};
    if (const auto opened = base::openRegular(file); !opened)
        return base::failure(
            base::ErrorCode::PermissionDenied,
            QStringLiteral("%1, which the unit reads, can't be read: %2")
                .arg(base::displayText(path), opened.error().cause),
            QStringLiteral("Run: chgrp lockkeeper %1 && chmod 640 %1").arg(base::displayText(path)));
    for (const auto &[name, value] : assignmentsOf(file.read(1 << 20))) {
        if (!qEnvironmentVariableIsSet(name.constData()))
            qputenv(name.constData(), value);
    }
    return {};
}

} // namespace lockkeeper::agent::application
