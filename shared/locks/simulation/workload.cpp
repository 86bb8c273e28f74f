// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "shared/locks/simulation/workload.h"

#include <chrono>

namespace lockkeeper::locks::simulation {

Workload::Workload(Scenario scenario, Tell tell) : m_scenario(std::move(scenario)), m_tell(std::move(tell))
{
    m_limit.setSingleShot(true);
    connect(&m_limit, &QTimer::timeout, this, &Workload::finished);
}

Workload::~Workload() = default;

base::Result<void> Workload::start()
{
    quint32 seed = m_scenario.seed;
    for (const WorkerGroup &group : std::as_const(m_scenario.groups)) {
        for (int i = 0; i < group.workers; ++i) {
            const int number = i / group.perProcess + 1;
            if (i % group.perProcess == 0) {
                m_processes.push_back(std::make_unique<Process>(m_scenario, group, number, m_tell));
                if (const auto opened = m_processes.back()->open(); !opened)
                    return tl::unexpected(opened.error());
            }
            const QByteArray name =
                group.owner + QByteArray::number(number) + '.' + QByteArray::number(i % group.perProcess + 1);
            const QByteArray own = group.anyLock ? QByteArray() : group.names.at(i % group.names.size());
            Worker &worker = m_processes.back()->hire(name, own, ++seed);
            connect(&worker, &Worker::done, this, [this, &worker] {
                if (m_workers.removeOne(&worker) && m_workers.isEmpty())
                    farewell();
            });
            m_workers.append(&worker);
        }
    }
    for (Worker *worker : std::as_const(m_workers))
        worker->start();
    return {};
}

/** Waits until all processes are idle, because a request in progress may still acquire a lock. */
void Workload::farewell()
{
    for (const auto &process : m_processes) {
        ++m_busy;
        process->whenIdle([this] {
            if (--m_busy == 0)
                m_limit.start(std::chrono::milliseconds(0));
        });
    }
}

void Workload::stop()
{
    m_limit.start(std::chrono::seconds(10));
    for (Worker *worker : QList<Worker *>(m_workers))
        worker->stop();
}

} // namespace lockkeeper::locks::simulation
