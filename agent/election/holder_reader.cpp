// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/election/holder_reader.h"

#include "shared/base/text.h"

#include <QRegularExpression>

namespace lockkeeper::agent::election {

QString holderText(const stores::Observation &lock)
{
    static const QRegularExpression random(QStringLiteral(" [0-9a-f]{32}$"));
    return lock.present && lock.held ? base::displayText(lock.owner).remove(random) : QString();
}

HolderReader::HolderReader(stores::SourceSpec spec, QByteArray lock, std::chrono::milliseconds every,
                           MakeStore makeStore, QObject *parent)
    : QObject(parent), m_spec(std::move(spec)), m_lock(std::move(lock)), m_makeStore(std::move(makeStore))
{
    m_again.setInterval(every);
    connect(&m_again, &QTimer::timeout, this, [this] { m_open ? read() : open(); });
}

HolderReader::~HolderReader()
{
    stop();
}

void HolderReader::start()
{
    m_again.start();
    open();
}

void HolderReader::stop()
{
    m_again.stop();
    m_holder.clear();
    m_open = false;
    if (!m_store)
        return;
    m_store->disconnect(this);
    m_store->close();
    m_store.release()->deleteLater(); // it may be the one that is calling
}

void HolderReader::open()
{
    if (m_store)
        return; // it is being opened
    auto store = m_makeStore(m_spec);
    if (!store)
        return;
    m_store = std::move(*store);
    connect(m_store.get(), &stores::Store::opened, this, [this] {
        m_open = true;
        read();
    });
    connect(m_store.get(), &stores::Store::failed, this, &HolderReader::lost);
    m_store->open();
}

void HolderReader::read()
{
    m_store->inspect({0, m_lock}, [self = QPointer<HolderReader>(this)](const stores::Inspection &seen) {
        if (self && self->m_open)
            self->m_holder = seen.error ? QString() : holderText(seen.lock);
    });
}

void HolderReader::lost()
{
    stop();
    m_again.start();
}

} // namespace lockkeeper::agent::election
