// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "agent/engine/text_pool.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <new>

namespace lockkeeper::agent::engine {

/** The head of a slab, which begins at a multiple of its size: a text's address leads to it. */
struct TextPool::Slab
{
    TextPool *pool = nullptr;
    Slab *next = nullptr;
    Slab *previous = nullptr;
    char *free = nullptr;  ///< the first of those given back, each of which holds the next one's address
    quint32 size = 0;      ///< of a text
    quint32 used = 0;      ///< texts
    quint32 untouched = 0; ///< where the part begins that was never taken
    quint32 reserved = 0;

    bool hasRoom() const { return free != nullptr || untouched + size <= kRoom; }
};

TextPool::Slab *TextPool::slabOf(const char *bytes)
{
    return reinterpret_cast<Slab *>(reinterpret_cast<std::uintptr_t>(bytes) & ~std::uintptr_t(kSlab - 1));
}

TextPool::~TextPool()
{
    for (const Slabs &slabs : m_sizes) {
        for (Slab *slab = slabs.first; slab != nullptr;) {
            Slab *next = slab->next;
            std::free(slab);
            slab = next;
        }
    }
}

void TextPool::link(Slab *slab, bool atFront)
{
    Slabs &slabs = m_sizes[slab->size / kStep];
    slab->previous = atFront ? nullptr : slabs.last;
    slab->next = atFront ? slabs.first : nullptr;
    (slab->previous != nullptr ? slab->previous->next : slabs.first) = slab;
    (slab->next != nullptr ? slab->next->previous : slabs.last) = slab;
}

void TextPool::unlink(Slab *slab)
{
    Slabs &slabs = m_sizes[slab->size / kStep];
    (slab->previous != nullptr ? slab->previous->next : slabs.first) = slab->next;
    (slab->next != nullptr ? slab->next->previous : slabs.last) = slab->previous;
}

char *TextPool::take(size_t size)
{
    Q_ASSERT(size > 0 && size <= kMost);
    const size_t rounded = (size + kStep - 1) / kStep * kStep;
    Slab *slab = m_sizes[rounded / kStep].first;
    if (slab == nullptr || !slab->hasRoom()) {
        void *room =
            nullptr; // aligned_alloc() wants a size that is a multiple, which would take twice the place
        if (::posix_memalign(&room, kSlab, kRoom) != 0)
            throw std::bad_alloc();
        slab = new (room) Slab;
        slab->pool = this;
        slab->size = quint32(rounded);
        slab->untouched = sizeof(Slab);
        link(slab, true);
        ++m_slabs;
    }
    char *bytes = slab->free;
    if (bytes != nullptr) {
        std::memcpy(&slab->free, bytes, sizeof slab->free);
    } else {
        bytes = reinterpret_cast<char *>(slab) + slab->untouched;
        slab->untouched += slab->size;
    }
    ++slab->used;
    if (!slab->hasRoom()) {
        unlink(slab);
        link(slab, false);
    }
    return bytes;
}

void TextPool::give(char *bytes)
{
    Slab *slab = slabOf(bytes);
    TextPool *pool = slab->pool;
    if (--slab->used == 0) {
        pool->unlink(slab);
        --pool->m_slabs;
        std::free(slab);
        return;
    }
    const bool wasFull = !slab->hasRoom();
    std::memcpy(bytes, &slab->free, sizeof slab->free);
    slab->free = bytes;
    if (wasFull) {
        pool->unlink(slab);
        pool->link(slab, true);
    }
}

TextPool &TextPool::of(const char *bytes)
{
    return *slabOf(bytes)->pool;
}

qint64 TextPool::bytes() const
{
    return m_slabs * qint64(kSlab);
}

} // namespace lockkeeper::agent::engine
