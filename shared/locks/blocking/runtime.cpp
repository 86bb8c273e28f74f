// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/blocking/runtime.h"

#include "shared/locks/blocking/event_thread.h"

#include <QCoreApplication>

#include <array>
#include <clocale>
#include <string>

namespace lockkeeper::locks {

namespace {

/** Makes Qt's application object. Restores the locale, because Qt's change would affect how the program
 * prints numbers. */
std::unique_ptr<QCoreApplication> makeApplication()
{
    static int count = 1;
    static std::array<char, 11> name{"lockkeeper"};
    static std::array<char *, 2> arguments{name.data(), nullptr};
    const char *locale = std::setlocale(LC_ALL, nullptr);
    const std::string before = locale == nullptr ? "" : locale;
    auto application = std::make_unique<QCoreApplication>(count, arguments.data());
    if (!before.empty())
        std::setlocale(LC_ALL, before.c_str());
    return application;
}

} // namespace

Runtime::Runtime()
    : m_application(QCoreApplication::instance() == nullptr ? makeApplication() : nullptr),
      m_thread(std::make_shared<EventThread>())
{
}

Runtime::~Runtime()
{
    m_thread->end();
    if (!m_thread->isHere())
        m_application.release(); // it belongs to the parent process
}

} // namespace lockkeeper::locks
