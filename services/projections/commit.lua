-- Writes rows, their places in indexes and the checkpoint behind them, or nothing.
--
-- Keys: shard, rows, parked, then indexes, and the events and meta of matches; all in one slot. All that is compared is compared before the first
-- write. If the checkpoint is not where the writer believes, somebody else has taken these pointers, or the whole set
-- was replaced: then its checkpoint is gone. If a row is not the one that was read, its places in the indexes would be
-- the wrong ones. If the log does not have the event that a row ends with, the row was made of one that a lost primary
-- took with it.

local shard, rows, parked = KEYS[1], KEYS[2], KEYS[3]
local checkpoint_field, old, new = ARGV[1], ARGV[2], ARGV[3]
local FIRST_TAKING, FIELDS = 4, 8

-- Whether the log says what a row says. Of an archived match, only the meta is left.
local function stands(row, head, events, meta)
    local entry_id = string.match(row, '^%[(%d+),') .. '-0'
    local entry = redis.call('XRANGE', events, entry_id, entry_id)[1]
    if not entry then
        return redis.call('HGET', meta, 'status') == 'archived'
    end
    for field = 1, #entry[2], 2 do
        if entry[2][field] == 'h' then
            return entry[2][field + 1] == head
        end
    end
end

local checkpoint = redis.call('HGET', shard, checkpoint_field)
-- Who fills a new set has no pointers: its checkpoint must be there, and stays.
if not checkpoint or (old ~= '' and checkpoint ~= old) then
    return 0
end
local at = FIRST_TAKING
while at <= #ARGV do
    local row = redis.call('HGET', rows, ARGV[at])
    if (row and string.match(row, '^%[(%d+),') or '0') ~= ARGV[at + 1] then
        return 0
    end
    if ARGV[at + 4] ~= '' and not stands(
            ARGV[at + 2], ARGV[at + 4], KEYS[3 + tonumber(ARGV[at + 5])], KEYS[3 + tonumber(ARGV[at + 6])]) then
        return 0
    end
    at = at + FIELDS + 2 * tonumber(ARGV[at + 7])
end

at = FIRST_TAKING
while at <= #ARGV do
    local match, row, reason, places = ARGV[at], ARGV[at + 2], ARGV[at + 3], tonumber(ARGV[at + 7])
    if row ~= '' then
        redis.call('HSET', rows, match, row)
    end
    if reason ~= '' then
        redis.call('HSET', parked, match, reason)
    else
        redis.call('HDEL', parked, match)
    end
    at = at + FIELDS
    for _ = 1, places do
        local index, score = KEYS[3 + tonumber(ARGV[at])], ARGV[at + 1]
        if score == '' then
            redis.call('ZREM', index, match)
        else
            redis.call('ZADD', index, score, match)
        end
        at = at + 2
    end
end
if old ~= '' then
    redis.call('HSET', shard, checkpoint_field, new)
end
return 1
