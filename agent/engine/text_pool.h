// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QtGlobal>

#include <array>
#include <cstddef>

namespace lockkeeper::agent::engine {

/**
 * Room for many short texts that live long. By themselves they would lie between what is made and freed for
 * each event, a few in every page of memory, and no page could be given back to the system. Here they lie
 * together, by their size in steps of 8 bytes and without a header each, in slabs of 64 KiB; a slab is freed
 * with its last text. Not thread-safe.
 */
class TextPool
{
public:
    static constexpr size_t kMost = 512;

    TextPool() = default;
    ~TextPool();
    Q_DISABLE_COPY_MOVE(TextPool)

    /** `size` is 1 to kMost. */
    char *take(size_t size);
    /** Of any pool. */
    static void give(char *bytes);
    /** The pool that it is of. */
    static TextPool &of(const char *bytes);
    /** Held of the system. */
    qint64 bytes() const;

private:
    static constexpr size_t kStep = 8;
    static constexpr size_t kSlab = 64 * 1024;
    static constexpr size_t kRoom = kSlab - 16; ///< with the allocator's own header it fills a slab's place

    struct Slab;
    struct Slabs ///< of one size: those with room at the front
    {
        Slab *first = nullptr;
        Slab *last = nullptr;
    };

    static Slab *slabOf(const char *bytes);
    void link(Slab *slab, bool atFront);
    void unlink(Slab *slab);

    std::array<Slabs, kMost / kStep + 1> m_sizes;
    qint64 m_slabs = 0;
};

} // namespace lockkeeper::agent::engine
