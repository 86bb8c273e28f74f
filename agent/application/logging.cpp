// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/application/logging.h"

#include "shared/base/log_level.h"
#include "shared/base/text.h"

#include <QLoggingCategory>

#include <unistd.h>

namespace lockkeeper::agent::application {

namespace {

struct LogLevel
{
    const char *name;
    int priority; ///< in syslog's numbering
};

LogLevel levelOf(QtMsgType type)
{
    switch (type) {
    case QtDebugMsg:
        return {"debug", 7};
    case QtInfoMsg:
        return {"info", 6};
    case QtWarningMsg:
        return {"warning", 4};
    case QtCriticalMsg:
        return {"error", 3};
    case QtFatalMsg:
        return {"fatal", 2};
    }
    return {"info", 6};
}

void handle(QtMsgType type, const QMessageLogContext &context, const QString &message)
{
    const bool journald = qEnvironmentVariableIsSet("JOURNAL_STREAM");
    const LogLevel level = levelOf(type);
    const char *category = context.category ? context.category : "default";
    const QByteArray line = logLine(journald ? level.priority : -1, level.name, category, message) + '\n';
    // Write each line in one call, so that lines of several threads don't mix. A log that can't be written
    // must not stop the agent.
    [[maybe_unused]] const auto written = ::write(STDERR_FILENO, line.constData(), size_t(line.size()));
}

} // namespace

QByteArray logLine(int priority, const char *level, const char *category, const QString &message)
{
    QByteArray line;
    if (priority >= 0)
        line += '<' + QByteArray::number(priority) + '>';
    return line + level + ' ' + category + ' ' + base::singleLine(message).toUtf8();
}

void installLogging(const QString &level)
{
    QLoggingCategory::setFilterRules(base::logRules(level));
    qInstallMessageHandler(handle);
}

} // namespace lockkeeper::agent::application
