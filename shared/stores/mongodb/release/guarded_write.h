// SPDX-FileCopyrightText: 2026 The Lockkeeper authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "shared/stores/mongodb/reading/lock_document.h"

namespace lockkeeper::stores::mongodb {

/** A term of the guard that a test leaves out, to prove that it is needed. */
enum class WriteTerm : quint8 { None = 0, Id, Identity, Freshness, Type };

/**
 * The selector of a release: the document with this `_id`, in which each field that was seen still has the
 * same type and value, or is missing still. It uses $expr because {field: {$eq}} also matches an array with
 * such an element. Null where the guard isn't for such a document.
 *
 * `mustBeExpired`: its deadline has passed by the server's clock. Where a layout's documents stay, a document
 * whose deadline has passed is free already and isn't found.
 */
Bson guardedSelector(const ReleaseOrder &order, const Layout &layout, const Deadline &deadline,
                     WriteTerm leftOut = WriteTerm::None);

} // namespace lockkeeper::stores::mongodb
