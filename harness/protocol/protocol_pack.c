/* SPDX-License-Identifier: MIT */
/* Frames of many cases or outcomes (protocol.h). Items are written where they are sent from, and read where
 * they arrived, so that no bytes are copied. */
#include "harness/protocol/protocol.h"

#include "model/number/bytes.h"

#include <string.h>

enum { ITEM_HEAD = 16 }; /* number 4 bytes, nonce or done-stamp 8, size 4 */

bool protocol_next_item(struct protocol_frame *rest, struct protocol_item *item, struct error *e)
{
    const uint8_t *at = rest->payload;
    if (rest->size < ITEM_HEAD)
        return error_set(e, "an item of a frame %s has %zu bytes; it must have at least %d",
                         protocol_type_name(rest->type), rest->size, ITEM_HEAD);
    *item = (struct protocol_item){
        .id = get_u32(at),
        .check = get_u64(at + 4),
        .bytes = at + ITEM_HEAD,
        .size = get_u32(at + 12),
    };
    if (item->size > rest->size - ITEM_HEAD)
        return error_set(e, "item %lu of a frame %s has %zu bytes, but the frame ends after %zu",
                         (unsigned long)item->id, protocol_type_name(rest->type), item->size,
                         rest->size - ITEM_HEAD);
    rest->payload += ITEM_HEAD + item->size;
    rest->size -= ITEM_HEAD + item->size;
    return true;
}

bool protocol_pack_is_full(const struct protocol_pack *p, size_t most)
{
    return p->size && p->size + ITEM_HEAD + most > PROTOCOL_HEAD + PROTOCOL_PAYLOAD_MAX;
}

uint8_t *protocol_pack_room(struct protocol_pack *p, size_t most)
{
    if (!protocol_bytes_reserve(p->to, PROTOCOL_HEAD + ITEM_HEAD + most + PROTOCOL_TAIL))
        return NULL;
    if (!p->size) {
        uint8_t *head = p->to->at + p->to->end;
        memcpy(head, (const uint8_t[]){'M', 'P', (uint8_t)p->type, 0, 0, 0, 0, 0}, PROTOCOL_HEAD);
        p->to->end += p->size = PROTOCOL_HEAD;
    }
    return p->to->at + p->to->end + ITEM_HEAD;
}

void protocol_pack_add(struct protocol_pack *p, const struct protocol_item *item)
{
    uint8_t *head = p->to->at + p->to->end;
    put_u32(head, item->id);
    put_u64(head + 4, item->check);
    put_u32(head + 12, (uint32_t)item->size);
    p->to->end += ITEM_HEAD + item->size;
    p->size += ITEM_HEAD + item->size;
}

void protocol_pack_close(struct protocol_pack *p)
{
    if (!p->size)
        return;
    uint8_t *end = p->to->at + p->to->end, *head = end - p->size;
    put_u32(head + 4, (uint32_t)(p->size - PROTOCOL_HEAD));
    put_u32(end, protocol_crc32(0, head, p->size));
    p->to->end += PROTOCOL_TAIL;
    p->size = 0;
}
